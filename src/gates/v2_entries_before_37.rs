//! Did every member take a disk snapshot after its last entry in the v2 format?
//!
//! # Asks
//! Whether each member that still has to be rolled has a disk snapshot (`member/snap/<term>-<index>.snap`) taken after
//! the cluster version became the minor it runs now. Any one of these answers it, for one member or all:
//! - the cluster was created on today's minor and never went back;
//! - the newest disk snapshot is younger than the moment the last member reached today's minor;
//! - its index is not below a raft index at which a member already showed today's minor as storage version.
//!
//! # Blocks when
//! The newest disk snapshot is older than that moment, there is none, or a log shows the panic.
//!
//! # Why
//! Members of the minor before write their attributes and the cluster version in the v2 format. The new minor has no v2
//! format at all: it panics on the first such entry that lies after a member's last disk snapshot. A quiet cluster that
//! came up quickly takes no disk snapshot by itself, so all members are hit, one after another. No document of etcd says
//! so. A downgrade to the minor before and back brings such entries again.
//!
//! # Remedy
//! On each member: restart with a snapshot count of 1, write a few keys until a new .snap file appears, restart with the
//! old setting. On a route over both hops the plan has this as a step of its own.
//!
//! # Sources
//! - seen-v2-37: three members that panic, the cure, and what is not affected.

use time::{Date, Duration, Month, OffsetDateTime, Time};

use super::question::{Question, seen};
use super::{Ask, Asked, FOR_UPGRADE, Finding, Gate, Ground, Group, asks, words};
use crate::cluster::Member;
use crate::etcd::flags::name;
use crate::etcd::log_messages::Effect;
use crate::etcd::sources::key;
use crate::etcd::version::Minor;
use crate::evidence::answers::{AnswerKey, start_of};
use crate::evidence::fact::{DiskSnapshot, ListedTime, Seen, Span};
use crate::intent::Hop;

/// The gate.
pub static GATE: Gate = Gate {
    id: "v2-entries-before-37",
    group: Group::V2Store,
    sources: &[key::SEEN_V2_37],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE,
    need: |q| q.on_hops(|rules| rules.needs_disk_snapshot),
    check,
};

/// The widest a clock on a wall can stand from UTC: what a listing without a zone may be off by.
const NO_ZONE: Duration = Duration::hours(14);

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some(hop) = q.hop() else { return Vec::new() };
    if let Some(finding) = panicked(q, hop) {
        return vec![finding];
    }
    if !q.first {
        let plan = format!(
            "The plan takes a disk snapshot on every member as a step of its own, once the cluster version is {}.",
            hop.from
        );
        return vec![Finding::cant_tell(plan, asks::disk_snapshots(q, &[]))];
    }
    let to_roll = q.to_roll();
    if to_roll.is_empty() && !q.cluster.members.is_empty() {
        let statement = format!("Every member already runs {}.", hop.to);
        let spans = q.cluster.members.iter().filter_map(|m| m.version().map(|(_, span)| span));
        return vec![Finding::passed(statement, seen(spans))];
    }
    let went_back = went_back(q);
    if went_back.is_empty() && q.answers.minor(AnswerKey::BornOn).is_some_and(|born| born == hop.from) {
        let statement = format!("The cluster was created on {}, so it holds no entry in the v2 format.", hop.from);
        let note = format!("This holds only if the cluster never went back to an older minor than {} since.", hop.from);
        return vec![Finding::passed(statement, vec![Ground::Answered(AnswerKey::BornOn)]).with_note(note)];
    }
    let flip = if went_back.is_empty() { index_after_flip(q, hop.from) } else { None };
    let since = Since::answered(q);
    let judged: Vec<(usize, Judged<'_>)> = to_roll
        .iter()
        .filter_map(|m| q.cluster.members.get(*m).map(|member| (*m, judge(q, member, flip, since))))
        .collect();
    findings(q, hop, &judged, flip, since)
}

/// When the last member reached today's minor, as answered: not before, and not after.
#[derive(Clone, Copy)]
struct Since {
    earliest: OffsetDateTime,
    latest: OffsetDateTime,
    /// Is it a bare date? Then it and the listing are read on the same clock, the member's.
    bare: bool,
}

impl Since {
    fn answered(q: &Question<'_>) -> Option<Self> {
        let latest = q.answers.time(AnswerKey::MinorSince)?;
        let text = q.answers.get(AnswerKey::MinorSince)?;
        Some(Self { earliest: start_of(text)?, latest, bare: !text.contains(['T', 't', ' ']) })
    }
}

/// How one member stands.
enum Judged<'a> {
    /// A disk snapshot after the last entry in the v2 format, and why that is known.
    Fine(&'a Span),
    /// No such disk snapshot.
    Missing(&'a Span, String),
    /// Not known: what was seen, if anything, and what is open.
    Open(Option<&'a Span>, String),
}

fn judge<'a>(q: &Question<'a>, member: &'a Member, flip: Option<Flip<'a>>, since: Option<Since>) -> Judged<'a> {
    let Some(listing) = member.disk_snapshots.as_ref() else {
        return Judged::Open(None, "no listing of its disk snapshots".to_owned());
    };
    judge_listing(q, listing, flip, since)
}

/// What a listing says: its times first, then the index.
fn judge_listing<'a>(
    q: &Question<'_>,
    listing: &'a Seen<Vec<DiskSnapshot>>,
    flip: Option<Flip<'_>>,
    since: Option<Since>,
) -> Judged<'a> {
    let span = &listing.span;
    let Some(newest) = listing.value.iter().max_by_key(|s| (s.term, s.index)) else {
        // Entries of the minor before are replayed from the start of the WAL; whether there are any, since tells.
        return if since.is_some() {
            Judged::Missing(span, "has no disk snapshot".to_owned())
        } else {
            Judged::Open(Some(span), "no disk snapshot in its listing".to_owned())
        };
    };
    let by_time = since.and_then(|since| newest.modified.as_ref().map(|time| (since, time)));
    let by_time = by_time.and_then(|(since, time)| read_time(time, q.now).map(|(at, zoned)| (since, time, at, zoned)));
    let mut open = match (since, newest.modified.as_ref()) {
        (None, _) => "no moment to compare its disk snapshot with".to_owned(),
        (_, None) => "a listing without times".to_owned(),
        _ => "a time that can't be read".to_owned(),
    };
    if let Some((since, time, at, zoned)) = by_time {
        let slack = if zoned || since.bare { Duration::ZERO } else { NO_ZONE };
        if at - slack > since.latest {
            return Judged::Fine(span);
        }
        // An answer that contradicts the index below weighs more: the cluster may have gone back and come again.
        if at + slack < since.earliest {
            return Judged::Missing(
                span,
                format!("took its newest disk snapshot at {}, before the last member reached this minor", time.text),
            );
        }
        let zone = if slack > Duration::ZERO { ", and the listing names no time zone" } else { "" };
        open = format!("a disk snapshot of {} that is too close to tell{zone}", time.text);
    }
    if flip.is_some_and(|flip| newest.index >= flip.index) {
        return Judged::Fine(span);
    }
    Judged::Open(Some(span), open)
}

/// A raft index at which the cluster version was raised already.
#[derive(Clone, Copy)]
struct Flip<'a> {
    index: u64,
    span: &'a Span,
}

/// The lowest raft index at which a member shows today's minor as its storage version: storage follows the cluster
/// version, so that was raised before.
fn index_after_flip<'a>(q: &Question<'a>, minor: Minor) -> Option<Flip<'a>> {
    let rows = q.cluster.members.iter().filter_map(|m| m.status.as_ref());
    let raised = rows.filter(|s| s.value.storage_version.as_ref().is_some_and(|v| v.minor() >= minor));
    let indexed =
        raised.filter_map(|s| s.value.raft_index.max(s.value.raft_applied_index).map(|index| (index, &s.span)));
    indexed.min_by_key(|(index, _)| *index).map(|(index, span)| Flip { index, span })
}

fn findings(
    q: &Question<'_>,
    hop: Hop,
    judged: &[(usize, Judged<'_>)],
    flip: Option<Flip<'_>>,
    since: Option<Since>,
) -> Vec<Finding> {
    let mut missing: Vec<(usize, &Span, &str)> = Vec::new();
    let mut open: Vec<(usize, Option<&Span>, &str)> = Vec::new();
    let mut fine: Vec<&Span> = Vec::new();
    for (member, one) in judged {
        match one {
            Judged::Fine(span) => fine.push(span),
            Judged::Missing(span, why) => missing.push((*member, span, why)),
            Judged::Open(span, why) => open.push((*member, *span, why)),
        }
    }
    // Listings that name no member count for one each.
    let loose: Vec<Judged<'_>> = q.cluster.disk_snapshots.iter().map(|l| judge_listing(q, l, flip, since)).collect();
    let mut findings = Vec::new();
    let mut bad: Vec<&Span> = missing.iter().map(|(_, span, _)| *span).collect();
    bad.extend(loose.iter().filter_map(|l| if let Judged::Missing(span, _) = l { Some(*span) } else { None }));
    let fine_loose: Vec<&Span> =
        loose.iter().filter_map(|l| if let Judged::Fine(span) = l { Some(*span) } else { None }).collect();
    let open: Vec<_> = open.into_iter().skip(fine_loose.len()).collect();
    if !bad.is_empty() {
        let each: Vec<String> = missing.iter().map(|(m, _, why)| format!("{} {why}", q.label(*m))).collect();
        let who = if each.is_empty() { "A member took no disk snapshot since".to_owned() } else { words::list(&each) };
        let statement = format!("{who}: entries in the v2 format lie after it, and {} panics on them.", hop.to);
        let members: Vec<usize> = missing.iter().map(|(m, _, _)| *m).collect();
        let mut grounds = seen(bad);
        grounds.push(Ground::Answered(AnswerKey::MinorSince));
        findings.push(Finding::blocked(statement, grounds, remedy(hop)).about(&members));
    }
    if !open.is_empty() || q.cluster.members.is_empty() {
        findings.push(not_known(q, hop, &open, since));
    }
    if findings.is_empty() {
        let statement = format!("Every member took a disk snapshot after the cluster version became {}.", hop.from);
        let mut grounds = seen(fine.into_iter().chain(fine_loose).chain(flip.map(|f| f.span)));
        if since.is_some() {
            grounds.push(Ground::Answered(AnswerKey::MinorSince));
        }
        findings.push(Finding::passed(statement, grounds));
    }
    findings
}

fn not_known(q: &Question<'_>, hop: Hop, open: &[(usize, Option<&Span>, &str)], since: Option<Since>) -> Finding {
    let members: Vec<usize> = open.iter().map(|(m, _, _)| *m).collect();
    let each: Vec<String> = open.iter().map(|(m, _, why)| format!("{}: {why}", q.label(*m))).collect();
    let detail = if each.is_empty() { String::new() } else { format!(" ({})", each.join("; ")) };
    let statement = format!(
        "Whether every member took a disk snapshot after the cluster version became {} is not known{detail}.",
        hop.from
    );
    let mut asks = asks::disk_snapshots(q, &members);
    if since.is_none() {
        asks.push(Ask::Answer(AnswerKey::MinorSince));
    }
    if q.answers.get(AnswerKey::BornOn).is_none() {
        asks.push(Ask::Answer(AnswerKey::BornOn));
    }
    let grounds = seen(open.iter().filter_map(|(_, span, _)| *span));
    let note = format!(
        "Without it {} panics on entries that {} wrote. A restart with --{}=1 and a few writes takes one.",
        hop.to,
        hop.from.previous().map_or_else(|| "the minor before".to_owned(), |m| m.to_string()),
        name::SNAPSHOT_COUNT
    );
    Finding::cant_tell(statement, asks).with_grounds(grounds).with_note(note).about(&members)
}

fn remedy(hop: Hop) -> String {
    format!(
        "On each member: restart {} with --{}=1, write a few keys until a new file stands in member/snap, then restart \
         with the old setting. Entries in the v2 format then lie before the disk snapshot and are not replayed.",
        hop.from,
        name::SNAPSHOT_COUNT
    )
}

/// A log that shows the panic is the proof itself.
fn panicked(q: &Question<'_>, hop: Hop) -> Option<Finding> {
    let panics = q.logged(GATE.id, |effect| effect == Effect::Stops);
    let mut members: Vec<usize> = panics.iter().filter_map(|l| l.member).collect();
    members.dedup();
    let grounds = seen(panics.iter().map(|l| &l.seen.span));
    if grounds.is_empty() {
        return None;
    }
    let who = if members.is_empty() { "A member".to_owned() } else { q.names(&members) };
    let statement = format!("{who} panicked on an entry in the v2 format when it started {}.", hop.to);
    let remedy = format!("Put the binary of {} back on it, which works. {}", hop.from, remedy(hop));
    Some(Finding::blocked(statement, grounds, remedy).about(&members))
}

/// What shows that the cluster was taken down a minor: entries in the v2 format may have come again.
fn went_back<'a>(q: &Question<'a>) -> Vec<&'a Span> {
    let enabled = q.cluster.downgrades.iter().filter(|d| d.value.action == "enable" && d.value.ok);
    enabled.map(|d| &d.span).collect()
}

/// A time of a listing, and whether it names its zone. `ls` leaves the year out of the last six months: then it is the
/// latest year that does not lie ahead of the date of this advice by more than a day.
fn read_time(time: &ListedTime, now: OffsetDateTime) -> Option<(OffsetDateTime, bool)> {
    if let Some(unix) = time.unix {
        return OffsetDateTime::from_unix_timestamp(unix).ok().map(|at| (at, names_zone(&time.text)));
    }
    let words: Vec<&str> = time.text.split_whitespace().collect();
    let [first, second, clock] = words.as_slice() else { return None };
    let (month, day) = month(first).map(|m| (m, *second)).or_else(|| month(second).map(|m| (m, *first)))?;
    let (hour, minute) = clock.split_once(':')?;
    let day: u8 = day.trim_end_matches(['.', ',']).parse().ok()?;
    let clock = Time::from_hms(hour.parse().ok()?, minute.parse().ok()?, 0).ok()?;
    let of_year = |year: i32| Date::from_calendar_date(year, month, day).ok().map(|d| d.with_time(clock).assume_utc());
    let latest = now + Duration::DAY;
    (latest.year() - 1..=latest.year()).rev().filter_map(of_year).find(|at| *at <= latest).map(|at| (at, false))
}

fn month(word: &str) -> Option<Month> {
    const MONTHS: [(&str, Month); 12] = [
        ("jan", Month::January),
        ("feb", Month::February),
        ("mar", Month::March),
        ("apr", Month::April),
        ("may", Month::May),
        ("jun", Month::June),
        ("jul", Month::July),
        ("aug", Month::August),
        ("sep", Month::September),
        ("oct", Month::October),
        ("nov", Month::November),
        ("dec", Month::December),
    ];
    let word = word.to_ascii_lowercase();
    MONTHS.iter().find(|(name, _)| *name == word).map(|(_, month)| *month)
}

/// Does the printed time name its zone: `… +0000`, `…Z`?
fn names_zone(text: &str) -> bool {
    let last = text.split_whitespace().last().unwrap_or("");
    let offset = last
        .strip_prefix(['+', '-'])
        .is_some_and(|d| d.len() >= 4 && d.bytes().all(|b| b.is_ascii_digit() || b == b':'));
    offset || last.ends_with('Z') || last == "UTC"
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;
    use crate::cluster::testing::{Build, three_members};
    use crate::evidence::fact::{Body, LogEvent};
    use crate::gates::Outcome;
    use crate::gates::testing::{asked, only, outcomes};

    /// One disk snapshot, listed with this time.
    fn at(index: u64, text: &str, unix: Option<i64>) -> Vec<DiskSnapshot> {
        vec![DiskSnapshot { term: 4, index, modified: Some(ListedTime { text: text.to_owned(), unix }) }]
    }

    /// All members with one disk snapshot, listed by `ls -l`.
    fn listed(text: &str) -> Build {
        let mut cluster = three_members("3.6.16");
        for name in ["m1", "m2", "m3"] {
            cluster = cluster.disk_snapshots(name, at(100, text, None));
        }
        cluster
    }

    #[test]
    fn a_time_without_a_zone_is_taken_for_fourteen_hours_either_way() {
        for (listing, since, outcome) in [
            ("Nov 30 09:00", "2026-11-29T12:00:00Z", Outcome::Passed),
            ("Nov 30 09:00", "2026-11-30T08:00:00Z", Outcome::CantTell),
            ("Nov 29 09:00", "2026-11-30T08:00:00Z", Outcome::Blocked),
            // A bare date and a listing are read on one clock; the date counts to its end.
            ("Nov 30 09:00", "2026-11-29", Outcome::Passed),
            ("Nov 29 09:00", "2026-11-29", Outcome::CantTell),
            ("Nov 28 09:00", "2026-11-29", Outcome::Blocked),
        ] {
            let answer = format!("minor-since={since}");
            assert_eq!(outcomes(&GATE, &listed(listing), "3.7", &[&answer]), [outcome], "{listing}, {since}");
        }
    }

    #[test]
    fn a_listing_without_a_year_is_of_the_last_twelve_months() {
        let now = datetime!(2026-01-10 12:00 UTC);
        let read = |text: &str| read_time(&ListedTime { text: text.to_owned(), unix: None }, now).map(|(at, _)| at);
        assert_eq!(read("Jan 10 09:00"), Some(datetime!(2026-01-10 09:00 UTC)));
        assert_eq!(read("Dec 24 18:30"), Some(datetime!(2025-12-24 18:30 UTC)));
        assert_eq!(read("24. Dez 18:30"), None);
        assert_eq!(read("Feb 30 18:30"), None);
        assert!(names_zone("2026-11-30 11:52:15.703199000 +0000") && !names_zone("Nov 30 11:52"));
    }

    #[test]
    fn an_index_not_below_one_at_which_storage_had_followed_proves_it() {
        let at_index = |index: u64| {
            let mut cluster = three_members("3.6.16").storage_version("3.6.0");
            for name in ["m1", "m2", "m3"] {
                cluster = cluster.disk_snapshots(name, at(index, "Nov 30 09:00", None));
            }
            cluster
        };
        assert_eq!(outcomes(&GATE, &at_index(120_000), "3.7", &[]), [Outcome::Passed]);
        assert_eq!(outcomes(&GATE, &at_index(119_999), "3.7", &[]), [Outcome::CantTell]);
        // Storage that still shows the minor before proves nothing.
        let lagging = at_index(120_000).storage_version("3.5.0");
        assert_eq!(outcomes(&GATE, &lagging, "3.7", &[]), [Outcome::CantTell]);
    }

    #[test]
    fn a_birth_on_this_minor_answers_for_all_unless_the_cluster_went_back() {
        let cluster = three_members("3.6.16");
        assert_eq!(outcomes(&GATE, &cluster, "3.7", &["born-on=3.6"]), [Outcome::Passed]);
        assert_eq!(outcomes(&GATE, &cluster, "3.7", &["born-on=3.5"]), [Outcome::CantTell]);
        // Created on a newer minor than it runs: it went back, or the answer is wrong.
        assert_eq!(outcomes(&GATE, &cluster, "3.7", &["born-on=3.7"]), [Outcome::CantTell]);
        let back = cluster.downgrade("enable", true);
        assert_eq!(outcomes(&GATE, &back, "3.7", &["born-on=3.6"]), [Outcome::CantTell]);
    }

    #[test]
    fn the_members_that_were_not_listed_are_asked_for() {
        let some = three_members("3.6.16").disk_snapshots("m1", at(100, "Nov 30 09:00", None));
        let finding = only(&GATE, &some, "3.7", &["minor-since=2026-11-01"]);
        assert_eq!(finding.outcome, Outcome::CantTell);
        assert!(finding.statement.contains("m2: no listing") && !finding.statement.contains("m1:"));
        let none = listed("Nov 30 09:00").disk_snapshots("m3", Vec::new());
        assert_eq!(outcomes(&GATE, &none, "3.7", &["minor-since=2026-11-01"]), [Outcome::Blocked]);
    }

    #[test]
    fn on_a_route_over_both_hops_the_plan_takes_it() {
        let findings = asked(&GATE, &three_members("3.5.33"), "3.7", &[]);
        assert_eq!(findings.iter().map(|f| f.outcome).collect::<Vec<_>>(), [Outcome::NotLookedAt]);
        assert!(findings[0].note.as_ref().is_some_and(|n| n.contains("step of its own")));
    }

    #[test]
    fn the_panic_in_a_log_proves_it() {
        let text = "panic: unmarshal should never fail (proto: cannot parse invalid wire-format data)".to_owned();
        let event = LogEvent { message: "", version: None, member: None, text };
        let hit = three_members("3.6.16").fact(Body::Log(event));
        assert_eq!(outcomes(&GATE, &hit, "3.7", &["born-on=3.6"]), [Outcome::Blocked]);
    }
}
