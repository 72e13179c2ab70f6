//! The plan as a script that rehearses it: a backup snapshot restored into a throw-away cluster on loopback, rolled
//! through the same releases with the same flags.
//!
//! The script itself is text (`rehearsal/rehearsal.sh`); this writes what differs from plan to plan into its head.
//! Seen to run on real etcd by the conformance run.

use std::fmt::Write as _;

use crate::cluster::commands::Commands;
use crate::cluster::commands::shell::{is_operand, word};
use crate::cluster::{Cluster, Member, settings};
use crate::etcd::flags::{self, name};
use crate::etcd::hops;
use crate::etcd::version::Version;
use crate::intent::Leg;

/// What every rehearsal does.
const SCRIPT: &str = include_str!("rehearsal/rehearsal.sh");
/// Where the plan goes.
const PLAN: &str = "#PLAN#\n";
/// Voters of a cluster that nobody named.
const STAND_INS: usize = 3;

/// Flags that are about the place a member runs in, or about others that it knows: a throw-away member on loopback has
/// its own. Those whose value is a path, a URL or a name are left out by their type.
const OF_THE_PLACE: [&str; 17] = [
    name::AUTO_TLS,
    name::CLIENT_CERT_AUTH,
    name::DISCOVERY_FALLBACK,
    name::DISCOVERY_INSECURE_SKIP_TLS_VERIFY,
    name::DISCOVERY_INSECURE_TRANSPORT,
    name::ENABLE_DISTRIBUTED_TRACING,
    name::ENABLE_LOG_ROTATION,
    name::EXPERIMENTAL_ENABLE_DISTRIBUTED_TRACING,
    name::EXPERIMENTAL_MEMORY_MLOCK,
    name::EXPERIMENTAL_PEER_SKIP_CLIENT_SAN_VERIFICATION,
    name::FORCE_NEW_CLUSTER,
    name::INITIAL_CLUSTER_STATE,
    name::MEMORY_MLOCK,
    name::PEER_AUTO_TLS,
    name::PEER_CLIENT_CERT_AUTH,
    name::PEER_SKIP_CLIENT_SAN_VERIFICATION,
    name::PROXY,
];
/// Texts that are of no place.
const OF_NO_PLACE: [&str; 4] = [
    name::AUTO_COMPACTION_RETENTION,
    name::BACKEND_BBOLT_FREELIST_TYPE,
    name::EXPERIMENTAL_BACKEND_BBOLT_FREELIST_TYPE,
    name::LOG_LEVEL,
];

/// The script that goes through these legs. `None` when nothing is left to roll, or when it is not known what runs.
pub(super) fn script(cluster: &Cluster, legs: &[Leg]) -> Option<String> {
    let from = cluster.members.iter().filter_map(|m| m.version().map(|(version, _)| version.upstream())).min()?;
    let targets: Vec<Version> = legs.iter().map(|leg| leg.target.upstream()).filter(|to| *to > from).collect();
    if targets.is_empty() {
        return None;
    }
    let mut out = String::new();
    let members = names(cluster);
    let _ = writeln!(out, "# The members, and the releases: the one that runs and those it is rolled to.");
    let _ = writeln!(out, "members='{}'", members.join(" "));
    let _ = writeln!(out, "from='{from}'\nroute='{}'", list(&targets));
    let hop_to = |to: &Version| hops::to(to.minor()).filter(|_| legs.iter().any(|leg| leads_to(leg, to)));
    let before: Vec<Version> =
        targets.iter().filter(|to| hop_to(to).is_some_and(|hop| hop.needs_disk_snapshot)).cloned().collect();
    let _ = writeln!(out, "# Before these every member writes a disk snapshot; it does with this flag.");
    let _ = writeln!(out, "disk_snapshot_before='{}'", list(&before));
    let _ = writeln!(out, "snapshot_soon='{}'", Commands::disk_snapshot_flag());
    let formal: Vec<Version> =
        targets.iter().filter(|to| hop_to(to).is_some_and(|hop| hop.formal_downgrade)).cloned().collect();
    let _ = writeln!(out, "# Releases whose clusters can be formally downgraded.\ngoes_back_from='{}'", list(&formal));
    out.push_str("# Runs a command, with the flags that a member has on a release at its end.\n");
    out.push_str("with_flags() {\n  at=$1@$2 more=$3\n  shift 3\n  case $at in\n");
    for (member, known) in members.iter().zip(cluster.members.iter()) {
        for version in std::iter::once(&from).chain(&targets) {
            let flags = flags_on(known, &from, version);
            if !flags.is_empty() {
                let _ = writeln!(out, "    '{member}@{version}') \"$@\" {} ${{more:+\"$more\"}} ;;", flags.join(" "));
            }
        }
    }
    out.push_str("    *) \"$@\" ${more:+\"$more\"} ;;\n  esac\n}\n");
    Some(SCRIPT.replacen(PLAN, &out, 1))
}

fn leads_to(leg: &Leg, to: &Version) -> bool {
    leg.hop.is_some_and(|hop| hop.to == to.minor()) && leg.target.upstream() == *to
}

fn list(versions: &[Version]) -> String {
    versions.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Names that are words for a shell, each once: the members' own where they are.
fn names(cluster: &Cluster) -> Vec<String> {
    let own: Vec<String> = cluster.members.iter().filter_map(|m| m.name.clone()).collect();
    let fits = |name: &String| is_operand(name) && name.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c));
    let unique = own.iter().enumerate().all(|(at, name)| !own.iter().take(at).any(|before| before == name));
    if !own.is_empty() && own.len() == cluster.members.len() && unique && own.iter().all(fits) {
        return own;
    }
    let count = if cluster.members.is_empty() { STAND_INS } else { cluster.members.len() };
    (1..=count).map(|at| format!("m{at}")).collect()
}

/// The flags a member has today, as it would have them on a release, for a shell.
fn flags_on(member: &Member, today: &Version, version: &Version) -> Vec<String> {
    let mut out = Vec::new();
    let mut gates: Vec<String> = Vec::new();
    for flag in flags::all().iter().filter(|flag| flag.in_version(today)) {
        let travels = flag.in_minor(today.minor()).is_some_and(|row| travels(flag.name, row.kind));
        let Some(value) = travels.then(|| setting(member, flag.name)).flatten() else { continue };
        match Commands::flag_on(flag.name, &value, version) {
            Some((name, value)) if name == name::FEATURE_GATES => gates.push(value),
            Some((name, value)) => out.push(format!("--{name}={}", word(&value))),
            None => {}
        }
    }
    if !gates.is_empty() {
        out.push(format!("--{}={}", name::FEATURE_GATES, word(&gates.join(","))));
    }
    out
}

/// The value a member has for a flag; a switch that is given without one is on.
fn setting(member: &Member, flag: &str) -> Option<String> {
    let sets = || member.flags.iter().map(|seen| &seen.value);
    let switched_on = || sets().any(|set| settings::of(set, flag).any(|setting| setting.value.is_none()));
    let value = sets().find_map(|set| settings::value(set, flag)).map(str::to_owned);
    value.or_else(|| switched_on().then(|| "true".to_owned()))
}

/// Does a flag make sense on another host?
fn travels(name: &str, kind: &str) -> bool {
    let of_a_place = matches!(kind, "string" | "string-list" | "url-list");
    (!of_a_place && !OF_THE_PLACE.contains(&name)) || OF_NO_PLACE.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{three_members, version};
    use crate::intent::{Hop, Leg};

    fn leg(from: &str, to: &str) -> Leg {
        let target = version(to);
        let from: crate::etcd::version::Minor = from.parse().unwrap();
        let hop = (from != target.minor()).then(|| Hop { from, to: target.minor() });
        Leg { hop, target }
    }

    fn line<'a>(script: &'a str, start: &str) -> &'a str {
        script.lines().find(|line| line.trim_start().starts_with(start)).unwrap_or_else(|| panic!("{start}: {script}"))
    }

    #[test]
    fn the_route_its_members_and_what_each_release_needs_stand_in_the_head() {
        let cluster = three_members("3.5.20").build();
        let legs = [leg("3.5", "3.5.35"), leg("3.5", "3.6.16"), leg("3.6", "3.7.3")];
        let script = script(&cluster, &legs).unwrap();
        assert_eq!(line(&script, "members="), "members='m1 m2 m3'");
        assert_eq!(line(&script, "from="), "from='3.5.20'");
        assert_eq!(line(&script, "route="), "route='3.5.35 3.6.16 3.7.3'");
        assert_eq!(line(&script, "disk_snapshot_before="), "disk_snapshot_before='3.7.3'");
        assert_eq!(line(&script, "goes_back_from="), "goes_back_from='3.6.16 3.7.3'");
        assert!(!script.contains(PLAN.trim_end()));
    }

    #[test]
    fn a_member_takes_its_flags_along_by_the_names_each_release_knows_and_leaves_its_place_behind() {
        let flags = [
            "name=m2",
            "data-dir=/var/lib/etcd",
            "cert-file=/etc/etcd/server.crt",
            "client-cert-auth=true",
            "listen-metrics-urls=http://10.0.0.2:2381",
            "quota-backend-bytes=8589934592",
            "auto-compaction-retention=8h",
            "experimental-compaction-batch-limit=7",
            "experimental-initial-corrupt-check=true",
        ];
        let cluster = three_members("3.5.35").flags("m2", &flags).build();
        let script = script(&cluster, &[leg("3.5", "3.6.16"), leg("3.6", "3.7.3")]).unwrap();
        assert_eq!(
            line(&script, "'m2@3.5.35')"),
            "    'm2@3.5.35') \"$@\" --auto-compaction-retention=8h --experimental-compaction-batch-limit=7 \
             --experimental-initial-corrupt-check=true --quota-backend-bytes=8589934592 ${more:+\"$more\"} ;;"
        );
        let newest = line(&script, "'m2@3.7.3')");
        for flag in ["--compaction-batch-limit=7", "--feature-gates=InitialCorruptCheck=true", "--quota-backend-bytes"]
        {
            assert!(newest.contains(flag), "{newest}");
        }
        for place in ["cert", "/var/lib", "10.0.0.2", "--name"] {
            assert!(!newest.contains(place), "{newest}");
        }
        assert!(!script.contains("'m1@"), "{script}");
    }

    /// A name may be anything; a shell must not take it for more.
    #[test]
    fn names_that_are_no_plain_words_are_not_taken() {
        let mut cluster = three_members("3.5.35").build();
        cluster.members[1].name = Some("m2'; rm -rf / #".to_owned());
        let script = script(&cluster, &[leg("3.5", "3.6.16")]).unwrap();
        assert_eq!(line(&script, "members="), "members='m1 m2 m3'");
        assert!(!script.contains("rm -rf / #"));
    }

    #[test]
    fn nothing_to_roll_or_nothing_known_of_what_runs_gives_no_script() {
        let cluster = three_members("3.6.16").build();
        assert_eq!(script(&cluster, &[]), None);
        assert_eq!(script(&cluster, &[leg("3.5", "3.6.16")]), None);
        assert_eq!(script(&Cluster::default(), &[leg("3.5", "3.6.16")]), None);
    }

    /// Each flag that stays behind by name is one that would travel by its type.
    #[test]
    fn no_line_of_the_two_lists_is_idle() {
        let kinds =
            |name: &str| -> Vec<&str> { flags::by_name(name).unwrap().minors.iter().map(|row| row.kind).collect() };
        for name in OF_THE_PLACE {
            assert!(kinds(name).iter().any(|kind| !matches!(*kind, "string" | "string-list" | "url-list")), "{name}");
        }
        for name in OF_NO_PLACE {
            assert!(kinds(name).iter().any(|kind| matches!(*kind, "string" | "string-list" | "url-list")), "{name}");
        }
    }
}
