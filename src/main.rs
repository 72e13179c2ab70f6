//! The page in the browser, the command line elsewhere.
#![forbid(unsafe_code)]

#[cfg(target_arch = "wasm32")]
mod app;
#[cfg(not(target_arch = "wasm32"))]
mod cli;

#[cfg(target_arch = "wasm32")]
fn main() {
    app::mount();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    cli::run()
}
