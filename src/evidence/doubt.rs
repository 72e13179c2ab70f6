//! Output that looks like etcd's and can't be taken at its word: tables of other tools, tables that were trimmed by hand
//! or cut, examples out of documents. It becomes a [`Doubt`], and is asked for again.
//!
//! What can be read of it is read all the same: a fault it shows is a fault. A later, whole output of the same kind makes
//! up for it.

use super::clean::Line;
use super::detect::Place;
use super::fact::{Body, Distrust, Doubt, Fact, Kind};
use super::json::{self, Document};
use super::table::{self, Row, Table};
use crate::etcd::version::Version;

/// The columns of one kind, as each generation of tools prints them.
struct Columns {
    kind: Kind,
    sets: &'static [&'static str],
}

/// etcdctl's tables, of each minor that changed them.
const COLUMNS: &[Columns] = &[
    Columns {
        kind: Kind::EndpointStatus,
        sets: &[
            "ENDPOINT|ID|VERSION|DB SIZE|IS LEADER|RAFT TERM|RAFT INDEX",
            "ENDPOINT|ID|VERSION|DB SIZE|IS LEADER|IS LEARNER|RAFT TERM|RAFT INDEX|RAFT APPLIED INDEX|ERRORS",
            "ENDPOINT|ID|VERSION|STORAGE VERSION|DB SIZE|IN USE|PERCENTAGE NOT IN USE|QUOTA|IS LEADER|IS LEARNER|\
             RAFT TERM|RAFT INDEX|RAFT APPLIED INDEX|ERRORS|DOWNGRADE TARGET VERSION|DOWNGRADE ENABLED",
        ],
    },
    Columns {
        kind: Kind::MemberList,
        sets: &["ID|STATUS|NAME|PEER ADDRS|CLIENT ADDRS", "ID|STATUS|NAME|PEER ADDRS|CLIENT ADDRS|IS LEARNER"],
    },
    Columns { kind: Kind::EndpointHealth, sets: &["ENDPOINT|HEALTH|TOOK|ERROR"] },
    Columns { kind: Kind::EndpointHashKv, sets: &["ENDPOINT|HASH", "ENDPOINT|HASH|HASH REVISION"] },
];

/// Columns that other tools have by chance only. With another of etcd's they make a table look like etcdctl's.
const TELLING: [&str; 14] = [
    "ENDPOINT",
    "ENDPOINTS",
    "DBSIZE",
    "ISLEADER",
    "ISLEARNER",
    "RAFTTERM",
    "RAFTINDEX",
    "RAFTAPPLIEDINDEX",
    "PEERADDRS",
    "PEERURLS",
    "CLIENTADDRS",
    "CLIENTURLS",
    "STORAGEVERSION",
    "MEMBERID",
];

/// Columns that many tools have.
const COMMON: [&str; 12] =
    ["ID", "NAME", "STATUS", "VERSION", "HEALTH", "HEALTHY", "TOOK", "ERROR", "ERRORS", "LEADER", "LEARNER", "HASH"];

/// A column's name as names are compared: without what wrapping may have put into it.
fn bare(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace() && *c != '_').flat_map(char::to_uppercase).collect()
}

/// The doubts about a table that was read as this kind: columns that no tool prints, columns that are gone, rows that
/// are cut.
#[must_use]
pub fn about_table(kind: Kind, table: &Table, place: &Place<'_>) -> Vec<Fact> {
    let Some(columns) = COLUMNS.iter().find(|c| c.kind == kind) else { return Vec::new() };
    // talosctl prints tables of its own.
    if table.column("NODE").is_some() {
        return Vec::new();
    }
    let shown: Vec<String> = table.header.iter().map(|h| bare(h)).collect();
    let has = |name: &str| shown.iter().any(|h| *h == bare(name));
    let all: Vec<String> = columns.sets.iter().flat_map(|set| set.split('|')).map(bare).collect();
    let doubt = |why, says: String, first, last| {
        place.fact(place.range(first, last), Body::Doubt(Doubt { why, kind: Some(kind), says }))
    };
    let (title, last) = (kind.title(), place.at + table.lines - 1);
    let strange = table.header.iter().filter(|h| !h.is_empty() && !all.contains(&bare(h)));
    let strange: Vec<&str> = strange.map(String::as_str).collect();
    if !strange.is_empty() {
        let says = format!("the table reads like {title}, but etcdctl prints no {}", spelled(&strange));
        return vec![doubt(Distrust::Foreign, says, place.at, last)];
    }
    let mut doubts = Vec::new();
    let missing = |set: &&str| set.split('|').filter(|n| !has(n)).count();
    let of_size = |set: &&&str| set.split('|').count() == shown.len();
    let nearest = columns.sets.iter().filter(of_size).chain(columns.sets).min_by_key(|set| missing(set));
    let missing: Vec<&str> = nearest.into_iter().flat_map(|set| set.split('|')).filter(|n| !has(n)).collect();
    if !missing.is_empty() {
        let says = format!("the {title} lacks the {}", spelled(&missing));
        doubts.push(doubt(Distrust::Incomplete, says, place.at, last));
    }
    if table.rows.is_empty() {
        doubts.push(doubt(Distrust::Incomplete, format!("the {title} has a header and no row"), place.at, last));
    }
    for row in &table.rows {
        if let Some(says) = misread(kind, table, row) {
            doubts.push(doubt(Distrust::Incomplete, says, row.first, row.last));
        }
    }
    // Without a frame, an empty last cell is gone with the blanks at the end of the line.
    let needed = shown.len() - usize::from(!table.framed);
    if let Some(row) = table.rows.iter().find(|row| row.cells.len() < needed) {
        let says = format!("a row of the {title} is cut: {} of {} cells are left", row.cells.len(), shown.len());
        doubts.push(doubt(Distrust::Incomplete, says, row.first, row.last));
    }
    doubts
}

/// What is wrong with a row whose id or version was misread or cut on the way: a letter that is no digit, a word.
fn misread(kind: Kind, table: &Table, row: &Row) -> Option<String> {
    let cell = |name: &str| table.cell(row, name).map(str::trim).filter(|c| !c.is_empty());
    let of = |what: &str, value: &str| {
        Some(format!("a row of the {} has the {what} \"{value}\", which is none", kind.title()))
    };
    match kind {
        Kind::EndpointStatus | Kind::MemberList => {
            if let Some(id) = cell("ID").filter(|id| json::hex_id(id).is_none()) {
                return of("id", id);
            }
            let version = cell("VERSION").filter(|v| kind == Kind::EndpointStatus && v.parse::<Version>().is_err());
            version.and_then(|version| of("version", version))
        }
        _ => None,
    }
}

/// How long health took in the examples of etcd's documents: no two runs take the same nanoseconds.
const SAMPLE_TIMES: [&str; 6] = ["2.118638ms", "3.631388ms", "2.157051ms", "3.345431ms", "3.767967ms", "3.112832ms"];

/// The doubt about a line of `endpoint health` that stands in etcd's documents.
#[must_use]
pub fn about_time(line: &str, place: &Place<'_>) -> Option<Fact> {
    let (_, took) = line.rsplit_once("took = ")?;
    SAMPLE_TIMES.contains(&took.trim()).then(|| {
        let says = format!("{} is the time in the example of etcd's documents", took.trim());
        place.fact(place.span(1), Body::Doubt(Doubt { why: Distrust::Sample, kind: Some(Kind::EndpointHealth), says }))
    })
}

/// `column VERSION`, `columns VERSION, ERRORS`
fn spelled(names: &[&str]) -> String {
    format!("column{} {}", if names.len() == 1 { "" } else { "s" }, names.join(", "))
}

/// The doubt about a row in the simple form whose end is gone.
#[must_use]
pub fn about_row(kind: Kind, place: &Place<'_>) -> Fact {
    let says = format!("a row of the {} is cut at its end", kind.title());
    place.fact(place.span(1), Body::Doubt(Doubt { why: Distrust::Incomplete, kind: Some(kind), says }))
}

/// The doubt about JSON of another product whose members look like etcd's.
#[must_use]
pub fn about_json(says: &str, document: &Document<'_>, place: &Place<'_>) -> Fact {
    let doubt = Doubt { why: Distrust::Foreign, kind: Some(Kind::MemberList), says: says.to_owned() };
    place.fact(place.span(document.lines), Body::Doubt(doubt))
}

/// The doubt about flags of a process line that the edge of a screen cut.
#[must_use]
pub fn about_cut_flags(place: &Place<'_>) -> Fact {
    let says = "the line of etcd's process is cut at the edge of the screen".to_owned();
    let kind = Some(Kind::ServerFlags);
    place.fact(place.span(1), Body::Doubt(Doubt { why: Distrust::Incomplete, kind, says }))
}

/// The doubt about a stretch that no reader took: the first line of it that looks like etcd's.
#[must_use]
pub fn about_unread(lines: &[Line<'_>], first: usize, place: &Place<'_>) -> Option<Fact> {
    lines.iter().enumerate().find_map(|(offset, line)| {
        let (why, kind, says) = foreign_table(lines, offset).or_else(|| piece(line.text.trim()))?;
        let last = if why == Distrust::Foreign { first + lines.len() - 1 } else { first + offset };
        Some(place.fact(place.range(first + offset, last), Body::Doubt(Doubt { why, kind, says })))
    })
}

type Doubted = (Distrust, Option<Kind>, String);

/// A table none of etcd's tools prints, with columns like theirs.
fn foreign_table(lines: &[Line<'_>], at: usize) -> Option<Doubted> {
    let text = lines.get(at)?.text.trim();
    let below = lines.get(at + 1)?.text.trim();
    let header = table::cells(text).or_else(|| table::spaced_cells(text))?;
    let is_row =
        |text: &str| table::is_border(text) || table::cells(text).or_else(|| table::spaced_cells(text)).is_some();
    let names: Vec<String> = header.iter().map(|h| bare(h)).collect();
    let telling = names.iter().filter(|n| TELLING.contains(&n.as_str())).count();
    let common = names.iter().filter(|n| COMMON.contains(&n.as_str())).count();
    if telling == 0 || telling + common < 2 || !is_row(below) {
        return None;
    }
    let shown: Vec<&str> = header.iter().map(String::as_str).filter(|h| !h.is_empty()).take(8).collect();
    // Columns that are all etcd's own are a table that was broken or cut.
    let own = |kind: &&Columns| {
        let all: Vec<String> = kind.sets.iter().flat_map(|set| set.split('|')).map(bare).collect();
        names.iter().all(|n| all.iter().any(|column| column.starts_with(n.as_str())))
    };
    if let Some(columns) = COLUMNS.iter().find(own) {
        let says = format!("of the {} there are only the {}", columns.kind.title(), spelled(&shown));
        return Some((Distrust::Incomplete, Some(columns.kind), says));
    }
    Some((Distrust::Foreign, None, format!("no tool of etcd's prints a table with the {}", spelled(&shown))))
}

/// A line that is a piece of an output of etcd's: a row without its table, the beginning of JSON, a row that was cut.
fn piece(text: &str) -> Option<Doubted> {
    let incomplete =
        |kind: Kind, what: &str| Some((Distrust::Incomplete, Some(kind), format!("{what} of {}", kind.title())));
    if text.starts_with(['{', '[']) {
        // The start of the line says which answer it is.
        let head: String = text.chars().take(200).filter(|c| !c.is_whitespace()).collect();
        let kind = if head.contains("\"Endpoint\":") {
            if head.contains("\"HashKV\":") { Kind::EndpointHashKv } else { Kind::EndpointStatus }
        } else if head.contains("{\"header\":{\"cluster_id\":") && text.contains("\"members\"") {
            Kind::MemberList
        } else {
            return None;
        };
        return incomplete(kind, "there is only a piece of the JSON");
    }
    if let Some(cells) = table::cells(text) {
        let kind = row_kind(&cells.iter().map(String::as_str).collect::<Vec<_>>())?;
        return incomplete(kind, "there are rows without their header in the table");
    }
    let columns: Vec<&str> = text.split(", ").take(4).map(str::trim).collect();
    let kind = row_kind(&columns)?;
    // A row of a member list is read with as few columns as an id and a status; what is left is broken.
    incomplete(kind, "a row is cut in the simple form")
}

/// Which rows these cells are of: they hold a member's id, and beside it what only a status or a member list shows.
fn row_kind(cells: &[&str]) -> Option<Kind> {
    let is_id = |cell: &&str| (12..=16).contains(&cell.len()) && json::hex_id(cell).is_some();
    let at = cells.iter().take(2).position(is_id)?;
    let next = cells.get(at + 1)?;
    if ["started", "unstarted"].contains(next) {
        return Some(Kind::MemberList);
    }
    let endpoint = at == 1 && cells.first().is_some_and(|c| c.contains(':') && !c.contains(' '));
    let version = next.parse::<Version>().is_ok() || next.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    (endpoint && version).then_some(Kind::EndpointStatus)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::paste::Paste;

    fn doubts(text: &str) -> Vec<(Distrust, Option<Kind>, String, usize)> {
        let facts = crate::evidence::read(&[Paste::new("paste", text)]).facts;
        let doubt = |fact: Fact| match fact.body {
            Body::Doubt(d) => Some((d.why, d.kind, d.says, fact.span.first_line)),
            _ => None,
        };
        facts.into_iter().filter_map(doubt).collect()
    }

    const STATUS: &str = include_str!("../../tests/fixtures/captures/healthy-3.5.33/02-endpoint-status-table.txt");

    #[test]
    fn whole_tables_are_not_doubted() {
        assert_eq!(doubts(STATUS), []);
        assert_eq!(doubts(&STATUS.to_lowercase().replace("raft applied index", "raft_applied_index")), []);
    }

    #[test]
    fn a_column_that_was_cut_out_and_one_that_was_put_in_are_named() {
        let without = |text: &str, column: usize| -> String {
            let row = |line: &str| {
                let cells: Vec<&str> = line.split('|').collect();
                let kept = cells.iter().enumerate().filter(|(at, _)| *at != column).map(|(_, c)| *c);
                kept.collect::<Vec<_>>().join("|") + "\n"
            };
            text.lines().filter(|l| !l.starts_with('$')).map(row).collect()
        };
        let (why, kind, says, _) = doubts(&without(STATUS, 3)).remove(0);
        assert_eq!((why, kind), (Distrust::Incomplete, Some(Kind::EndpointStatus)));
        assert_eq!(says, "the endpoint status lacks the column VERSION");
        let (why, _, says, _) = doubts(&STATUS.replace("VERSION", "RELEASE")).remove(0);
        assert_eq!(why, Distrust::Foreign);
        assert_eq!(says, "the table reads like endpoint status, but etcdctl prints no column RELEASE");
    }

    #[test]
    fn tables_of_other_tools_are_doubted_where_they_look_like_etcds() {
        let table = "| ENDPOINT | HEALTHY | VERSION |\n|---|---|---|\n| 10.0.0.1:2379 | true | 3.5.9 |\n";
        assert_eq!(doubts(table).len(), 1);
        let nodes = "NAME   STATUS   ROLES    AGE   VERSION\nm1     Ready    <none>   9d    v1.33.1\n";
        assert_eq!(doubts(nodes), []);
        assert_eq!(
            doubts("| Member | Host | Role | State |\n|---|---|---|---|\n| pg1 | 10.0.0.1 | Leader | running |\n"),
            []
        );
    }

    #[test]
    fn pieces_are_doubted_as_what_they_are_of() {
        for (text, kind) in [
            (
                "| 10.0.0.1:2379 | 8e9e05c52164694d | 3.5.33 | 25 kB | true | false | 2 | 31 | 31 | |\n",
                Kind::EndpointStatus,
            ),
            ("| 8e9e05c52164694d | started | m1 | http://10.0.0.1:2380 |\n", Kind::MemberList),
            ("10.0.0.1:2379, 8e9e05c52164694d, 3.5.\n", Kind::EndpointStatus),
            ("[{\"Endpoint\":\"10.0.0.1:2379\",\"Status\":{\"header\":{\"cluster_id\":42\n", Kind::EndpointStatus),
        ] {
            let found = doubts(text);
            assert_eq!(
                found.first().map(|(why, k, ..)| (*why, *k)),
                Some((Distrust::Incomplete, Some(kind))),
                "{text}"
            );
        }
        assert_eq!(doubts("some words, and more of them, in a row\n"), []);
    }

    #[test]
    fn a_row_that_lost_its_end_is_named() {
        let cut: String = STATUS
            .lines()
            .map(|l| if l.starts_with("| 1") { l[..90].to_owned() + "\n" } else { l.to_owned() + "\n" })
            .collect();
        let found = doubts(&cut);
        assert!(found.iter().any(|(_, _, says, line)| says.contains("cells are left") && *line > 3), "{found:?}");
    }
}
