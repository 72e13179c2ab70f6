//! Directories as clusters: one with files is a cluster, one with directories only holds one in each of them.

use std::fs;
use std::path::{Path, PathBuf};

/// A cluster with its files.
#[derive(Debug, PartialEq, Eq)]
pub struct Cluster {
    /// Name of its directory.
    pub name: String,
    /// Its files, by name.
    pub files: Vec<String>,
}

/// The clusters of these arguments; `None` when none of them is a directory.
///
/// # Errors
/// When files and directories are mixed, or a directory can't be read or holds nothing.
pub fn clusters(arguments: &[&str]) -> Result<Option<Vec<Cluster>>, String> {
    let folders: Vec<&Path> = arguments.iter().map(Path::new).filter(|path| path.is_dir()).collect();
    if folders.is_empty() {
        return Ok(None);
    }
    if folders.len() < arguments.len() {
        return Err("files and directories are mixed: a directory is a cluster of its own, so give either".to_owned());
    }
    let mut clusters = Vec::new();
    for folder in folders {
        let (files, below) = entries(folder)?;
        match (files.is_empty(), below.is_empty()) {
            (true, true) => return Err(format!("{}: the directory is empty", folder.display())),
            (false, _) => clusters.push(Cluster { name: name(folder), files }),
            (true, false) => {
                for folder in below {
                    clusters.push(Cluster { name: name(&folder), files: entries(&folder)?.0 });
                }
            }
        }
    }
    Ok(Some(clusters))
}

/// Files and directories in a directory, by name; hidden ones are left.
fn entries(folder: &Path) -> Result<(Vec<String>, Vec<PathBuf>), String> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.retain(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')));
    paths.sort();
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = paths.into_iter().partition(|path| path.is_dir());
    Ok((files.iter().map(|file| file.to_string_lossy().into_owned()).collect(), folders))
}

fn name(folder: &Path) -> String {
    let own = folder.canonicalize().ok().and_then(|path| path.file_name().map(|n| n.to_string_lossy().into_owned()));
    own.unwrap_or_else(|| folder.display().to_string())
}
