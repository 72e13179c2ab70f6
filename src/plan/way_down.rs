//! Which ways back are open in the middle of a formal downgrade, and why.
//!
//! Source: `dg-cancel`, `dg-flow`, `dg-swap-too-early-36-35` of the facts: cancelled before any swap the versions rise
//! again within 3 s; with members swapped the cluster is an upgrade under way; after the last swap the job ends by
//! itself.

use super::way_back::{Progress, Standing};
use super::{Way, WaysBack};
use crate::gates::words;
use crate::intent::Hop;

/// The ways back on the way down. The lane of the formal downgrade says whether it can be cancelled.
pub(super) fn ways(standing: &Standing, hop: Hop) -> WaysBack {
    WaysBack { swap: swap(standing, hop), downgrade: cancel(standing, hop), restore: standing.restore() }
}

fn swap(standing: &Standing, hop: Hop) -> Way {
    let Hop { from, to } = hop;
    match &standing.progress {
        Progress::Untouched => Way::open(format!("No member has moved yet: every member still runs {from}.")),
        Progress::Rolling { left, .. } => Way::open(format!(
            "{} {} still on {from}: cancel the downgrade, then put {from} back on the others with its flags. The versions \
             rise again when the last one is back.",
            words::list(left),
            words::verb(left.len(), "is", "are"),
        )),
        Progress::AllStarted | Progress::Raised => {
            Way::shut(format!("Every member runs {to}: the way up to {from} is an upgrade again, with all its gates."))
        }
    }
}

fn cancel(standing: &Standing, hop: Hop) -> Way {
    let from = hop.from;
    match &standing.progress {
        Progress::Untouched if standing.enabled => {
            Way::open(format!("Cancel the downgrade: the cluster and storage version rise to {from} again within 3 s."))
        }
        Progress::Untouched => Way::shut("No downgrade is enabled yet, so there is nothing to cancel.".to_owned()),
        Progress::Rolling { .. } => Way::open(format!(
            "Cancel the downgrade: members already moved serve on, and the cluster is then an upgrade to {from} under way."
        )),
        Progress::AllStarted | Progress::Raised => Way::shut(
            "The downgrade ends by itself with the last member, so there is nothing left to cancel.".to_owned(),
        ),
    }
}
