//! Files and stdin, fed in chunks to the library.

use std::fs::File;
use std::io::Read;

use etcd_upgrade_planner::evidence::paste::Paste;

/// Reads one file, or stdin for `-`.
///
/// # Errors
/// Says which file and why.
pub fn read(path: &str) -> Result<Paste, String> {
    let mut bytes = Vec::new();
    let result = if path == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|mut f| f.read_to_end(&mut bytes))
    };
    result.map_err(|e| format!("{path}: {e}"))?;
    let name = if path == "-" { "stdin" } else { path };
    Ok(Paste::new(name, String::from_utf8_lossy(&bytes)))
}
