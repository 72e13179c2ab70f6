//! The filter of the gates: by answer, by member, by word.

use std::rc::Rc;

use etcd_upgrade_planner::export::report::FindingOut;
use leptos::prelude::*;

use super::catalogue::OUTCOMES;
use super::gates::found;
use crate::app::components::choice::choice;
use crate::app::components::outcome::words;
use crate::app::dom::list::digest;
use crate::app::dom::{El, button, el};
use crate::app::state::State;
use crate::app::watched::Watched;
use crate::app::words::count;

/// Id of the field for a word: the key `/` leads there.
pub const WORD_ID: &str = "gates-word";

/// Value of the choice for findings that are about no single member.
const WHOLE: &str = "*";

/// What is looked for among the findings. Empty texts look for nothing. A handle.
#[derive(Clone, Copy, Default)]
pub struct Filter {
    outcome: Watched<String>,
    member: Watched<String>,
    word: Watched<String>,
}

impl Filter {
    /// Is anything looked for? Tracked.
    pub fn is_set(self) -> bool {
        [self.outcome, self.member, self.word].iter().any(|part| part.with(|text| !text.is_empty()))
    }

    fn fits(self, finding: &FindingOut) -> bool {
        let outcome = self.outcome.with(|wanted| wanted.is_empty() || *wanted == finding.outcome);
        let member = self.member.with(|wanted| match (wanted.as_str(), finding.member.as_deref()) {
            ("", _) | (WHOLE, None) => true,
            (wanted, member) => member == Some(wanted),
        });
        let word = self.word.with(|word| {
            let remedy = finding.remedy.as_deref().unwrap_or_default();
            let said = [&finding.gate, &finding.statement, remedy, &finding.group];
            word.is_empty() || said.iter().any(|text| text.to_lowercase().contains(word))
        });
        outcome && member && word
    }

    /// The fields, how many findings fit, and the way back to all of them.
    pub fn row(self, state: State) -> El {
        let outcomes: Vec<(String, String)> =
            OUTCOMES.iter().map(|id| ((*id).to_owned(), words(id).1.to_owned())).collect();
        let word = el("input")
            .attr("type", "search")
            .attr("id", WORD_ID)
            .attr("placeholder", "word")
            .attr("aria-label", "Findings with this word")
            .bind_value("value", move || self.word.get())
            .on("input", move |event| self.word.set(event_target_value(&event).to_lowercase()));
        let members = move || {
            let label = |label: &String| (label.clone(), label.clone());
            let mut members: Vec<(String, String)> =
                state.report(|r| r.members.iter().map(|m| label(&m.label)).collect());
            members.push((WHOLE.to_owned(), "no single member".to_owned()));
            members
        };
        let by_member = move || vec![choose(&members(), "every member", self.member, "filter-member")];
        let said = move || {
            let fit = state.report(|r| r.findings.iter().filter(|f| self.fits(f)).count());
            if self.is_set() { format!("{} fit", count(fit, "answer", "answers")) } else { String::new() }
        };
        let all = move || {
            for part in [self.outcome, self.member, self.word] {
                part.set(String::new());
            }
        };
        el("p")
            .class("row filter")
            .child(el("span").attr("id", "filter-outcome").class("unseen").text("Findings that answer"))
            .child(choose(&outcomes, "every answer", self.outcome, "filter-outcome"))
            .child(el("span").attr("id", "filter-member").class("unseen").text("Findings about"))
            .child(el("span").redraw(move || Some(digest(&members())), by_member))
            .child(word)
            .child(el("span").class("why").attr("role", "status").bind_text(said))
            .child(button("link", "show all", all).bind_flag("hidden", move || !self.is_set()))
    }

    /// What fits, in order of urgency.
    pub fn found(self, section: El, state: State) -> El {
        let draw = move || vec![el("div").class("fit").list(move || found(state, |f| self.fits(f), false))];
        section.show(move || self.is_set(), draw)
    }
}

fn choose(options: &[(String, String)], none: &str, part: Watched<String>, labelled_by: &str) -> El {
    choice(options, none, Rc::new(move || part.get()), Rc::new(move |value| part.set(value.to_owned())), labelled_by)
}
