//! The members matrix: what is known of each; what differs from most stands out.

use etcd_upgrade_planner::export::report::{FindingOut, MemberOut, Report};
use etcd_upgrade_planner::export::words::size;
use leptos::prelude::*;

use crate::app::dom::list::digest;
use crate::app::dom::{El, el, svg, text};
use crate::app::state::State;
use crate::app::words;

/// What a cell says, and its state.
#[derive(Debug, PartialEq, Hash)]
struct Mark {
    class: &'static str,
    text: String,
}

/// The members matrix, once there is anything to judge.
pub fn members(parent: El) -> El {
    let state = expect_context::<State>();
    let key = move || {
        state.report(|r| {
            let flags: Vec<Mark> = r.members.iter().map(|m| flags(m, &r.findings)).collect();
            Some(digest(&(&r.members, flags)))
        })
    };
    parent.redraw(move || key().filter(|_| state.judging()), move || state.report(draw))
}

/// The columns that are drawn only when a member has something in them: else they say nothing of any.
fn is_drawn(title: &str, members: &[MemberOut]) -> bool {
    match title {
        "Storage" => members.iter().any(|m| m.storage_version.is_some()),
        "Backup" => members.iter().any(|m| m.backup.is_some()),
        _ => true,
    }
}

const TITLES: [&str; 10] =
    ["Member", "Version", "Storage", "Role", "DB / quota", "Behind", "Alarms", "Flags", "v2 store", "Backup"];

#[inline(never)]
fn draw(report: &Report) -> Vec<El> {
    let section = el("section").class("members").child(el("h2").text("Members"));
    if report.members.is_empty() {
        let words = "No member is known yet. The status of the endpoints or the member list shows them.";
        return vec![section.child(el("p").class("why").text(words))];
    }
    let titles: Vec<&str> = TITLES.into_iter().filter(|title| is_drawn(title, &report.members)).collect();
    let usual = Usual::of(&report.members);
    let rows = report.members.iter().map(|m| row(m, &titles, &usual, &report.findings));
    let heads = el("tr").children(titles.iter().map(|title| el("th").attr("scope", "col").text(title)));
    let table = el("table").child(el("thead").child(heads)).child(el("tbody").children(rows));
    let note = el("p").class("why").text(&note(report));
    vec![section.child(table).child(note)]
}

/// What most members have. What is otherwise stands out.
struct Usual {
    version: Option<String>,
    storage: Option<String>,
    quota: Option<u64>,
    flags: Option<usize>,
}

impl Usual {
    fn of(members: &[MemberOut]) -> Self {
        Self {
            version: most(members.iter().filter_map(|m| m.version.clone())),
            storage: most(members.iter().filter_map(|m| m.storage_version.clone())),
            quota: most(members.iter().filter_map(|m| m.quota)),
            flags: most(members.iter().filter_map(|m| m.flags)),
        }
    }
}

fn row(member: &MemberOut, titles: &[&str], usual: &Usual, findings: &[FindingOut]) -> El {
    let id = member.id.as_ref().filter(|id| !member.label.contains(id.as_str()));
    let endpoint = member.endpoint.as_ref().filter(|e| **e != member.label && id.is_none());
    let about = id.or(endpoint).map(|id| [text(" "), el("span").class("id").text(id)]);
    let name = el("th")
        .attr("scope", "row")
        .attr("translate", "no")
        .child(el("b").text(&member.label))
        .children(about.into_iter().flatten());
    let cell = |title: &&str| match *title {
        "Version" => version("Version", member.version.as_ref(), usual.version.as_ref()),
        "Storage" => version("Storage", member.storage_version.as_ref(), usual.storage.as_ref()),
        "Role" => cell("Role", role(member)),
        "DB / quota" => db(member, usual.quota),
        "Behind" => cell("Behind", behind(member, findings)),
        "Alarms" => cell("Alarms", alarms(member)),
        "Flags" => {
            otherwise(data("Flags"), flags(member, findings), member.flags.is_some() && member.flags != usual.flags)
        }
        "v2 store" => cell("v2 store", v2(member)),
        _ => cell("Backup", member.backup.clone().map_or_else(|| plain("–".to_owned()), plain)),
    };
    el("tr").child(name).children(titles.iter().skip(1).map(cell))
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

/// A cell whose value may be another than most members have: weight and sign tell, and a word for those who listen.
fn otherwise(cell: El, mark: Mark, differs: bool) -> El {
    if !differs {
        return cell.child(marked(mark));
    }
    let sign = el("span").attr("aria-hidden", "true").text("≠ ");
    cell.child(el("span").class("differs").child(sign).child(marked(mark)))
        .child(el("span").class("unseen").text(" differs"))
}

fn version(title: &str, version: Option<&String>, usual: Option<&String>) -> El {
    let cell = data(title).class("mono").attr("translate", "no");
    match version {
        Some(seen) => otherwise(cell, plain(seen.clone()), usual != Some(seen)),
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
        (_, Some(role)) if role == "leader" => Mark { class: "leader", text: role.clone() },
        (_, Some(role)) => plain(role.clone()),
        (_, None) => not_seen(),
    }
}

/// How far it is behind; the gate on lag says from where on it matters.
fn behind(member: &MemberOut, findings: &[FindingOut]) -> Mark {
    let Some(behind) = member.behind else { return not_seen() };
    let lags = |f: &FindingOut| {
        f.gate == "applied-index-lag"
            && (f.outcome == "blocked" || f.outcome == "warning")
            && f.member.as_ref().is_none_or(|m| *m == member.label)
    };
    if behind > 0 && findings.iter().any(lags) {
        return Mark { class: "state blocked", text: format!("✕ {behind}") };
    }
    plain(behind.to_string())
}

fn plain(text: String) -> Mark {
    Mark { class: "", text }
}

fn not_seen() -> Mark {
    Mark { class: "state unknown", text: "? not seen".to_owned() }
}

/// The database against its quota, in words and as a bar.
fn db(member: &MemberOut, usual: Option<u64>) -> El {
    let (Some(db), quota) = (member.db_size, member.quota) else { return cell("DB / quota", not_seen()) };
    let Some(quota) = quota else { return cell("DB / quota", plain(size(db))) };
    let full = db.saturating_mul(10) >= quota.saturating_mul(9);
    let words = format!("{} / {}", size(db), size(quota));
    let mark = if full { Mark { class: "state warning", text: format!("! {words}") } } else { plain(words) };
    let share = db.saturating_mul(BAR) / quota.max(1);
    let part = |class: &str, width: u64| {
        svg("rect").class(class).attr("width", &width.min(BAR).to_string()).attr("height", "4").attr("rx", "1")
    };
    let bar = svg("svg")
        .class(if full { "quota full" } else { "quota" })
        .attr("viewBox", &format!("0 0 {BAR} 4"))
        .attr("aria-hidden", "true")
        .child(part("all", BAR))
        // A sliver, so that a database is never nothing.
        .child(part("used", share.max(1)));
    otherwise(data("DB / quota"), mark, usual != Some(quota)).child(bar)
}

/// Width of the bar of a quota.
const BAR: u64 = 96;

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

/// The value most of them have. Between two of the same count, the one seen first.
fn most<T: PartialEq>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut counts: Vec<(T, usize)> = Vec::new();
    for value in values {
        match counts.iter_mut().find(|(seen, _)| *seen == value) {
            Some((_, count)) => *count += 1,
            None => counts.push((value, 1)),
        }
    }
    let mut best: Option<(T, usize)> = None;
    for (value, count) in counts {
        if best.as_ref().is_none_or(|(_, most)| count > *most) {
            best = Some((value, count));
        }
    }
    best.map(|(value, _)| value)
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
    fn the_usual_value_is_the_one_most_members_have() {
        let members = [member("m1", "3.5.31"), member("m2", "3.5.33"), member("m3", "3.5.33")];
        assert_eq!(Usual::of(&members).version.as_deref(), Some("3.5.33"));
        assert_eq!(Usual::of(&members[..2]).version.as_deref(), Some("3.5.31"), "a tie: as seen first");
        assert_eq!(Usual::of(&[MemberOut::default()]).version, None);
    }

    #[wasm_bindgen_test]
    fn a_database_near_its_quota_is_told_by_a_word_and_not_by_its_bar_alone() {
        let near = MemberOut { db_size: Some(9), quota: Some(10), ..MemberOut::default() };
        let cell: web_sys::Element = db(&near, Some(10)).node();
        assert!(cell.text_content().unwrap().starts_with("! "));
        let with_another_quota: web_sys::Element = db(&near, Some(20)).node();
        assert!(with_another_quota.text_content().unwrap().ends_with("differs"));
    }

    #[wasm_bindgen_test]
    fn alarms_nobody_looked_at_are_not_none() {
        assert_eq!(alarms(&member("m1", "3.5.33")), not_seen());
    }
}
