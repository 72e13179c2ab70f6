//! `cargo xtask budget`: the sizes of what lies in `dist/`, as a table. Fails above a limit.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::html;
use crate::process::output;
use crate::single_file::FILE_NAME;
use crate::workspace::{command, dist};

/// Compresses the files named as arguments as a web server does, and prints their sizes, one a line. node has brotli,
/// so no tool is needed for it.
const BROTLI: &str = "const { readFileSync } = require('fs'), { brotliCompressSync } = require('zlib'); \
                      for (const file of process.argv.slice(1)) console.log(brotliCompressSync(readFileSync(file)).length)";

/// A size held against its budget. All in bytes.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    what: &'static str,
    size: u64,
    /// What we aim at.
    target: u64,
    /// Above this the run fails; `None` when the size is part of another row's limit.
    limit: Option<u64>,
}

/// Prints the table; fails when a row is above its limit.
pub fn run() -> Result<()> {
    let rows = measure(&dist())?;
    print!("{}", table(&rows));
    check(&rows)
}

fn measure(dist: &Path) -> Result<Vec<Row>> {
    let index = dist.join("index.html");
    let page =
        fs::read_to_string(&index).with_context(|| format!("{}: run `cargo xtask dist` first", index.display()))?;
    let files = first_load(&page)?;
    let wasm_at = files.iter().position(|name| name.ends_with(".wasm")).context("the page loads no wasm")?;
    let boot = html::only(&page, "script", "id", "boot")?;
    let second = boot.get("data-second").context("the page has no second part")?;
    let second = brotli(&[dist.join(second)])?.into_iter().sum();
    let paths: Vec<PathBuf> = files.iter().map(|name| dist.join(name)).collect();
    let sizes = brotli(&paths)?;
    let single_file = dist.join(FILE_NAME);
    let single_file = fs::metadata(&single_file).with_context(|| single_file.display().to_string())?.len();
    Ok(vec![
        Row { what: "wasm, brotli", size: sizes[wasm_at], target: 250_000, limit: None },
        Row { what: "first load, brotli", size: sizes.iter().sum(), target: 280_000, limit: Some(380_000) },
        Row { what: "second part, brotli", size: second, target: 200_000, limit: Some(300_000) },
        Row { what: "single file", size: single_file, target: 900_000, limit: Some(1_100_000) },
    ])
}

/// The files of the first load, the page itself among them, each once.
fn first_load(page: &str) -> Result<Vec<String>> {
    let boot = html::only(page, "script", "id", "boot")?;
    let linked = html::tags(page, "link");
    let mut files = vec!["index.html"];
    files.extend(linked.iter().filter_map(|tag| tag.get("href")));
    files.extend(["src", "data-js", "data-wasm"].into_iter().filter_map(|name| boot.get(name)));
    let mut files: Vec<String> =
        files.into_iter().map(|name| name.strip_prefix("./").unwrap_or(name).to_owned()).collect();
    files.sort_unstable();
    files.dedup();
    Ok(files)
}

pub fn brotli(files: &[PathBuf]) -> Result<Vec<u64>> {
    let printed = output(command("node")?.args(["-e", BROTLI]).args(files))?;
    let sizes: Vec<u64> = printed.lines().map(str::parse).collect::<Result<_, _>>().context("node printed no sizes")?;
    ensure!(sizes.len() == files.len(), "node printed {} sizes for {} files", sizes.len(), files.len());
    Ok(sizes)
}

fn table(rows: &[Row]) -> String {
    let mut out = format!("\n{:<20} {:>9} {:>9} {:>9}\n", "size, kB", "now", "target", "limit");
    for Row { what, size, target, limit } in rows {
        let note = if size > target { "  above target" } else { "" };
        let limit = limit.map_or_else(|| "-".to_owned(), kilobytes);
        out += &format!("{what:<20} {:>9} {:>9} {limit:>9}{note}\n", kilobytes(*size), kilobytes(*target));
    }
    out
}

/// With one decimal, rounded up, so that a size above a limit never looks equal to it.
fn kilobytes(bytes: u64) -> String {
    let tenths = bytes.div_ceil(100);
    format!("{}.{}", tenths / 10, tenths % 10)
}

fn check(rows: &[Row]) -> Result<()> {
    let above: Vec<&str> =
        rows.iter().filter(|row| row.limit.is_some_and(|limit| row.size > limit)).map(|row| row.what).collect();
    if !above.is_empty() {
        bail!("above the limit: {}", above.join("; "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(size: u64, limit: Option<u64>) -> Row {
        Row { what: "single file", size, target: 900_000, limit }
    }

    #[test]
    fn a_byte_above_the_limit_fails_and_the_limit_itself_does_not() {
        assert!(check(&[row(1_100_000, Some(1_100_000))]).is_ok());
        let error = check(&[row(1_100_001, Some(1_100_000))]).unwrap_err().to_string();
        assert_eq!(error, "above the limit: single file");
        assert!(check(&[row(u64::MAX, None)]).is_ok());
    }

    #[test]
    fn the_table_shows_what_is_above_its_target() {
        let table = table(&[row(900_001, Some(1_100_000))]);
        assert!(table.contains("single file              900.1     900.0    1100.0  above target"), "{table}");
    }

    #[test]
    fn the_first_load_is_each_file_once_without_the_second_part() {
        let page = r#"<link rel="icon" href="./icon.svg"><link rel="modulepreload" href="./g.js"><link rel="preload" href="./a.wasm"><script id="boot" src="./boot.js" data-js="./g.js" data-wasm="./a.wasm" data-second="./b.wasm"></script>"#;
        assert_eq!(first_load(page).unwrap(), ["a.wasm", "boot.js", "g.js", "icon.svg", "index.html"]);
    }

    #[test]
    fn brotli_sizes_come_in_the_order_of_the_files() {
        let folder = tempfile::tempdir().unwrap();
        let (long, short) = (folder.path().join("long"), folder.path().join("short"));
        fs::write(&long, "a".repeat(100_000)).unwrap();
        fs::write(&short, "a").unwrap();
        let sizes = brotli(&[long, short]).unwrap();
        assert!(sizes[0] < 100 && sizes[1] < sizes[0], "{sizes:?}");
    }
}
