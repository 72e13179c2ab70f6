//! The documents speak of what is there: files they name exist, tests they name exist, links inside them lead somewhere.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn document(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// What stands in code spans of a document.
fn code_spans(text: &str) -> Vec<String> {
    let outside_fences = text.split("```").step_by(2).collect::<String>();
    outside_fences.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Looks like a path of this project: no spaces, and starts with a folder or file that belongs to it.
fn looks_like_a_path(span: &str) -> bool {
    const STARTS: [&str; 12] = [
        "src/",
        "data/",
        "tests/",
        "docs/",
        "style/",
        "public/",
        "xtask/",
        "build/",
        "build.rs",
        "index.html",
        "Trunk.toml",
        ".ci/",
    ];
    !span.contains([' ', '<', '*', '…']) && !span.contains("ID") && STARTS.iter().any(|s| span.starts_with(s))
}

#[test]
fn every_file_a_document_names_exists() {
    let mut named = 0;
    for name in ["README.md", "docs/architecture.md", "docs/contributing.md", "docs/promises.md"] {
        for span in code_spans(&document(name)).into_iter().filter(|s| looks_like_a_path(s)) {
            assert!(root().join(span.trim_end_matches('/')).exists(), "{name} names {span}, which does not exist");
            named += 1;
        }
    }
    assert!(named >= 40, "only {named} files are named in the documents");
}

/// Every file with tests: Rust and Playwright.
fn test_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open: Vec<PathBuf> = ["src", "tests", "xtask/src", "build"].iter().map(|d| root().join(d)).collect();
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for path in entries.map(|e| e.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs" || e == "ts" || e == "js" || e == "mjs") {
                files.push(path);
            }
        }
    }
    files
}

#[test]
fn every_promise_names_tests_that_exist() {
    let text = document("docs/promises.md");
    let rows: Vec<&str> = text.lines().filter(|l| l.starts_with("| ") && !l.contains("---")).skip(1).collect();
    assert_eq!(rows.len(), 8, "design chapter 1 has eight promises");
    let sources: Vec<String> = test_files().iter().filter_map(|f| fs::read_to_string(f).ok()).collect();
    for row in rows {
        let tests = row.rsplit('|').nth(1).unwrap();
        let names = code_spans(tests);
        assert!(!names.is_empty(), "no test stands for: {row}");
        for name in names {
            let rust = format!("fn {name}(");
            let browser = [format!("test('{name}'"), format!("test(\"{name}\"")];
            let exists = sources.iter().any(|s| s.contains(&rust) || browser.iter().any(|b| s.contains(b)));
            assert!(exists, "docs/promises.md names the test {name}, which does not exist");
        }
    }
}

#[test]
fn the_catalogue_of_gates_is_current() {
    let made = etcd_upgrade_planner::gates::catalogue::markdown();
    let path = root().join("docs/gates.md");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let stands = fs::read_to_string(&path).unwrap_or_default();
    assert!(stands == made, "docs/gates.md is stale: UPDATE=1 cargo test --test docs writes it anew");
}
