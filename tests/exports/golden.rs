//! Golden files: every format over every cluster.

use std::fs;

use etcd_upgrade_planner::export::document::Detail;
use etcd_upgrade_planner::export::{self, Format};

use crate::clusters::{ALL, root};

/// Formats with their files. Rich text is the body of the page, and the JSON is held by its schema besides.
const FORMATS: [(Format, &str); 7] = [
    (Format::Text, "txt"),
    (Format::Markdown, "md"),
    (Format::Jira, "jira.txt"),
    (Format::Html, "html"),
    (Format::ServiceNow, "servicenow.txt"),
    (Format::Csv, "csv"),
    (Format::Json, "json"),
];

#[test]
fn every_format_of_every_cluster_is_as_it_was() {
    let folder = root().join("tests/fixtures/exports/golden");
    let mut stale = Vec::new();
    for cluster in ALL {
        let report = cluster.report();
        let full = FORMATS.map(|(format, end)| (format, Detail::Full, end.to_owned()));
        let brief = [(Format::Text, Detail::Brief, "brief.txt".to_owned())];
        for (format, detail, end) in full.into_iter().chain(brief) {
            let made = export::write(&report, format, detail);
            let path = folder.join(format!("{}.{end}", cluster.name));
            if std::env::var_os("UPDATE").is_some() {
                fs::create_dir_all(&folder).unwrap();
                fs::write(&path, &made).unwrap();
            }
            if fs::read_to_string(&path).ok().as_deref() != Some(&made) {
                stale.push(path.file_name().unwrap().to_owned());
            }
        }
    }
    assert!(stale.is_empty(), "{stale:?} differ: UPDATE=1 cargo test --test exports writes them; read the diff");
}
