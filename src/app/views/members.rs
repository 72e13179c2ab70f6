//! The members matrix: what is known of each, and what differs.

use etcd_upgrade_planner::export::report::{FindingOut, MemberOut, Report};
use etcd_upgrade_planner::export::words::size;
use leptos::prelude::*;

use crate::app::dom::list::digest;
use crate::app::dom::{El, el, text};
use crate::app::state::State;
use crate::app::words;

/// What a cell says, and its state.
#[derive(Debug, PartialEq, Hash)]
struct Mark {
    class: &'static str,
    text: String,
}

/// The members matrix. Nothing is drawn while no member is known.
pub fn members(parent: El) -> El {
    let state = expect_context::<State>();
    let key = move || {
        state.report(|r| {
            let flags: Vec<Mark> = r.members.iter().map(|m| flags(m, &r.findings)).collect();
            (!r.members.is_empty()).then(|| digest(&(&r.members, flags)))
        })
    };
    parent.redraw(move || key().filter(|_| state.judging()), move || state.report(draw))
}

fn draw(report: &Report) -> Vec<El> {
    let with_storage = report.members.iter().any(|m| m.storage_version.is_some());
    let usual = usual_version(&report.members);
    let titles = ["Member", "Version", "Storage", "Role", "DB / quota", "Behind", "Alarms", "Flags", "v2 store"];
    let heads = titles.into_iter().filter(|t| with_storage || *t != "Storage");
    let rows = report.members.iter().map(|m| {
        let differs = m.version.is_some() && m.version != usual;
        row(m, differs, with_storage, flags(m, &report.findings))
    });
    let heads = el("tr").children(heads.map(|title| el("th").attr("scope", "col").text(title)));
    let table = el("table").child(el("thead").child(heads)).child(el("tbody").children(rows));
    let note = el("p").class("why").text(&note(report));
    vec![el("section").class("members").child(el("h2").text("Members")).child(table).child(note)]
}

fn row(member: &MemberOut, differs: bool, with_storage: bool, flags: Mark) -> El {
    let id = member.id.as_ref().filter(|id| **id != member.label);
    let endpoint = member.endpoint.as_ref().filter(|e| **e != member.label && id.is_none());
    let about = id.or(endpoint).map(|id| [text(" "), el("span").class("id").text(id)]);
    let name = el("th")
        .attr("scope", "row")
        .attr("translate", "no")
        .child(el("b").text(&member.label))
        .children(about.into_iter().flatten());
    let storage = member.storage_version.as_deref().unwrap_or("–");
    el("tr")
        .child(name)
        .child(version(member, differs))
        .children(with_storage.then(|| data("Storage").class("mono").attr("translate", "no").text(storage)))
        .child(cell("Role", role(member)))
        .child(cell("DB / quota", db(member)))
        .child(cell("Behind", member.behind.map_or_else(not_seen, |b| plain(b.to_string()))))
        .child(cell("Alarms", alarms(member)))
        .child(cell("Flags", flags))
        .child(cell("v2 store", v2(member)))
}

fn data(title: &str) -> El {
    el("td").attr("data-label", title)
}

fn cell(title: &str, mark: Mark) -> El {
    data(title).child(marked(mark))
}

fn marked(mark: Mark) -> El {
    let words = el("span").text(&mark.text);
    if mark.class.is_empty() { words } else { words.class(mark.class) }
}

fn version(member: &MemberOut, differs: bool) -> El {
    let cell = data("Version").class("mono").attr("translate", "no");
    match &member.version {
        Some(version) if differs => {
            cell.child(el("span").class("differs").text(version)).child(el("span").class("unseen").text(" differs"))
        }
        Some(version) => cell.child(el("span").text(version)),
        None => cell.child(marked(not_seen())),
    }
}

fn role(member: &MemberOut) -> Mark {
    match (member.answers, &member.role) {
        (Some(false), role) => Mark {
            class: "state blocked",
            text: format!("✕ no answer{}", role.as_ref().map(|r| format!(", {r}")).unwrap_or_default()),
        },
        (_, Some(role)) if role == "learner" || role == "unstarted" => {
            Mark { class: "state warning", text: format!("! {role}") }
        }
        (_, Some(role)) => plain(role.clone()),
        (_, None) => not_seen(),
    }
}

fn plain(text: String) -> Mark {
    Mark { class: "", text }
}

fn not_seen() -> Mark {
    Mark { class: "state unknown", text: "? not seen".to_owned() }
}

fn db(member: &MemberOut) -> Mark {
    match (member.db_size, member.quota) {
        (None, _) => not_seen(),
        (Some(db), None) => plain(size(db)),
        (Some(db), Some(quota)) => plain(format!("{} / {}", size(db), size(quota))),
    }
}

fn v2(member: &MemberOut) -> Mark {
    let (class, text) = match member.v2.as_deref() {
        Some("clean") => ("", "clean"),
        Some("content") => ("state blocked", "✕ content"),
        Some("api-on") => ("state blocked", "✕ API on"),
        Some("inconclusive") => ("state unknown", "? inconclusive"),
        _ => ("state unknown", "? not checked"),
    };
    Mark { class, text: text.to_owned() }
}

/// The version most members run. Between two of the same count, the one seen first.
fn usual_version(members: &[MemberOut]) -> Option<String> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for version in members.iter().filter_map(|m| m.version.as_deref()) {
        match counts.iter_mut().find(|(v, _)| *v == version) {
            Some((_, count)) => *count += 1,
            None => counts.push((version, 1)),
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max()?;
    counts.iter().find(|(_, count)| *count == most).map(|(version, _)| (*version).to_owned())
}

fn flags(member: &MemberOut, findings: &[FindingOut]) -> Mark {
    let stops = |f: &&FindingOut| f.outcome == "blocked" && f.gate.starts_with("flag-");
    let wrong = findings.iter().filter(stops).filter(|f| f.member.as_deref() == Some(member.label.as_str())).count();
    match member.flags {
        Some(read) if wrong > 0 => Mark { class: "state blocked", text: format!("✕ {wrong} of {read}") },
        Some(read) => plain(format!("{read} read")),
        None => not_seen(),
    }
}

fn alarms(member: &MemberOut) -> Mark {
    if !member.alarms.is_empty() {
        return Mark { class: "state blocked", text: format!("✕ {}", member.alarms.join(", ")) };
    }
    if member.alarms_looked_at { plain("none".to_owned()) } else { not_seen() }
}

/// What stands under the table: voters and how many may fail.
fn note(report: &Report) -> String {
    let members = &report.members;
    let learners = members.iter().filter(|m| m.role.as_deref() == Some("learner")).count();
    let voters = members.len() - learners;
    if voters == 0 {
        return String::new();
    }
    let spare = (voters - 1) / 2;
    let may_fail = match spare {
        0 => "none may fail".to_owned(),
        n => format!("{n} may fail"),
    };
    let mut parts = vec![format!("{} seen", words::count(voters, "voter", "voters")), may_fail];
    if learners > 0 {
        parts.insert(1, words::count(learners, "learner", "learners"));
    }
    format!("{}.", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn member(label: &str, version: &str) -> MemberOut {
        MemberOut { label: label.to_owned(), version: Some(version.to_owned()), ..MemberOut::default() }
    }

    #[wasm_bindgen_test]
    fn the_usual_version_is_the_one_most_members_run() {
        let members = [member("m1", "3.5.31"), member("m2", "3.5.33"), member("m3", "3.5.33")];
        assert_eq!(usual_version(&members).as_deref(), Some("3.5.33"));
        assert_eq!(usual_version(&members[..2]).as_deref(), Some("3.5.31"), "a tie: as seen first");
        assert_eq!(usual_version(&[MemberOut::default()]), None);
    }

    #[wasm_bindgen_test]
    fn alarms_nobody_looked_at_are_not_none() {
        assert_eq!(alarms(&member("m1", "3.5.33")), not_seen());
    }
}
