//! The scenarios: each is one file.

mod downgrade;
mod flags;
mod members;
mod outages;
mod reading;
mod rehearsal;
mod restore;
mod upgrade;

use anyhow::{Result, bail};

use crate::binaries::{Binaries, Releases};
use crate::table::Table;

/// One scenario.
#[derive(Debug, Clone, Copy)]
pub struct Scenario {
    /// Its name, as `--scenario` takes it.
    pub name: &'static str,
    /// Does it wait more than it computes, so that it may run beside the others?
    pub waits: bool,
    /// Runs it on every version at hand. A difference is noted in the table; an error ends the run.
    pub run: fn(&Releases, &mut Table) -> Result<()>,
}

/// All of them, in the order they run.
const ALL: [Scenario; 8] = [
    Scenario { name: "flags", waits: false, run: flags::run },
    Scenario { name: "reading", waits: true, run: reading::run },
    Scenario { name: "upgrade", waits: false, run: upgrade::run },
    Scenario { name: "members", waits: true, run: members::run },
    Scenario { name: "outages", waits: false, run: outages::run },
    Scenario { name: "downgrade", waits: false, run: downgrade::run },
    Scenario { name: "restore", waits: false, run: restore::run },
    Scenario { name: "rehearsal", waits: true, run: rehearsal::run },
];

/// Runs something for each of several at once, and gives what each came to, in their order.
fn side_by_side<I: Sync, T: Send>(items: &[I], run: impl Fn(&I) -> Result<T> + Sync) -> Vec<Result<T>> {
    std::thread::scope(|scope| {
        let run = &run;
        let runs: Vec<_> = items.iter().map(|item| scope.spawn(move || run(item))).collect();
        runs.into_iter().map(|r| r.join().unwrap_or_else(|_| Err(anyhow::anyhow!("it panicked")))).collect()
    })
}

/// What one case came to: its name, what was compared, and how advice and etcd differ.
type Case = (&'static str, String, Vec<String>);

/// Runs the cases of a scenario on every version, side by side, and notes what each came to.
fn on_every_version(
    scenario: &str,
    releases: &Releases,
    table: &mut Table,
    run: impl Fn(&Binaries) -> Result<Vec<Case>> + Sync,
) {
    let results = side_by_side(&releases.all, run);
    for (etcd, result) in releases.all.iter().zip(results) {
        let version = etcd.version.to_string();
        match result {
            Ok(cases) => {
                for (case, says, differs) in cases {
                    table.note(scenario, case, &version, says, differs);
                }
            }
            Err(error) => table.came_to(scenario, "all", &version, Err(error)),
        }
    }
}

/// The one that is wanted, or all.
pub fn chosen(wanted: Option<&str>) -> Result<Vec<Scenario>> {
    let chosen: Vec<Scenario> = ALL.into_iter().filter(|s| wanted.is_none_or(|w| w == s.name)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = ALL.iter().map(|s| s.name).collect();
        bail!("there is no scenario `{}`: {}", wanted.unwrap_or_default(), names.join(", "));
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_or_all_are_chosen_and_a_wrong_name_is_told_the_right_ones() {
        assert_eq!(chosen(None).unwrap().len(), ALL.len());
        assert_eq!(chosen(Some("flags")).unwrap()[0].name, "flags");
        assert!(chosen(Some("flag")).unwrap_err().to_string().contains("flags"));
    }
}
