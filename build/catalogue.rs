//! `src/gates/*.rs` → the catalogue of gates: what each file says of itself under its headings.

use super::data::packed::Packed;
use std::path::Path;

/// The headings, in the order of the fields they fill.
const HEADINGS: [&str; 5] = ["# Asks", "# Blocks when", "# Why", "# Remedy", "# Sources"];

/// The entries, one a gate file, by id: the id, then what [`sections`] finds.
pub fn entries(folder: &Path) -> std::io::Result<Packed> {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?.iter().map(|e| e.path()).collect();
    paths.sort();
    let mut entries = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path)?;
        let stem = path.file_stem().map(|s| s.to_string_lossy().replace('_', "-")).unwrap_or_default();
        entries.extend(sections(&text).map(|sections| (stem, sections)));
    }
    let mut out = Packed::default();
    out.list(&entries, |out, (id, sections)| {
        out.text(id);
        for section in sections {
            out.text(section);
        }
    });
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
