//! Do health probes speak to the v2 API, or write v2 records?
//!
//! # Asks
//! Whether the probe of a container, or a `GET /health` that was pasted, asks a v2 path, or asks `/health` on the client
//! port of a member whose flags turn the v2 API on.
//!
//! # Blocks when
//! A probe asks a v2 path, or `/health` is asked while the v2 API is on.
//!
//! # Why
//! With the v2 API on, each `GET /health` on the client port leaves a v2 record in the WAL, without any v2 key; the first
//! member of the new minor panics on it, at start or live in the mixed cluster. A probe of a v2 path is answered with 404
//! by the new minor, so the member is restarted for ever.
//!
//! # Remedy
//! Turn the v2 API off on all members, let each write a disk snapshot and check the v2 store again. Let probes ask
//! `/health?exclude=NOSPACE&serializable=true`, or `/livez` and `/readyz` where every member has them.
//!
//! # Sources
//! - seen-v2-36: the records and the panic on real binaries.
//! - upgrade-3.6: the v2 API is gone.

use super::question::{Question, seen};
use super::{Asked, Cause, FOR_UPGRADE_AND_FLAGS, Finding, Gate, Group, sight, words};
use crate::cluster::endpoint::Endpoint;
use crate::cluster::settings;
use crate::etcd::flags::name;
use crate::etcd::sources::key;
use crate::evidence::fact::{FlagSet, Span};

/// The gate.
pub static GATE: Gate = Gate {
    id: "v2-health-probes",
    group: Group::V2Store,
    sources: &[key::SEEN_V2_36, key::UPGRADE_3_6],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE_AND_FLAGS,
    need: |q| q.on_sight_of_hops(|rules| rules.checks_v2_store),
    check,
};

/// Where the health of a member is asked.
const HEALTH: &str = "/health";
/// Where every path of the v2 API begins.
const V2: &str = "/v2/";

fn check(q: &Question<'_>) -> Vec<Finding> {
    let to_roll = q.to_roll();
    let (mut of_v2, mut writing, mut fine): (Found<'_>, Found<'_>, Found<'_>) = Default::default();
    for flags in q.flags().into_iter().filter(|f| f.member.is_none_or(|m| to_roll.contains(&m))) {
        let set = &flags.seen.value;
        // Flags and probes of one member can stand in two texts.
        let of_member = flags.member.and_then(|m| q.cluster.members.get(m)).map(|m| &m.flags[..]).unwrap_or_default();
        let on = is_on(set) || of_member.iter().any(|seen| is_on(&seen.value));
        for probe in &set.probes {
            let found = if probe.value.contains(V2) {
                &mut of_v2
            } else if on && probe.value.contains(HEALTH) && on_client_port(set, &probe.value) {
                &mut writing
            } else {
                &mut fine
            };
            found.push((flags.member, &probe.span));
        }
    }
    let asked =
        q.cluster.members.iter().enumerate().filter_map(|(at, m)| Some((Some(at), &m.http_health.as_ref()?.span)));
    let asked = asked.chain(q.cluster.http_health.iter().map(|h| (None, &h.span)));
    let v2_on = super::v2_api_enabled::any_on(q);
    let by_hand: Found<'_> = asked.filter(|(m, _)| v2_on && m.is_none_or(|m| to_roll.contains(&m))).collect();
    let mut findings = Vec::new();
    if !of_v2.is_empty() {
        let statement = format!("A probe{} asks a path of the v2 API.", whose(q, &of_v2));
        let remedy = "Let it ask /health?exclude=NOSPACE&serializable=true before the first member moves: the new minor \
                      answers 404 on every v2 path, so the member would be restarted for ever.";
        findings.push(Finding::blocked(statement, places(&of_v2), remedy).about(&members(&of_v2)));
    }
    if !writing.is_empty() || !by_hand.is_empty() {
        let statement = if writing.is_empty() {
            "GET /health was asked while the v2 API is on.".to_owned()
        } else {
            format!("A probe{} asks /health while the v2 API is on.", whose(q, &writing))
        };
        writing.extend(by_hand);
        let remedy = format!(
            "Turn {} off on every member and let each write a disk snapshot: each answer left a v2 record in the WAL, and \
             the new minor panics on it.",
            name::ENABLE_V2
        );
        let finding = Finding::blocked(statement, places(&writing), remedy);
        findings.push(finding.caused_by(Cause::V2Api).about(&members(&writing)));
    }
    if findings.is_empty() && !fine.is_empty() {
        return sight::passed_on(
            fine.iter().map(|(_, span)| *span),
            "No probe speaks to the v2 API or writes v2 records.",
        );
    }
    findings
}

/// Probes, each with whose it is and where it stands.
type Found<'a> = Vec<(Option<usize>, &'a Span)>;

fn members(found: &Found<'_>) -> Vec<usize> {
    let mut members: Vec<usize> = found.iter().filter_map(|(member, _)| *member).collect();
    members.dedup();
    members
}

fn whose(q: &Question<'_>, found: &Found<'_>) -> String {
    let members = members(found);
    if members.is_empty() { String::new() } else { format!(" of {}", words::list(&q.labels(&members))) }
}

fn places(found: &Found<'_>) -> Vec<super::Ground> {
    seen(found.iter().map(|(_, span)| *span))
}

fn is_on(set: &FlagSet) -> bool {
    settings::of(set, name::ENABLE_V2).any(sight::is_on)
}

/// Is it the client port that the probe asks, and not one for metrics alone? What is not known may be.
fn on_client_port(set: &FlagSet, probe: &str) -> bool {
    let metrics = settings::value(set, name::LISTEN_METRICS_URLS).unwrap_or_default();
    let ports: Vec<u16> =
        metrics.split(',').filter_map(|url| Endpoint::read(url.trim())).filter_map(|endpoint| endpoint.port).collect();
    let numbers =
        |text: &str| text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect::<Vec<u16>>();
    !numbers(probe).iter().any(|port| ports.contains(port))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence;
    use crate::evidence::answers::Answers;
    use crate::evidence::paste::Paste;
    use crate::gates::{Outcome, assess};
    use crate::intent::{Intent, Target, route};

    /// What the gate says of a static pod with these lines in its command and its probe.
    fn said(flags: &str, probe: &str) -> Vec<Outcome> {
        let text = format!(
            "apiVersion: v1\nkind: Pod\nmetadata:\n  name: etcd-m1\nspec:\n  containers:\n  - image: \
             registry.k8s.io/etcd:3.5.33-0\n    command:\n    - etcd\n    - --name=m1\n    - --data-dir=/d\n    - \
             --listen-metrics-urls=http://127.0.0.1:2381\n{flags}    livenessProbe:\n{probe}"
        );
        let cluster = crate::cluster::merge(&evidence::read(&[Paste::new("pod.yaml", text)]));
        let intent = Intent::upgrade(Target::Minor("3.6".parse().unwrap()));
        let now = time::macros::datetime!(2026-11-30 12:00 UTC);
        let assessment = assess(&cluster, &route(&intent, &cluster), &Answers::new(), &[], now);
        assessment.findings.iter().filter(|f| f.gate == GATE.id).map(|f| f.outcome).collect()
    }

    #[test]
    fn it_is_the_path_the_port_and_the_flag_that_decide() {
        let http = |path: &str, port: &str| format!("      httpGet:\n        path: {path}\n        port: {port}\n");
        let v2 = "    - --enable-v2=true\n";
        for (flags, probe, outcome) in [
            (v2, http("/health", "2379"), Outcome::Blocked),
            (v2, http("/health?serializable=true", "2379"), Outcome::Blocked),
            (v2, http("/health", "2381"), Outcome::Passed),
            ("", http("/health", "2379"), Outcome::Passed),
            ("", http("/v2/keys", "2379"), Outcome::Blocked),
            (
                "",
                "      exec:\n        command: [curl, http://127.0.0.1:2379/v2/members]\n".to_owned(),
                Outcome::Blocked,
            ),
            (v2, "      exec:\n        command: [etcdctl, endpoint, status]\n".to_owned(), Outcome::Passed),
        ] {
            assert_eq!(said(flags, &probe), [outcome], "{flags}{probe}");
        }
    }
}
