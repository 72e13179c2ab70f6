//! `src/gates/*.rs` → the catalogue of gates: what each file says of itself under its headings.

use std::path::Path;

/// The headings, in the order of the fields they fill.
const HEADINGS: [&str; 5] = ["# Asks", "# Blocks when", "# Why", "# Remedy", "# Sources"];

/// Rust for a list of entries, one a gate file, by id.
pub fn entries(folder: &Path) -> std::io::Result<String> {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?.iter().map(|e| e.path()).collect();
    paths.sort();
    let mut out = String::from("&[\n");
    for path in paths {
        let text = std::fs::read_to_string(&path)?;
        let stem = path.file_stem().map(|s| s.to_string_lossy().replace('_', "-")).unwrap_or_default();
        if let Some([question, asks, blocks_when, why, remedy, sources]) = sections(&text) {
            out.push_str(&format!(
                "Entry {{ gate: {stem:?}, question: {question:?}, asks: {asks:?}, blocks_when: {blocks_when:?}, \
                 why: {why:?}, remedy: {remedy:?}, sources: {sources:?} }},\n"
            ));
        }
    }
    out.push(']');
    Ok(out)
}

/// The first line and what stands under each heading, its lines joined; `None` for a file that is no gate.
fn sections(text: &str) -> Option<[String; 6]> {
    let doc = text.lines().take_while(|line| line.starts_with("//!")).map(|line| line.trim_start_matches("//!").trim());
    let mut parts: [String; 6] = Default::default();
    let mut at = 0;
    for line in doc {
        if let Some(heading) = HEADINGS.iter().position(|h| *h == line) {
            at = heading + 1;
            continue;
        }
        let part = parts.get_mut(at)?;
        let joint = if part.is_empty() || line.is_empty() {
            ""
        } else if line.starts_with("- ") {
            "\n"
        } else {
            " "
        };
        part.push_str(joint);
        part.push_str(line);
    }
    (at == HEADINGS.len()).then_some(parts)
}
