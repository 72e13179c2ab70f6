//! The scenarios: each is one file.

mod flags;
mod outages;
mod reading;
mod upgrade;

use anyhow::{Result, bail};

use crate::binaries::Releases;
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
const ALL: [Scenario; 4] = [
    Scenario { name: "flags", waits: false, run: flags::run },
    Scenario { name: "reading", waits: true, run: reading::run },
    Scenario { name: "upgrade", waits: false, run: upgrade::run },
    Scenario { name: "outages", waits: false, run: outages::run },
];

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
