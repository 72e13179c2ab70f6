//! wasm-bindgen's own runner of browser tests. `cargo test` is given it as the runner of the wasm target.
#![forbid(unsafe_code)]

fn main() {
    env_logger::init();
    if let Err(error) = wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os()) {
        eprintln!("error: {error:?}");
        std::process::exit(1);
    }
}
