//! The tables as a whole: every row is reached by a look-up, every source is used and known, and the facts that rules
//! rest on are what they should be.

use super::version::{Minor, Version};
use super::{
    feature_gates, features, flags, hops, known_issues, log_messages, numbers, platforms, releases, sources, tools,
};
use std::collections::BTreeSet;

fn m(text: &str) -> Minor {
    text.parse().unwrap()
}

fn v(text: &str) -> Version {
    text.parse().unwrap()
}

#[test]
fn every_source_is_used_and_every_key_known() {
    let mut used = BTreeSet::from([sources::key::RULE_SET]);
    for release in releases::all() {
        used.insert(release.source);
        used.extend(release.known_bad.map(|(_, source)| source));
    }
    used.extend(releases::minors().into_iter().filter_map(releases::support).map(|support| support.source));
    for hop in hops::all() {
        used.insert(hop.source);
        used.extend([&hop.required, &hop.technical, &hop.advised].into_iter().flatten().map(|floor| floor.source));
    }
    used.extend(flags::all().iter().flat_map(|flag| flag.minors).map(|row| row.source));
    used.extend(feature_gates::all().iter().flat_map(|gate| gate.minors).map(|(_, source)| *source));
    used.extend(platforms::all().iter().map(|platform| platform.source));
    used.extend(platforms::all().iter().filter_map(|p| platforms::shipped(p.id)).map(|shipped| shipped.source));
    used.extend(features::all().iter().map(|feature| feature.source));
    used.extend(numbers::all().iter().map(|number| number.source));
    used.extend(crate::gates::ALL.iter().flat_map(|gate| gate.sources));
    used.extend(known_issues::all().iter().map(|issue| issue.source));
    used.extend(log_messages::all().iter().map(|message| message.source));
    let known: BTreeSet<_> = sources::all().iter().map(|source| source.key).collect();
    assert_eq!(used.difference(&known).collect::<Vec<_>>(), Vec::<&&str>::new(), "no such source");
    assert_eq!(known.difference(&used).collect::<Vec<_>>(), Vec::<&&str>::new(), "nothing rests on it");
}

#[test]
fn every_row_is_reached_by_a_look_up() {
    for release in releases::all() {
        assert_eq!(releases::find(&release.version), Some(release));
    }
    for hop in hops::all() {
        assert_eq!(hops::from(hop.from), Some(hop));
        assert_eq!(hops::to(hop.to), Some(hop));
    }
    for flag in flags::all() {
        assert_eq!(flags::by_name(flag.name), Some(flag));
        for row in flag.minors {
            assert_eq!(flag.in_minor(row.minor), Some(row));
            if let Some(key) = row.yaml_key {
                assert_eq!(flags::by_yaml_key(key, row.minor), Some(flag), "two flags share the key {key}");
            }
        }
    }
    for platform in platforms::all() {
        assert_eq!(platforms::by_id(platform.id), Some(platform));
    }
    let pitfalls: usize = platforms::all().iter().map(|p| platforms::pitfalls(p.id).count()).sum();
    assert_eq!(pitfalls, platforms::all_pitfalls().len());
    for gate in feature_gates::all() {
        assert_eq!(feature_gates::by_name(gate.name), Some(gate));
    }
    for source in sources::all() {
        assert_eq!(sources::by_key(source.key), Some(source));
    }
}

#[test]
fn the_newest_release_of_each_minor_is_no_prerelease() {
    let newest: Vec<String> =
        releases::minors().into_iter().filter_map(releases::newest).map(|r| r.version.to_string()).collect();
    assert_eq!(newest, ["3.3.27", "3.4.45", "3.5.35", "3.6.16", "3.7.3"]);
    assert_eq!(releases::newest_minor(), Some(m("3.7")));
    assert_eq!(releases::newest(m("3.8")), None);
    assert!(releases::find(&v("3.8.0-alpha.0")).is_some_and(|r| r.known_bad.is_some()));
}

#[test]
fn releases_ascend_and_dates_with_them_within_a_minor() {
    let versions: Vec<&Version> = releases::all().iter().map(|r| &r.version).collect();
    assert!(versions.is_sorted());
    for minor in releases::minors() {
        let of_minor: Vec<_> = releases::all().iter().filter(|r| r.version.minor() == minor).collect();
        assert!(of_minor.is_sorted_by_key(|r| r.date), "{minor}");
        assert!(releases::support(minor).is_some(), "{minor}");
    }
    assert!(releases::all().iter().all(|r| r.date <= releases::RULESET_DATE));
}

#[test]
fn a_vendor_suffix_does_not_hide_a_release() {
    assert_eq!(releases::find(&v("3.5.26-k3s1")).map(|r| r.version.to_string()).as_deref(), Some("3.5.26"));
    assert_eq!(releases::find(&v("3.5.99")), None);
}

#[test]
fn hops_follow_each_other_from_the_oldest_minor_to_the_newest() {
    let minors = releases::minors();
    let steps: Vec<_> = minors.windows(2).map(|pair| (pair[0], pair[1])).collect();
    assert_eq!(hops::all().iter().map(|hop| (hop.from, hop.to)).collect::<Vec<_>>(), steps);
}

#[test]
fn the_documented_floors_stand_where_etcds_guides_put_them() {
    let required =
        |from: &str| hops::from(m(from)).and_then(|hop| hop.required.as_ref()).map(|f| f.version.to_string());
    assert_eq!(required("3.5").as_deref(), Some("3.5.32"));
    assert_eq!(required("3.6").as_deref(), Some("3.6.11"));
    assert_eq!((required("3.3"), required("3.4")), (None, None));
    let to_36 = hops::to(m("3.6")).unwrap();
    assert_eq!(to_36.technical.as_ref().unwrap().version, v("3.5.26"));
    assert_eq!(to_36.v2_check_with_wal, Some(v("3.5.32")));
    assert!(to_36.checks_v2_store && to_36.formal_downgrade && !to_36.needs_disk_snapshot);
    assert!(hops::to(m("3.7")).unwrap().needs_disk_snapshot);
    assert!(hops::to(m("3.5")).unwrap().auth_rolling_unsupported);
}

#[test]
fn no_floor_is_a_release_known_to_be_bad() {
    for hop in hops::all() {
        for floor in [&hop.required, &hop.technical, &hop.advised].into_iter().flatten() {
            assert_eq!(releases::find(&floor.version).unwrap().known_bad, None, "{}", floor.version);
        }
    }
}

#[test]
fn enable_v2_is_known_up_to_35_and_on_by_default_in_33_only() {
    let flag = flags::by_name(flags::name::ENABLE_V2).unwrap();
    let minors: Vec<String> = flag.minors.iter().map(|row| format!("{} {}", row.minor, row.default)).collect();
    assert_eq!(minors, ["3.3 true", "3.4 false", "3.5 false"]);
    assert_eq!(flag.env, "ETCD_ENABLE_V2");
    assert!(!flag.in_version(&v("3.6.0")) && flag.in_version(&v("3.5.35")));
    assert_eq!(flag.replaced_by(), None);
}

#[test]
fn no_experimental_flag_is_left_in_37_and_each_but_v2v3_has_a_replacement_from_36() {
    let experimental: Vec<_> = flags::all().iter().filter(|f| f.name.starts_with("experimental-")).collect();
    assert!(experimental.len() > 20);
    for flag in experimental {
        assert!(flag.in_minor(m("3.7")).is_none(), "{}", flag.name);
        let Some(row) = flag.in_minor(m("3.6")) else {
            assert!(flag.last_minor() < Some(m("3.6")), "{}", flag.name);
            continue;
        };
        assert!(row.deprecated, "{}", flag.name);
        let by = row.replaced_by.unwrap_or_else(|| panic!("{} has no replacement in 3.6", flag.name));
        if let Some(gate) = by.strip_prefix("feature-gates=") {
            assert_eq!(feature_gates::by_name(gate).unwrap().from_flag, Some(flag.name));
        } else {
            assert!(flags::by_name(by).unwrap().in_minor(m("3.7")).is_some(), "{by}");
        }
        assert!(flag.in_minor(m("3.5")).is_none_or(|row| row.replaced_by.is_none()), "{}: 3.5 has none yet", flag.name);
    }
    let v2v3 = flags::by_name(flags::name::EXPERIMENTAL_ENABLE_V2V3).unwrap();
    assert_eq!((v2v3.replaced_by(), v2v3.last_minor()), (None, Some(m("3.5"))));
}

#[test]
fn the_flags_that_37_removed_without_saying_so_are_gone() {
    for name in [flags::name::DISCOVERY, flags::name::DISCOVERY_PROXY] {
        let flag = flags::by_name(name).unwrap();
        assert_eq!(flag.last_minor(), Some(m("3.6")));
        assert_eq!(flag.replaced_by(), Some(flags::name::DISCOVERY_ENDPOINTS));
    }
}

#[test]
fn a_flag_that_came_in_a_patch_is_unknown_before_it() {
    let flag = flags::by_name(flags::name::LISTEN_CLIENT_HTTP_URLS).unwrap();
    for (version, known) in
        [("3.4.24", false), ("3.4.25", true), ("3.5.7", false), ("3.5.8", true), ("3.6.0", true), ("3.3.27", false)]
    {
        assert_eq!(flag.in_version(&v(version)), known, "{version}");
    }
    assert_eq!(flag.first_version(), Some(v("3.4.25")));
}

#[test]
fn yaml_keys_lead_to_their_flag() {
    let name = |key: &str, minor: &str| flags::by_yaml_key(key, m(minor)).map(|flag| flag.name);
    assert_eq!(name("client-transport-security.cert-file", "3.5"), Some(flags::name::CERT_FILE));
    assert_eq!(name("Peer-Transport-Security.Trusted-CA-File", "3.7"), Some(flags::name::PEER_TRUSTED_CA_FILE));
    assert_eq!(
        name("experimental-snapshot-catch-up-entries", "3.6"),
        Some(flags::name::EXPERIMENTAL_SNAPSHOT_CATCHUP_ENTRIES)
    );
    assert_eq!(name("enable-v2", "3.6"), None);
    assert_eq!(name("config-file", "3.6"), None);
}

#[test]
fn a_value_that_came_in_a_patch_is_told_with_it() {
    let flag = flags::by_name(flags::name::V2_DEPRECATION).unwrap();
    let late = |minor: &str| flag.in_minor(m(minor)).unwrap().late_values;
    assert_eq!(late("3.5"), [("write-only-skip-check", 32)]);
    assert_eq!(late("3.6"), [("write-only-skip-check", 13)]);
    assert_eq!(late("3.7"), []);
}

#[test]
fn the_snapshot_count_fell_in_36() {
    let flag = flags::by_name(flags::name::SNAPSHOT_COUNT).unwrap();
    let defaults: Vec<&str> = flag.minors.iter().map(|row| row.effective_default).collect();
    assert_eq!(defaults, ["100000", "100000", "100000", "10000", "10000"]);
}

#[test]
fn names_compare_with_underscores_and_ignored_ones_are_known() {
    assert_eq!(flags::by_name("data_dir").map(|f| f.name), Some(flags::name::DATA_DIR));
    assert_eq!(flags::by_name("data-dirs"), None);
    assert!(flags::is_ignored("vv") && !flags::is_ignored(flags::name::DATA_DIR));
}

#[test]
fn tools_are_named_by_the_minor_that_has_them() {
    let by_minor = |tool: fn(Minor) -> &'static str| releases::minors().into_iter().map(tool).collect::<Vec<_>>();
    assert_eq!(by_minor(tools::snapshot_status_binary), ["etcdctl", "etcdctl", "etcdutl", "etcdutl", "etcdutl"]);
    assert_eq!(by_minor(tools::snapshot_restore_binary), ["etcdctl", "etcdctl", "etcdutl", "etcdutl", "etcdutl"]);
}

#[test]
fn a_feature_begins_and_ends_where_it_was_seen() {
    let has = |feature: &features::Feature, version: &str| feature.in_version(&v(version));
    for (version, known) in [("3.5.17", false), ("3.5.18", true), ("3.5.35", true), ("3.5.36", true), ("3.6.0", false)]
    {
        assert_eq!(has(&features::CHECK_V2STORE, version), known, "{version}");
    }
    assert!(!has(&features::CHECK_V2STORE_WAL, "3.5.31") && has(&features::CHECK_V2STORE_WAL, "3.5.32"));
    assert!(!has(&features::STORAGE_VERSION, "3.6.0-rc.1") && has(&features::STORAGE_VERSION, "3.6.0"));
    assert!(has(&features::CHECK_V2STORE, "3.5.18-k3s1"));
    assert_eq!(features::RESTORE_BUMP_REVISION.first_in(m("3.4")), Some(v("3.4.27")));
    assert_eq!(features::RESTORE_BUMP_REVISION.first_in(m("3.3")), None);
    assert!(features::ETCDCTL_DOWNGRADE.in_minor(m("3.7")) && !features::ETCDCTL_DOWNGRADE.in_minor(m("3.5")));
}

#[test]
fn status_tables_are_told_apart_by_their_columns() {
    assert_eq!(numbers::STATUS_COLUMNS.of(m("3.5")), Some(10));
    assert_eq!(numbers::STATUS_COLUMNS.first_with(16), Some(m("3.6")));
    assert_eq!(numbers::STATUS_COLUMNS.of(m("3.8")), None);
}

#[test]
fn no_packed_row_is_left_out() {
    use super::packed::Rows;
    use super::{hops, known_issues, log_messages, tables};
    for (mut packed, read) in [
        (Rows::new(tables::RELEASES), releases::all().len()),
        (Rows::new(tables::FLAGS), flags::all().len()),
        (Rows::new(tables::PLATFORMS), platforms::all().len()),
        (Rows::second(tables::PITFALLS), platforms::all_pitfalls().len()),
        (Rows::second(tables::LOG_MESSAGES), log_messages::all().len()),
        (Rows::second(tables::GUIDES), hops::guides().len()),
        (Rows::second(tables::KNOWN_ISSUES), known_issues::all().len()),
        (Rows::second(tables::SOURCES), sources::all().len()),
        (Rows::second(tables::CATALOGUE), crate::gates::catalogue::entries().count()),
    ] {
        assert!(read > 0);
        assert_eq!(usize::try_from(packed.number()), Ok(read));
    }
}

/// A field read at the wrong place shows in the last field of the last row.
#[test]
fn the_last_row_of_each_table_ends_as_its_file_does() {
    use super::{hops, known_issues, log_messages};
    let known = |key: &str| sources::by_key(key).is_some();
    assert!(platforms::all().iter().all(|row| known(row.source)));
    assert!(log_messages::all().iter().all(|row| known(row.source)));
    assert!(hops::guides().iter().all(|row| known(row.source)));
    assert!(known_issues::all().iter().all(|row| known(row.source)));
    assert!(releases::all().iter().all(|row| known(row.source)));
    assert!(flags::all().iter().flat_map(|row| row.minors).all(|row| known(row.source)));
    assert!(platforms::all_pitfalls().iter().all(|row| row.todo.ends_with('.')));
}
