//! `data/*.toml` → tables, and the words of `src/gates/*.rs` → the catalogue: reads, checks, writes Rust and packed texts.
//! What is refused and why stands in `build/check.rs`.

#[path = "build/catalogue.rs"]
mod catalogue;
#[path = "build/data.rs"]
mod data;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=data");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/gates");
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problems) => {
            for problem in problems {
                println!("cargo::error={problem}");
            }
            ExitCode::FAILURE
        }
    }
}

/// Reads the folder, checks it and writes the tables; the error is what to tell, one text a problem.
fn build() -> Result<(), Vec<String>> {
    let files = read_folder(Path::new("data")).map_err(|error| vec![format!("data: {error}")])?;
    let words = |problems: Vec<data::Problem>| problems.iter().map(ToString::to_string).collect::<Vec<_>>();
    let data = data::read(&files).map_err(words)?;
    let out = std::env::var("OUT_DIR").map_err(|error| vec![format!("OUT_DIR: {error}")])?;
    let gates = Path::new("src/gates");
    let catalogue = catalogue::entries(gates).map_err(|error| vec![format!("{}: {error}", gates.display())])?;
    let packed = data::packed::files(&data, catalogue);
    let write = |name: &str, bytes: &[u8]| {
        let path = Path::new(&out).join(name);
        std::fs::write(&path, bytes).map_err(|error| vec![format!("{}: {error}", path.display())])
    };
    write("tables.rs", data::emit::tables(&data, &packed).as_bytes())?;
    for (name, text) in &packed.first {
        write(&format!("{name}.packed"), text.as_bytes())?;
    }
    write("second-part.packed", &packed.second)
}

/// Every `.toml` of the folder, by file name.
fn read_folder(folder: &Path) -> std::io::Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "toml") {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            files.insert(name, std::fs::read_to_string(&path)?);
        }
    }
    Ok(files)
}
