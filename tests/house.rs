//! The rules of the house that the compiler does not know: version numbers, flag names and links stand in `data/` only.
//!
//! `src/` is read as Rust tokens, so comments do not count; doc comments and what is compiled for tests only are left
//! out too.

#[path = "house/source.rs"]
mod source;
#[path = "house/words.rs"]
mod words;

use etcd_upgrade_planner::etcd::flags;
use source::Literal;

/// Everything of `src/` that ships and breaks a rule, one line each.
fn broken(rule: impl Fn(&Literal) -> Option<String>) -> Vec<String> {
    let mut broken = Vec::new();
    for file in source::shipped() {
        for literal in &file.literals {
            if let Some(word) = rule(literal) {
                broken.push(format!("{}:{}: {word} in {:?}", file.path, literal.line, literal.text));
            }
        }
    }
    broken
}

#[track_caller]
fn none(broken: &[String], instead: &str) {
    assert!(broken.is_empty(), "{instead}\n{}", broken.join("\n"));
}

#[test]
fn no_version_of_etcd_is_written_in_the_code() {
    let broken = broken(|literal| words::version(&literal.text).map(str::to_owned));
    none(&broken, "Take versions from crate::etcd (hops, features, numbers, releases):");
}

#[test]
fn no_version_of_etcd_is_built_from_figures_in_the_code() {
    let broken: Vec<String> = source::shipped()
        .iter()
        .flat_map(|file| file.built_versions.iter().map(|(line, text)| format!("{}:{line}: {text}", file.path)))
        .collect();
    none(&broken, "Take versions from crate::etcd (hops, features, numbers, releases):");
}

#[test]
fn no_server_flag_is_named_in_the_code() {
    let names: Vec<(&str, &str)> = flags::all().iter().map(|flag| (flag.name, flag.env)).collect();
    let broken = broken(|literal| words::flag(&literal.text, &names).map(str::to_owned));
    none(&broken, "Take flag names from crate::etcd::flags::name:");
}

#[test]
fn no_link_stands_in_the_code() {
    let broken = broken(|literal| words::link(&literal.text).map(str::to_owned));
    none(&broken, "Links belong into data/sources.toml; name the source's key:");
}

/// boot.js shows the theme before the wasm is there to ask for it.
#[test]
fn the_page_and_its_start_keep_the_theme_under_one_key() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let storage = std::fs::read_to_string(root.join("src/app/storage.rs")).unwrap();
    let prefix = storage.split("pub const PREFIX: &str = \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let boot = std::fs::read_to_string(root.join("public/boot.js")).unwrap();
    assert!(boot.contains(&format!("getItem('{prefix}/theme')")), "boot.js does not read {prefix}/theme");
}
