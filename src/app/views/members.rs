//! The members matrix: what is known of each, and what differs.

use std::collections::BTreeMap;

use etcd_upgrade_planner::export::report::{FindingOut, MemberOut, Report};
use etcd_upgrade_planner::export::words::size;
use leptos::prelude::*;

use crate::app::state::State;
use crate::app::words;

/// A member with what the gates say of it.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    member: MemberOut,
    version_differs: bool,
    flags: Mark,
    alarms: Mark,
}

/// What a cell says, and its state.
#[derive(Debug, Clone, PartialEq)]
struct Mark {
    class: &'static str,
    text: String,
}

/// The members matrix. Nothing is drawn while no member is known.
#[component]
pub fn Members() -> impl IntoView {
    let state = expect_context::<State>();
    let rows = Memo::new(move |_| state.report(rows));
    let with_storage = Memo::new(move |_| rows.with(|r| r.iter().any(|r| r.member.storage_version.is_some())));
    let note = Memo::new(move |_| state.report(note));
    view! {
        <Show when=move || rows.with(|r| !r.is_empty())>
            <section class="members">
                <h2>"Members"</h2>
                <table>
                    <thead>
                        <tr>
                            <th scope="col">"Member"</th>
                            <th scope="col">"Version"</th>
                            {move || with_storage.get().then(|| view! { <th scope="col">"Storage"</th> })}
                            <th scope="col">"Role"</th>
                            <th scope="col">"DB / quota"</th>
                            <th scope="col">"Behind"</th>
                            <th scope="col">"Alarms"</th>
                            <th scope="col">"Flags"</th>
                            <th scope="col">"v2 store"</th>
                        </tr>
                    </thead>
                    <tbody>
                        {move || rows.get().into_iter().map(|r| row(r, with_storage.get())).collect_view()}
                    </tbody>
                </table>
                <p class="why">{note}</p>
            </section>
        </Show>
    }
}

fn row(row: Row, with_storage: bool) -> impl IntoView {
    let Row { member, version_differs, flags, alarms } = row;
    let id = member.id.clone().filter(|id| *id != member.label);
    let endpoint = member.endpoint.clone().filter(|e| *e != member.label && id.is_none());
    let role = match (member.answers, member.role.clone()) {
        (Some(false), role) => Mark {
            class: "state blocked",
            text: format!("✕ no answer{}", role.map(|r| format!(", {r}")).unwrap_or_default()),
        },
        (_, Some(role)) if role == "learner" || role == "unstarted" => {
            Mark { class: "state warning", text: format!("! {role}") }
        }
        (_, Some(role)) => Mark { class: "", text: role },
        (_, None) => not_seen(),
    };
    let storage = member.storage_version.clone().unwrap_or_else(|| "–".to_owned());
    view! {
        <tr>
            <th scope="row" translate="no">
                <b>{member.label.clone()}</b>
                {id.or(endpoint).map(|id| view! { " " <span class="id">{id}</span> })}
            </th>
            <td data-label="Version" class="mono" translate="no">
                {match member.version.clone() {
                    Some(v) => {
                        view! {
                            <span class:differs=version_differs>{v}</span>
                            {version_differs.then(|| view! { <span class="unseen">" differs"</span> })}
                        }
                            .into_any()
                    }
                    None => cell(not_seen()).into_any(),
                }}
            </td>
            {with_storage.then(|| view! { <td data-label="Storage" class="mono" translate="no">{storage}</td> })}
            <td data-label="Role">{cell(role)}</td>
            <td data-label="DB / quota">{db(&member)}</td>
            <td data-label="Behind">{behind(&member)}</td>
            <td data-label="Alarms">{cell(alarms)}</td>
            <td data-label="Flags">{cell(flags)}</td>
            <td data-label="v2 store">{cell(v2(&member))}</td>
        </tr>
    }
}

fn cell(mark: Mark) -> impl IntoView {
    view! { <span class=mark.class>{mark.text}</span> }
}

fn not_seen() -> Mark {
    Mark { class: "state unknown", text: "? not seen".to_owned() }
}

fn db(member: &MemberOut) -> impl IntoView + use<> {
    let text = match (member.db_size, member.quota) {
        (None, _) => return cell(not_seen()).into_any(),
        (Some(db), None) => size(db),
        (Some(db), Some(quota)) => format!("{} / {}", size(db), size(quota)),
    };
    view! { <span>{text}</span> }.into_any()
}

fn behind(member: &MemberOut) -> impl IntoView + use<> {
    match member.behind {
        Some(behind) => view! { <span>{behind.to_string()}</span> }.into_any(),
        None => cell(not_seen()).into_any(),
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

fn rows(report: &Report) -> Vec<Row> {
    let usual = usual_version(&report.members);
    report
        .members
        .iter()
        .map(|member| Row {
            version_differs: member.version.is_some() && member.version != usual,
            flags: flags(member, &report.findings),
            alarms: alarms(member),
            member: member.clone(),
        })
        .collect()
}

/// The version most members run. Between two of the same count, the one seen first.
fn usual_version(members: &[MemberOut]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    members.iter().filter_map(|m| m.version.as_deref()).for_each(|v| *counts.entry(v).or_default() += 1);
    let most = counts.values().copied().max()?;
    members.iter().filter_map(|m| m.version.clone()).find(|v| counts.get(v.as_str()) == Some(&most))
}

fn flags(member: &MemberOut, findings: &[FindingOut]) -> Mark {
    let stops = |f: &&FindingOut| f.outcome == "blocked" && f.gate.starts_with("flag-");
    let wrong = findings.iter().filter(stops).filter(|f| f.member.as_deref() == Some(member.label.as_str())).count();
    match member.flags {
        Some(read) if wrong > 0 => Mark { class: "state blocked", text: format!("✕ {wrong} of {read}") },
        Some(read) => Mark { class: "", text: format!("{read} read") },
        None => not_seen(),
    }
}

fn alarms(member: &MemberOut) -> Mark {
    if !member.alarms.is_empty() {
        return Mark { class: "state blocked", text: format!("✕ {}", member.alarms.join(", ")) };
    }
    if member.alarms_looked_at { Mark { class: "", text: "none".to_owned() } } else { not_seen() }
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
