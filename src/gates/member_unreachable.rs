//! Does every member answer?
//!
//! # Asks
//! Whether every member, learners included, answered `endpoint status` and `endpoint health`.
//!
//! # Blocks when
//! A member did not answer or is unhealthy; for a change of members that bears one more failing, or that removes it, this
//! warns. One that never started, and an answer that only asks for credentials, are
//! gates of their own.
//!
//! # Why
//! A roll stops one member at a time. With one down already the next stop can cost the quorum. A member that does not
//! answer also keeps the cluster version from rising, so the upgrade can't be finished.
//!
//! # Remedy
//! Heal or replace the member first, and wait until all members answer.
//!
//! # Sources
//! - upgrading: every member must be healthy before an upgrade and after each step.
//! - source-version-monitor: one member that does not answer holds the cluster version.
//! - seen-auth: answers without credentials.

use super::question::{Question, seen};
use super::{Asked, FOR_LIVE_CHANGES_AND_HEALTH, Finding, Gate, Group, asks, sight, words};
use crate::cluster::Member;
use crate::etcd::sources::key;
use crate::evidence::fact::Span;

/// The gate.
pub static GATE: Gate = Gate {
    id: "member-unreachable",
    group: Group::Health,
    sources: &[key::UPGRADING, key::SOURCE_VERSION_MONITOR, key::SEEN_AUTH],
    asked: Asked::Now,
    intents: FOR_LIVE_CHANGES_AND_HEALTH,
    need: |q| q.before_a_roll(),
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(down(q));
    findings.extend(no_answer_at_all(q));
    findings.extend(told_by_a_tool(q));
    let silent =
        q.indices(|m| fault(m).is_none() && !answered(m) && m.listed.as_ref().is_none_or(|row| row.value.started));
    if q.cluster.members.is_empty() && findings.is_empty() {
        findings.push(Finding::cant_tell("No member was shown to answer.", vec![asks::status(q), asks::health(q)]));
    } else if !silent.is_empty() {
        let statement =
            format!("Whether {} {} is not shown.", q.names(&silent), words::verb(silent.len(), "answers", "answer"));
        findings.push(Finding::cant_tell(statement, vec![asks::status(q)]).about(&silent));
    }
    if findings.is_empty() {
        let spans = q.cluster.members.iter().flat_map(answers_at);
        let started = q.indices(|m| m.listed.as_ref().is_none_or(|row| row.value.started)).len();
        let all = words::count(started, "member");
        let statement = if started == q.cluster.members.len() {
            format!("All {all} answer.")
        } else {
            format!("All {all} that have started answer.")
        };
        findings.push(Finding::passed(statement, seen(spans)));
    }
    findings
}

/// What is wrong with a member, in words, and where it stands.
struct Fault<'a> {
    words: String,
    span: &'a Span,
}

fn fault(member: &Member) -> Option<Fault<'_>> {
    if let Some(failed) = member.failed.as_ref().filter(|f| !sight::asks_for_credentials(&f.value.error)) {
        return Some(Fault { words: format!("did not answer ({})", failed.value.error), span: &failed.span });
    }
    if let Some(health) = member.health.as_ref().filter(|h| !h.value.healthy) {
        let error = health.value.error.as_deref().unwrap_or("");
        if !sight::asks_for_credentials(error) {
            let why = if error.is_empty() { String::new() } else { format!(" ({error})") };
            return Some(Fault { words: format!("is unhealthy{why}"), span: &health.span });
        }
    }
    let http = member.http_health.as_ref().filter(|h| !h.value.healthy)?;
    let why = http.value.reason.as_deref().filter(|r| !r.is_empty()).map_or_else(String::new, |r| format!(" ({r})"));
    Some(Fault { words: format!("says over HTTP that it is unhealthy{why}"), span: &http.span })
}

fn answered(member: &Member) -> bool {
    member.status.is_some()
        || member.health.as_ref().is_some_and(|h| h.value.healthy)
        || member.http_health.as_ref().is_some_and(|h| h.value.healthy)
        || sight::refusal_at(member).is_some()
}

fn answers_at(member: &Member) -> impl Iterator<Item = &Span> {
    let status = member.status.as_ref().map(|s| &s.span);
    let health = member.health.as_ref().map(|h| &h.span);
    [status, health, member.http_health.as_ref().map(|h| &h.span), sight::refusal_at(member)].into_iter().flatten()
}

/// Members that do not answer: one finding, since the roll waits for all of them.
fn down(q: &Question<'_>) -> Option<Finding> {
    let down = q.indices(|m| fault(m).is_some());
    let loose: Vec<(String, &Span)> = loose_faults(q);
    if down.is_empty() && loose.is_empty() {
        return None;
    }
    let faults: Vec<(usize, Fault<'_>)> =
        down.iter().filter_map(|m| q.cluster.members.get(*m).and_then(fault).map(|f| (*m, f))).collect();
    let mut each: Vec<String> = faults.iter().map(|(m, f)| format!("{} {}", q.label(*m), f.words)).collect();
    each.extend(loose.iter().map(|(text, _)| text.clone()));
    let spans = faults.iter().map(|(_, f)| f.span).chain(loose.iter().map(|(_, span)| *span));
    let remedy = format!(
        "Bring every member back, or remove and replace it, before anything is upgraded. {}A member that does not \
         answer also keeps the cluster version from rising.",
        margin(q, &down)
    );
    let statement = format!("{}.", words::list(&each));
    if q.changes_members() {
        let (warns, remedy) = in_a_change(q, &down, loose.len());
        let finding = if warns { Finding::warning } else { Finding::blocked };
        return Some(finding(statement, seen(spans), remedy).about(&down));
    }
    Some(Finding::blocked(statement, seen(spans), remedy).about(&down))
}

/// What a member that is down means to a change of members: the one that goes may be down, and one of five may.
fn in_a_change(q: &Question<'_>, down: &[usize], strangers: usize) -> (bool, String) {
    let course = q.course();
    let leaves = !down.is_empty() && strangers == 0 && course.is_open() && down.iter().all(|m| course.removes(*m));
    if leaves && course.now.holds() {
        return (true, format!("{}It is what the change removes: that comes first.", margin(q, down)));
    }
    let (voters, up) = (course.now.voters + strangers, course.now.reachable);
    let bears_more = up > voters / 2 + 1;
    let remedy = format!(
        "Bring it back, or remove it, before anything else is changed. {}While it is down and counts, etcd may refuse to add \
         a member.",
        margin(q, down)
    );
    (bears_more, remedy)
}

/// Endpoints that no member of the member list could be found for.
fn loose_faults<'a>(q: &Question<'a>) -> Vec<(String, &'a Span)> {
    let failed = q.cluster.failed.iter().filter(|f| !sight::asks_for_credentials(&f.value.error));
    let failed = failed.map(|f| (format!("{} did not answer ({})", f.value.endpoint, f.value.error), &f.span));
    let health = q.cluster.health.iter().filter(|h| !h.value.healthy);
    let health = health.filter(|h| !h.value.error.as_deref().is_some_and(sight::asks_for_credentials));
    failed.chain(health.map(|h| (format!("{} is unhealthy", h.value.endpoint), &h.span))).collect()
}

/// How many more members the cluster can lose, in words.
fn margin(q: &Question<'_>, down: &[usize]) -> String {
    let voters = q.cluster.voters().count();
    let is_down = |index: usize| down.contains(&index);
    let down = q.indices(|m| m.is_learner() != Some(true)).into_iter().filter(|m| is_down(*m)).count();
    let up = voters.saturating_sub(down);
    let quorum = q.cluster.quorum();
    let of = format!("{}, {up} {}", words::count(voters, "voter"), words::verb(up, "answers", "answer"));
    match up.checked_sub(quorum) {
        _ if voters == 0 => String::new(),
        None => format!("{of}: there is no quorum of {quorum}. "),
        Some(0) => format!("{of}: one more failure stops the cluster. "),
        Some(spare) => format!("{of}: the quorum of {quorum} bears {spare} more failing. "),
    }
}

/// A tool that will not go on because a member is unhealthy.
fn told_by_a_tool(q: &Question<'_>) -> Option<Finding> {
    let says_so = |text: &str| text.contains("etcd member") && text.contains("is not healthy");
    let error = q.cluster.tool_errors.iter().find(|e| says_so(&e.value.text))?;
    let remedy = "Bring that member back, or remove and replace it, before anything is upgraded, and paste endpoint status \
                  of all members.";
    Some(Finding::blocked(
        format!("A tool says: {}.", error.value.text.trim_end_matches('.')),
        seen([&error.span]),
        remedy,
    ))
}

/// `etcdctl` that reached nobody, where nobody else was shown to answer either.
fn no_answer_at_all(q: &Question<'_>) -> Option<Finding> {
    let known = q.cluster.members.iter().any(|m| answered(m) || fault(m).is_some());
    let reached_nobody = |text: &str| {
        ["context deadline exceeded", "connection refused", "no endpoints available"].iter().any(|e| text.contains(e))
    };
    let errors: Vec<_> = q.cluster.tool_errors.iter().filter(|e| reached_nobody(&e.value.text)).collect();
    if known || errors.is_empty() {
        return None;
    }
    let text = errors.first().map_or("", |e| e.value.text.as_str());
    let remedy = "Find out whether the members are up and the endpoints right, and bring every member back before \
                  anything is upgraded: without an answer there may be no quorum.";
    let grounds = seen(errors.iter().map(|e| &e.span));
    Some(Finding::blocked(format!("etcdctl reached no member ({text})."), grounds, remedy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{members, nothing, three_members};
    use crate::evidence::fact::{Body, EndpointFailed, ToolError};
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn the_margin_of_the_quorum_is_put_in_words() {
        let remedy = |cluster| only(&GATE, &cluster, "3.6", &[]).remedy.unwrap_or_default();
        let one_of_three = remedy(three_members("3.5.33").unreachable("m3"));
        assert!(one_of_three.contains("3 voters, 2 answer: one more failure stops the cluster."), "{one_of_three}");
        let one_of_five = remedy(members(5, "3.5.33").unreachable("m3"));
        assert!(one_of_five.contains("5 voters, 4 answer: the quorum of 3 bears 1 more failing."), "{one_of_five}");
        let two_of_three = remedy(three_members("3.5.33").unreachable("m3").unreachable("m2"));
        assert!(two_of_three.contains("3 voters, 1 answers: there is no quorum of 2."), "{two_of_three}");
    }

    #[test]
    fn an_unhealthy_member_is_unreachable_too_and_one_that_never_started_is_another_gates() {
        assert_eq!(outcomes(&GATE, &three_members("3.5.33").health("m2", false), "3.6", &[]), [Outcome::Blocked]);
        let unstarted = three_members("3.5.33").listed("m2", |row| row.started = false);
        assert_eq!(only(&GATE, &unstarted, "3.6", &[]).statement, "All 2 members that have started answer.");
    }

    #[test]
    fn a_member_that_wants_credentials_is_not_down() {
        let failed = EndpointFailed {
            endpoint: "https://10.0.0.3:2379".to_owned(),
            error: "etcdserver: user name is empty".to_owned(),
        };
        let refused = three_members("3.5.33").not_in_status("m3").fact(Body::EndpointFailed(failed));
        assert_eq!(outcomes(&GATE, &refused, "3.6", &[]), [Outcome::Passed]);
        let status = crate::gates::by_id("status-refused").unwrap();
        assert_eq!(outcomes(status, &refused, "3.6", &[]), [Outcome::CantTell]);
    }

    #[test]
    fn etcdctl_that_reached_nobody_is_an_answer_only_where_nobody_answered() {
        let error = || Body::ToolError(ToolError { text: "context deadline exceeded".to_owned() });
        assert_eq!(outcomes(&GATE, &nothing().fact(error()), "3.6", &[]), [Outcome::Blocked]);
        assert_eq!(outcomes(&GATE, &three_members("3.5.33").fact(error()), "3.6", &[]), [Outcome::Passed]);
    }
}
