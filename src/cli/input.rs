//! Files and stdin, fed in chunks to the library.

use std::fs::File;
use std::io::{ErrorKind, Read};

use etcd_upgrade_planner::evidence::intake::{Intake, Need};
use etcd_upgrade_planner::evidence::paste::Paste;

/// Bytes read at once.
const CHUNK: usize = 1 << 20;

/// Reads one file, or stdin for `-`.
///
/// # Errors
/// Says which file and why.
pub fn read(path: &str) -> Result<Paste, String> {
    let name = if path == "-" { "stdin" } else { path };
    let mut intake = Intake::new(name, None);
    let result = if path == "-" {
        feed(&mut intake, std::io::stdin().lock())
    } else {
        File::open(path).and_then(|file| feed(&mut intake, file))
    };
    result.map_err(|e| format!("{path}: {e}"))?;
    intake.finish().map_err(|e| e.to_string())
}

/// Feeds chunks until the source ends or the intake wants no more.
fn feed(intake: &mut Intake, mut source: impl Read) -> std::io::Result<()> {
    let mut chunk = vec![0; CHUNK];
    while intake.need() == Need::Chunk {
        let read = match source.read(&mut chunk) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        intake.push(chunk.get(..read).unwrap_or_default());
    }
    Ok(())
}
