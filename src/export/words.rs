//! Phrases that several formats share: dates, places, sizes, ways back.

use crate::intent::IntentKind;

use super::record::StepRecord;
use super::report::bump::FactorOut;
use super::report::quorum::QuorumOut;
use super::report::{
    ChangeOut, FindingOut, IntentOut, KnownIssueOut, MemberOut, Report, WayOut, WaysBackOut, WindowOut,
};

/// Outcomes that need a person, most urgent first, with their sign and word.
pub const OPEN_OUTCOMES: [(&str, &str); 3] =
    [("blocked", "✕ Blocked"), ("cant-tell", "? Can't tell yet"), ("warning", "! Warning")];

/// Outcomes that need nobody and are not "passed".
pub const SILENT_OUTCOMES: [(&str, &str); 2] =
    [("not-looked-at", "Not looked at"), ("not-applicable", "Does not apply")];

/// The columns of the member table.
pub const MEMBER_HEADER: [&str; 7] = ["member", "version", "role", "db / quota", "behind", "alarms", "v2 store"];

/// The columns of the quorum table.
pub const QUORUM_HEADER: [&str; 6] = ["when", "voters", "started", "answer", "quorum", "may still fail"];

/// One row of the quorum table.
#[must_use]
pub fn quorum_row(row: &QuorumOut) -> [String; 6] {
    let spare = if row.holds { row.spare.to_string() } else { "no quorum".to_owned() };
    [
        row.when.clone(),
        row.voters.to_string(),
        row.started.to_string(),
        row.reachable.to_string(),
        row.quorum.to_string(),
        spare,
    ]
}

/// "Upgrade 3.5 → 3.6.16", as far as it is known.
#[must_use]
pub fn route(report: &Report) -> String {
    let intent = &report.intent;
    let wish = match IntentKind::from_id(&intent.kind) {
        Some(IntentKind::Health) => return "Health".to_owned(),
        Some(IntentKind::Restore) => return "Restore".to_owned(),
        Some(IntentKind::Members) => return member_change(intent),
        Some(IntentKind::Flags) => "Flags",
        Some(IntentKind::Downgrade) => "Downgrade",
        Some(IntentKind::Upgrade) | None => "Upgrade",
    };
    let mut stops: Vec<&str> = intent.from.iter().map(String::as_str).collect();
    match intent.hops.as_slice() {
        [] => stops.extend(intent.to.iter().map(String::as_str)),
        hops => stops.extend(hops.iter().map(|h| h.target.as_str())),
    }
    if stops.is_empty() {
        return wish.to_owned();
    }
    format!("{wish} {}", stops.join(" → "))
}

/// "Change of members: replace m2 by m4", as far as it is known.
fn member_change(intent: &IntentOut) -> String {
    let words = intent.change.as_ref().map_or_else(String::new, |change| format!(": {}", change.words));
    format!("Change of members{words}")
}

/// "rules 2026-11 of 2026-11-30, advice for 2026-11-30".
#[must_use]
pub fn dated(report: &Report) -> String {
    let day = report.date.get(..10).unwrap_or(&report.date);
    format!("rules {} of {}, advice for {day}", report.ruleset.version, report.ruleset.date)
}

/// "status.txt, lines 3–5".
#[must_use]
pub fn place(paste: &str, first: usize, last: usize) -> String {
    if first == last { format!("{paste}, line {first}") } else { format!("{paste}, lines {first}–{last}") }
}

/// One row of the member table; "?" where nothing was seen.
#[must_use]
pub fn member_row(m: &MemberOut) -> [String; 7] {
    let or_unseen = |text: Option<String>| text.unwrap_or_else(|| "?".to_owned());
    // Where two share a name, the label holds the id already.
    let id =
        m.id.as_ref().filter(|id| !m.label.contains(id.as_str())).map_or_else(String::new, |id| format!(" ({id})"));
    [
        format!("{}{id}", m.label),
        or_unseen(m.version.clone()),
        or_unseen(role(m)),
        match (m.db_size, m.quota) {
            (None, _) => "?".to_owned(),
            (Some(db), None) => size(db),
            (Some(db), Some(quota)) => format!("{} / {}", size(db), size(quota)),
        },
        or_unseen(m.behind.map(|n| n.to_string())),
        match (m.alarms.is_empty(), m.alarms_looked_at) {
            (false, _) => m.alarms.join(", "),
            (true, true) => "none".to_owned(),
            (true, false) => "?".to_owned(),
        },
        m.v2.as_deref().map_or("not checked", v2).to_owned(),
    ]
}

fn role(m: &MemberOut) -> Option<String> {
    if m.answers == Some(false) {
        let role = m.role.as_deref().map_or_else(String::new, |r| format!("{r}, "));
        return Some(format!("{role}no answer"));
    }
    m.role.clone()
}

/// What the v2 column says.
#[must_use]
pub fn v2(word: &str) -> &'static str {
    match word {
        "api-on" => "API on",
        "content" => "content found",
        "inconclusive" => "WAL not checked",
        "clean" => "clean",
        _ => "not checked",
    }
}

/// A size as etcd prints it: decimal units, two digits.
#[must_use]
pub fn size(bytes: u64) -> String {
    const UNITS: [(&str, u64); 4] =
        [("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)];
    for (unit, scale) in UNITS {
        if bytes >= scale {
            let tenths = bytes.saturating_mul(10) / scale;
            return if tenths >= 100 {
                format!("{} {unit}", tenths / 10)
            } else {
                format!("{}.{} {unit}", tenths / 10, tenths % 10)
            };
        }
    }
    format!("{bytes} B")
}

/// The gates that stand at an outcome, each once, in the report's order. A gate with a more urgent finding is not in it.
#[must_use]
pub fn gates_at<'a>(report: &'a Report, outcome: &str) -> Vec<&'a str> {
    let rank = |o: &str| {
        ["blocked", "cant-tell", "warning", "passed", "not-looked-at", "not-applicable"].iter().position(|r| *r == o)
    };
    let mut gates: Vec<&str> = Vec::new();
    for f in report.findings.iter().filter(|f| f.outcome == outcome) {
        let worse = report.findings.iter().any(|o| o.gate == f.gate && rank(&o.outcome) < rank(outcome));
        if !worse && !gates.contains(&f.gate.as_str()) {
            gates.push(&f.gate);
        }
    }
    gates
}

/// What gates that passed have to say beside it: worth knowing, nothing to decide.
pub fn notes(report: &Report) -> impl Iterator<Item = (&FindingOut, &str)> {
    let passed = report.findings.iter().filter(|f| f.outcome == "passed");
    passed.filter_map(|f| f.note.as_deref().map(|note| (f, note)))
}

/// What is missing in the commands: endpoints of https want certificate files.
#[must_use]
pub fn tls_hint(report: &Report) -> Option<&'static str> {
    let asked = report.asks.iter().map(|ask| &ask.command);
    let mut commands = asked.chain(report.checklist.iter().flat_map(|p| &p.steps).flat_map(|s| &s.commands));
    let bare = |c: &String| c.contains("etcdctl --endpoints=https://") && !c.contains("--cacert=");
    commands.any(bare).then_some(
        "The endpoints speak https and no certificate files are known: answer cacert, cert and key, and the commands carry \
         them.",
    )
}

/// A known issue: what is wrong, where, and what to do.
#[must_use]
pub fn known_issue(issue: &KnownIssueOut) -> String {
    let fixed = issue.fixed_in.as_ref().map_or_else(String::new, |version| format!(" Fixed in {version}."));
    format!("{}: {}{fixed} {}", issue.had_by, issue.title, issue.remedy)
}

/// " for m1 and m2"; empty when once is enough.
#[must_use]
pub fn for_members(members: &[String]) -> String {
    if members.is_empty() { String::new() } else { format!(" for {}", crate::gates::words::list(members)) }
}

/// The number and title of a step, by id.
#[must_use]
pub fn step(report: &Report, id: &str) -> Option<(usize, String)> {
    let steps = report.checklist.iter().flat_map(|p| &p.steps);
    steps.clone().find(|s| s.id == id).map(|s| (s.number, s.title.clone()))
}

/// When a window opens and shuts, one sentence.
#[must_use]
pub fn window(report: &Report, w: &WindowOut) -> String {
    let at = |id: &str| step(report, id).map_or_else(String::new, |(n, _)| format!(" (step {n})"));
    let opens =
        if w.open_now { "is open now".to_owned() } else { format!("opens with the first member{}", at(&w.opens_at)) };
    format!("{}: {opens}, shuts when {}{}", w.hop, w.shuts_when, at(&w.shuts_at))
}

/// Which ways back are open once a step is done: all three by word, each with its reason where the reason differs from
/// the step before. Without the step before, every reason is said.
#[must_use]
pub fn ways_back(ways: &WaysBackOut, before: Option<&WaysBackOut>) -> Vec<String> {
    let one = |name: &str, now: &WayOut, then: Option<&WayOut>| {
        let state = format!("{name} {}", if now.open { "open" } else { "shut" });
        if then == Some(now) { state } else { format!("{state}: {}", now.reason) }
    };
    vec![
        one("swap", &ways.swap, before.map(|b| &b.swap)),
        one("downgrade", &ways.downgrade, before.map(|b| &b.downgrade)),
        one("restore", &ways.restore, before.map(|b| &b.restore)),
    ]
}

/// The ways back in lines: what did not change since the step before stands together on the first.
#[must_use]
pub fn ways_back_lines(ways: &WaysBackOut, before: Option<&WaysBackOut>) -> Vec<String> {
    let (changed, same): (Vec<String>, Vec<String>) =
        ways_back(ways, before).into_iter().partition(|w| w.contains(": "));
    let same = (!same.is_empty()).then(|| format!("{} (as in the step before)", same.join(", ")));
    changed.into_iter().chain(same).collect()
}

/// What a newer paste changed: "m2: version 3.5.33 → 3.6.16".
#[must_use]
pub fn change(change: &ChangeOut) -> String {
    format!("{}: {} {} → {}", change.member, change.what, change.before, change.after)
}

/// Who did a step, and when: "done by Ann, 21:40". `None` when neither was written.
#[must_use]
pub fn record(record: &StepRecord) -> Option<String> {
    let done = match (record.done, record.owner.is_empty()) {
        (true, true) => "done".to_owned(),
        (true, false) => format!("done by {}", record.owner),
        (false, _) => record.owner.clone(),
    };
    let parts: Vec<&str> = [done.as_str(), record.time.as_str()].into_iter().filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// A factor of the revision bump with where it came from, or how to give it.
#[must_use]
pub fn factor(factor: &FactorOut) -> String {
    match (&factor.value, &factor.from) {
        (Some(value), Some(from)) => format!("{value} ({from})"),
        (Some(value), None) => value.clone(),
        (None, _) => format!("not known (answer {})", factor.answer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_as_etcdctl_prints_them() {
        let read = [0, 999, 24_576, 4_194_304, 2_147_483_648, 8_589_934_592].map(size);
        assert_eq!(read, ["0 B", "999 B", "24 kB", "4.1 MB", "2.1 GB", "8.5 GB"]);
    }

    #[test]
    fn a_row_names_the_id_once() {
        let named = |label: &str| {
            let id = Some("b26aceda033c826".to_owned());
            member_row(&MemberOut { label: label.to_owned(), id, ..MemberOut::default() })[0].clone()
        };
        assert_eq!(named("m1"), "m1 (b26aceda033c826)");
        assert_eq!(named("b26aceda033c826"), "b26aceda033c826");
        assert_eq!(named("m1 (b26aceda033c826)"), "m1 (b26aceda033c826)");
    }
}
