//! `cargo xtask new-gate ID`: the skeleton of a gate. It compiles, and `tests/gates.rs` fails until it is filled in.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// Folders of cases that every gate must have, with what a case file starts as.
const CASES: [(&str, &str); 3] = [
    (
        "fires",
        "# Pasted text lies beside this file, or under tests/fixtures and is named in `pastes`.\n# outcome = \"blocked\"\n# quote = \"the pasted words that it rests on\"\n",
    ),
    ("passes", "# outcome = \"passed\"\n"),
    ("no-evidence", "# outcome = \"cant-tell\", or \"not-looked-at\" for a gate that speaks on sight only\n"),
];

/// Makes the gate's file, its lines in the registry and its cases under `root`. Changes nothing unless all of it can
/// be made.
pub fn run(root: &Path, id: &str) -> Result<()> {
    ensure!(is_id(id), "`{id}` is no gate id: it names the fault, in small letters and figures with dashes between");
    let module = id.replace('-', "_");
    let registry = root.join("src/gates.rs");
    let file = root.join("src/gates").join(format!("{module}.rs"));
    let cases = root.join("tests/fixtures/gates").join(id);
    ensure!(!file.exists(), "{} is there already", file.display());
    ensure!(!cases.exists(), "{} is there already", cases.display());
    let text = fs::read_to_string(&registry).with_context(|| registry.display().to_string())?;
    let text = registered(&text, &module)?;

    fs::write(&file, include_str!("new_gate/gate.rs.txt").replace("{id}", id))?;
    fs::write(&registry, text)?;
    for (case, content) in CASES {
        fs::create_dir_all(cases.join(case))?;
        fs::write(cases.join(case).join("case.toml"), content)?;
    }
    println!(
        "src/gates/{module}.rs           the gate, to be written
src/gates.rs                    its place: `ALL` is ordered by urgency, move the line to where it belongs
tests/fixtures/gates/{id}/      three cases: what was pasted, what the gate must say
Then `cargo test --test gates` says what is missing."
    );
    Ok(())
}

/// Small letters, figures, single dashes between; starts with a letter.
fn is_id(id: &str) -> bool {
    id.starts_with(|c: char| c.is_ascii_lowercase())
        && id
            .split('-')
            .all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()))
}

/// The registry with the module among the gates, in their order, and the gate at the end of `ALL`.
fn registered(registry: &str, module: &str) -> Result<String> {
    let mut lines: Vec<String> = registry.lines().map(str::to_owned).collect();
    // The gates are the last run of `pub mod` lines; the modules that serve them stand in runs before.
    let last = lines.iter().rposition(|line| line.starts_with("pub mod ")).context("src/gates.rs has no `pub mod`")?;
    let first = lines[..last].iter().rposition(|line| !line.starts_with("pub mod ")).map_or(0, |line| line + 1);
    let new = format!("pub mod {module};");
    let at = first + lines[first..=last].iter().filter(|line| **line < new).count();
    lines.insert(at, new);

    let all = lines
        .iter()
        .position(|line| line.starts_with("pub static ALL"))
        .context("src/gates.rs has no `pub static ALL`")?;
    let end = lines[all..].iter().position(|line| line == "];").context("`ALL` in src/gates.rs has no end")?;
    lines.insert(all + end, format!("    &{module}::GATE,"));
    Ok(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    const REGISTRY: &str = "pub mod asks;\n#[cfg(test)]\npub(crate) mod testing;\npub mod words;\n\npub mod alarm_raised;\n\
                            pub mod no_leader;\n\npub static ALL: &[&Gate] = &[\n    &no_leader::GATE,\n    &alarm_raised::GATE,\n];\n";

    fn tree() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("src/gates")).unwrap();
        fs::write(root.path().join("src/gates.rs"), REGISTRY).unwrap();
        root
    }

    #[test]
    fn a_gate_is_one_file_two_lines_and_three_cases() {
        let root = tree();
        run(root.path(), "even-voters").unwrap();
        let gate = fs::read_to_string(root.path().join("src/gates/even_voters.rs")).unwrap();
        assert!(gate.contains("id: \"even-voters\",") && !gate.contains("{id}"), "{gate}");
        let registry = fs::read_to_string(root.path().join("src/gates.rs")).unwrap();
        assert!(registry.contains("pub mod alarm_raised;\npub mod even_voters;\npub mod no_leader;\n"), "{registry}");
        assert!(registry.ends_with("    &alarm_raised::GATE,\n    &even_voters::GATE,\n];\n"), "{registry}");
        for case in ["fires", "passes", "no-evidence"] {
            assert!(root.path().join("tests/fixtures/gates/even-voters").join(case).join("case.toml").is_file());
        }
    }

    #[test]
    fn the_first_and_the_last_by_name_find_their_place() {
        assert!(registered(REGISTRY, "aa").unwrap().contains("words;\n\npub mod aa;\npub mod alarm_raised;\n"));
        assert!(registered(REGISTRY, "zz").unwrap().contains("pub mod no_leader;\npub mod zz;\n\n"));
    }

    #[test]
    fn the_registry_of_this_project_takes_a_gate() {
        let registry = fs::read_to_string(workspace::root().join("src/gates.rs")).unwrap();
        let with = registered(&registry, "zzz").unwrap();
        assert_eq!(with.lines().count(), registry.lines().count() + 2);
        assert!(with.contains("    &zzz::GATE,\n];\n"));
    }

    #[test]
    fn what_is_there_is_never_overwritten() {
        let root = tree();
        run(root.path(), "even-voters").unwrap();
        let before = fs::read_to_string(root.path().join("src/gates.rs")).unwrap();
        assert!(run(root.path(), "even-voters").unwrap_err().to_string().contains("is there already"));
        assert_eq!(fs::read_to_string(root.path().join("src/gates.rs")).unwrap(), before);
    }

    #[test]
    fn an_id_is_words_with_dashes() {
        for id in ["v2-entries-before-37", "no-leader"] {
            assert!(is_id(id), "{id}");
        }
        for id in ["", "-a", "a-", "a--b", "a_b", "A", "../x", "3a", "a b"] {
            assert!(!is_id(id), "{id}");
        }
    }
}
