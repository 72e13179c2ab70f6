//! Which change of members is wanted, as a part of the sentence: the change, whom it is about, who comes in.

use std::rc::Rc;

use super::answers::typed;
use crate::app::components::choice::choice;
use crate::app::dom::list::digest;
use crate::app::dom::{El, el};
use crate::app::state::State;
use crate::app::watched::Watched;
use etcd_upgrade_planner::evidence::answers::AnswerKey;

/// The changes, and what each is about.
const CHANGES: [(&str, &str, About); 8] = [
    ("replace", "replace a member", About::Member),
    ("add-voter", "add a voter", About::Nobody),
    ("add-learner", "add a learner", About::Nobody),
    ("remove", "remove a member", About::Member),
    ("promote", "promote a learner", About::Member),
    ("move", "move to new machines", About::Nobody),
    ("grow", "grow", About::Voters),
    ("shrink", "shrink", About::Voters),
];

/// What a change is about besides who comes in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    Nobody,
    Member,
    Voters,
}

fn about(verb: &str) -> About {
    CHANGES.iter().find(|(known, ..)| *known == verb).map_or(About::Nobody, |(_, _, about)| *about)
}

/// The fields. Their values are answers, so they are kept with the work.
pub fn change(state: State) -> Vec<El> {
    // A change that waits for whom it is about is no answer yet.
    let chosen = Watched::new(String::new());
    let said = move || state.answers.with(|a| a.change());
    let verb = move || said().map_or_else(|| chosen.get(), |change| change.verb().to_owned());
    let whom = move || {
        let text = said().map(|change| change.to_string()).unwrap_or_default();
        text.split_once('=').map(|(_, whom)| whom.to_owned()).unwrap_or_default()
    };
    let say = move |new: &str| {
        let keeps = about(new) != About::Nobody && about(new) == about(&verb());
        let text = match (about(new), whom()) {
            (About::Nobody, _) => new.to_owned(),
            (_, whom) if keeps && !whom.is_empty() => format!("{new}={whom}"),
            _ => String::new(),
        };
        chosen.set(new.to_owned());
        let _ = state.answer(AnswerKey::Change, &text);
    };
    let say_whom = move |whom: &str| {
        let verb = verb();
        chosen.set(verb.clone());
        let text = if whom.trim().is_empty() { String::new() } else { format!("{verb}={whom}") };
        let _ = state.answer(AnswerKey::Change, &text);
    };
    let labels = move || state.report(|r| r.members.iter().map(|m| m.label.clone()).collect::<Vec<_>>());
    let changes: Vec<_> = CHANGES.iter().map(|(verb, words, _)| ((*verb).to_owned(), (*words).to_owned())).collect();
    let draw_whom = move || match about(&verb()) {
        About::Nobody => Vec::new(),
        About::Member => {
            let options: Vec<_> = labels().into_iter().map(|label| (label.clone(), label)).collect();
            vec![choice(&options, "which member", Rc::new(whom), Rc::new(say_whom), "change-whom")]
        }
        About::Voters => {
            let sizes: Vec<_> = (1..=7).map(|n| (n.to_string(), format!("to {n} voters"))).collect();
            vec![choice(&sizes, "to how many voters", Rc::new(whom), Rc::new(say_whom), "change-whom")]
        }
    };
    let adds = move || !matches!(verb().as_str(), "" | "remove" | "promote" | "shrink");
    let fields = move || {
        [(AnswerKey::NewName, "called "), (AnswerKey::NewPeerUrl, "with the peer URL ")]
            .into_iter()
            .map(|(key, words)| {
                let id = format!("change-{}", key.id());
                let value = Rc::new(move || state.answers.with(|a| a.get(key).map(str::to_owned)).unwrap_or_default());
                let label = el("span").attr("id", &id).text(words);
                el("span").child(label).child(typed(state, key, "text", value, &id))
            })
            .collect()
    };
    vec![
        el("span")
            .child(el("span").attr("id", "change-label").class("unseen").text("Change of members"))
            .child(choice(&changes, "as the pastes show", Rc::new(verb), Rc::new(say), "change-label")),
        el("span")
            .child(el("span").attr("id", "change-whom").class("unseen").text("Which one"))
            .redraw(move || Some(digest(&(verb(), labels()))), draw_whom),
        el("span").show(adds, fields),
    ]
}
