//! Clusters as a file: written by one browser, read by another. What a file says is believed by nobody: names are cut,
//! numbers are given anew, and what does not fit is asked for again.

use etcd_upgrade_planner::export::fields;
use serde::Serialize;

use super::kept::Kept;

/// Tells such a file from others.
const FORMAT: &str = "etcd-upgrade-planner-clusters";
/// The form this page writes; it reads this and older ones.
const VERSION: u32 = 1;
/// The most a file may have, in bytes. A browser keeps a fraction of it.
pub const LIMIT: usize = 32 << 20;
/// The most clusters and pastes of a file: more were made to stall the page.
pub const MOST: usize = 500;
/// The longest name.
pub const LONGEST_NAME: usize = 80;

#[derive(Serialize)]
struct ClusterFile {
    format: String,
    version: u32,
    clusters: Vec<Kept>,
}

impl ClusterFile {
    fn of(json: &str) -> Result<Self, String> {
        let of = &fields::object(json)?;
        let mut clusters = Vec::new();
        for cluster in fields::list(of, "clusters")? {
            clusters.push(Kept::of(cluster)?);
        }
        let version = fields::number(of, "version")?.map_or(VERSION, |n| u32::try_from(n).unwrap_or(u32::MAX));
        Ok(Self { format: fields::text(of, "format")?, version, clusters })
    }
}

/// Writes clusters, with the texts in them.
// Never inlined, as reading: both wait in the second part of the page.
#[inline(never)]
pub fn write(mut clusters: Vec<Kept>) -> String {
    clusters.iter_mut().for_each(|cluster| cluster.trail.clear());
    let file = ClusterFile { format: FORMAT.to_owned(), version: VERSION, clusters };
    serde_json::to_string_pretty(&file).unwrap_or_default()
}

/// Is this such a file, by its start?
pub fn is_one(text: &str) -> bool {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let head: String = start.chars().take(200).collect();
    head.starts_with('{') && head.contains(FORMAT)
}

/// Reads clusters. Names are fit to be shown.
///
/// # Errors
/// What is wrong with it and what to do, in words for the person.
#[inline(never)]
pub fn read(text: &str) -> Result<Vec<Kept>, String> {
    if !is_one(text) {
        return Err(
            "It is no file of clusters. Choose one that “save as a file” wrote; evidence goes into the box.".to_owned()
        );
    }
    let file = ClusterFile::of(text.trim_start_matches('\u{feff}'))
        .map_err(|e| format!("It is cut or changed: {e}. Save it again where it comes from."))?;
    if file.version > VERSION {
        return Err("A newer page wrote it. Open it with that page.".to_owned());
    }
    let pastes: usize = file.clusters.iter().map(|c| c.pastes.len()).sum();
    if file.clusters.is_empty() || file.format != FORMAT {
        return Err("There is no cluster in it.".to_owned());
    }
    if file.clusters.len() + pastes > MOST {
        return Err(format!("It holds more than {MOST} clusters and pastes. Save fewer clusters at a time."));
    }
    let clean = |mut cluster: Kept| {
        cluster.name = name(&cluster.name).unwrap_or_else(|| "imported".to_owned());
        for paste in &mut cluster.pastes {
            paste.name = name(&paste.name).unwrap_or_else(|| "paste".to_owned());
        }
        cluster
    };
    Ok(file.clusters.into_iter().map(clean).collect())
}

/// A name fit to be shown: on one line, of a length that leaves room for the rest. `None` when nothing is left.
pub fn name(given: &str) -> Option<String> {
    // Beside control characters, those that turn the direction of the text around the name.
    let shown = |c: &char| !c.is_control() && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let name: String = given.trim().chars().filter(shown).take(LONGEST_NAME).collect();
    let name = name.trim().to_owned();
    (!name.is_empty()).then_some(name)
}

/// The name, with a number when another cluster has it.
pub fn free_name(wanted: &str, taken: &[String]) -> String {
    let is_free = |name: &String| !taken.contains(name);
    let numbered = (2..).map(|n| format!("{wanted} {n}"));
    std::iter::once(wanted.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use etcd_upgrade_planner::export::record::StepRecord;

    use super::*;
    use crate::app::storage::kept::KeptPaste;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn what_is_written_is_read() {
        let paste =
            KeptPaste { id: 7, name: "a".to_owned(), text: Some("b\r\n\"c\"".to_owned()), ..KeptPaste::default() };
        let mut cluster = Kept { name: "prod".to_owned(), pastes: vec![paste], ..Kept::default() };
        let record = StepRecord { note: "é".to_owned(), ..StepRecord::default() };
        cluster.records.insert("step".to_owned(), record);
        let of_this_browser = Kept { trail: vec!["1f".to_owned()], ..cluster.clone() };
        let text = write(vec![of_this_browser, Kept { name: "test".to_owned(), ..Kept::default() }]);
        assert!(is_one(&text));
        let read = read(&text).unwrap();
        assert_eq!(read.first(), Some(&cluster));
        assert_eq!(read.len(), 2);
    }

    #[wasm_bindgen_test]
    fn what_is_none_is_said_to_be_none() {
        let start = format!("{{\"format\": \"{FORMAT}\"");
        for (text, says) in [
            ("ENDPOINT, ID".to_owned(), "no file of clusters"),
            ("{\"schema\": 1}".to_owned(), "no file of clusters"),
            (start.clone(), "cut or changed"),
            (format!("{start}, \"version\": 2, \"clusters\": [{{}}]}}"), "A newer page"),
            (format!("{start}, \"clusters\": []}}"), "no cluster"),
            (format!("{start}, \"clusters\": 7}}"), "cut or changed"),
            (format!("{start}, \"clusters\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000)), "cut or changed"),
            (format!("{start}, \"clusters\": [{}{{}}]}}", "{},".repeat(MOST)), "more than"),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }

    #[wasm_bindgen_test]
    fn keys_that_mean_something_to_a_script_are_keys_like_others() {
        let text = format!(
            "{{\"format\": \"{FORMAT}\", \"clusters\": [{{\"__proto__\": {{\"polluted\": 1}}, \"name\": \"a\\u202eb\\n{}\", \
             \"records\": {{\"__proto__\": {{\"done\": true}}}}}}]}}",
            "x".repeat(500)
        );
        let cluster = read(&text).unwrap().remove(0);
        assert!(cluster.name.starts_with("abx") && cluster.name.len() == LONGEST_NAME);
        assert!(cluster.records.get("__proto__").is_some_and(|r| r.done));
    }

    #[wasm_bindgen_test]
    fn a_name_that_is_taken_gets_a_number() {
        let taken = ["prod".to_owned(), "prod 2".to_owned()];
        assert_eq!(free_name("prod", &taken), "prod 3");
        assert_eq!(free_name("test", &taken), "test");
        assert_eq!(name(" \u{7}\n "), None);
    }
}
