//! What leaves the page, by the person's own hand: tickets, reports, paper, links, the closing record. The choices at
//! its side hold for all of it.

mod closing;
mod hiding;
mod link;

use std::rc::Rc;

use etcd_upgrade_planner::export::document::Detail;
use etcd_upgrade_planner::export::redact::Redaction;
use etcd_upgrade_planner::export::report::Report;
use etcd_upgrade_planner::export::servicenow::{self, Field};
use etcd_upgrade_planner::export::{self, Format};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::clipboard;
use crate::app::components::copy_button::{copy_button, save_button};
use crate::app::dom::list::digest;
use crate::app::dom::{El, button, el};
use crate::app::state::State;
use crate::app::views::header::pop;
use crate::app::watched::Watched;

/// How it leaves.
#[derive(Clone, Copy)]
struct Choices {
    state: State,
    brief: Watched<bool>,
    without_evidence: Watched<bool>,
    hidden: Watched<bool>,
    /// Words that are replaced besides, as the person wrote them.
    also: Watched<String>,
}

impl Choices {
    fn detail(self) -> Detail {
        if self.brief.get_untracked() { Detail::Brief } else { Detail::Full }
    }

    /// Words that are replaced besides.
    fn also(self) -> Vec<String> {
        self.also.with_untracked(|all| all.split(',').map(|word| word.trim().to_owned()).collect())
    }

    /// The report without what is left out, and what is replaced in it. `None` before the first verdict.
    fn report(self) -> Option<(Report, Redaction)> {
        let mut report = self.state.report_out(|report| Some(report.clone()))?;
        if self.without_evidence.get_untracked() {
            report.leave_evidence_out();
        }
        let redaction = Redaction::of(&report, &[], &self.also());
        Some((report, redaction))
    }

    /// The report as it leaves.
    fn report_out(self) -> Option<Report> {
        let (mut report, redaction) = self.report()?;
        if self.hidden.get_untracked() {
            redaction.report(&mut report);
        }
        Some(report)
    }

    fn written(self, format: Format) -> String {
        self.report_out().map(|report| export::write(&report, format, self.detail())).unwrap_or_default()
    }

    /// Tells what leaves now from what left before; tracked. `None` while there is nothing.
    fn key(self) -> Option<u64> {
        let options = (self.brief.get(), self.without_evidence.get(), self.hidden.get(), self.also.with(digest));
        let records = self.state.records.with(digest);
        let judged = self.state.judged_as();
        self.state.judging().then(|| digest(&(judged, options, records)))
    }
}

/// The bar at the foot of the result.
pub fn out(parent: El) -> El {
    let state = expect_context::<State>();
    let choices = Choices {
        state,
        brief: Watched::new(false),
        without_evidence: Watched::new(false),
        hidden: Watched::new(false),
        also: Watched::default(),
    };
    let copy = move |class: &str, label: &'static str, format: Format| {
        copy_button(class, label, label, move || choices.written(format))
    };
    let bar = move || {
        let opens = |id: &str, label: &str| {
            el("button").attr("type", "button").class("button").attr("popovertarget", id).text(label)
        };
        let print = button("button", "Print", || {
            let _ = window().print();
        });
        let hidden = move || if choices.hidden.get() { "names are replaced" } else { "" }.to_owned();
        let bar = el("div")
            .class("out")
            .child(copy("button first", "Copy as Markdown", Format::Markdown))
            .child(copy("button", "Copy JSON", Format::Json))
            .child(opens("formats", "More formats"))
            .child(opens("closing", "Closing record"))
            .child(print)
            .child(el("span").class("why").bind_text(hidden));
        vec![bar, formats(choices), closing::dialog(choices)]
    };
    parent.show(move || state.judging(), bar)
}

fn formats(choices: Choices) -> El {
    let save =
        save_button("button", "Save as JSON", move || ("etcd-upgrade.json".to_owned(), choices.written(Format::Json)));
    let [copies, saves] = ways(choices.state, "etcd-upgrade", Rc::new(move |format| choices.written(format)));
    pop("formats", "Formats")
        .child(tick("brief: the verdict, what is open, titles of the steps", choices.brief))
        .child(tick("without the pasted lines", choices.without_evidence))
        .child(tick("replace names, hosts, addresses and ids", choices.hidden))
        .child(el("div").show(
            move || choices.hidden.get(),
            move || hiding::choices(choices, move || choices.report().map(|(_, redaction)| redaction)),
        ))
        .child(copies)
        .child(saves.child(save))
        .child(el("details").child(el("summary").text("Fields of a ServiceNow change")).child(fields(choices)))
        .child(link::link(choices))
}

/// Writes something in a format.
type Written = Rc<dyn Fn(Format) -> String>;

/// What documents are copied as, and saved as.
fn ways(state: State, name: &'static str, written: Written) -> [El; 2] {
    let copy = |label: &'static str, format: Format| {
        let written = Rc::clone(&written);
        copy_button("button", label, label, move || written(format))
    };
    let of = Rc::clone(&written);
    let rich = button("button", "Copy rich text (Confluence)", move || {
        let (html, plain) = (of(Format::Rich), of(Format::Text));
        spawn_local(async move {
            let copied = clipboard::copy_rich(&html, &plain).await;
            let said = if copied { "Copied." } else { "The browser does not let the page copy." };
            state.said.set(said.to_owned());
        });
    });
    let save = |label: &'static str, format: Format| {
        let written = Rc::clone(&written);
        save_button("button", label, move || (format!("{name}.{}", format.extension()), written(format)))
    };
    let row = || el("p").class("row");
    [
        row()
            .child(copy("Copy for Jira", Format::Jira))
            .child(rich)
            .child(copy("Copy plain text", Format::Text))
            .child(copy("Copy CSV", Format::Csv)),
        row().child(save("Save as HTML", Format::Html)).child(save("Save as CSV", Format::Csv)),
    ]
}

fn tick(label: &str, value: Watched<bool>) -> El {
    let input = el("input")
        .attr("type", "checkbox")
        .bind_flag("checked", move || value.get())
        .on("change", move |event| value.set(event_target_checked(&event)));
    el("p").child(el("label").child(input).text(" ").text(label))
}

/// The fields, each to be copied by itself, with how full it is.
fn fields(choices: Choices) -> El {
    let made =
        move || choices.report_out().map(|report| servicenow::fields(&report, choices.detail())).unwrap_or_default();
    let one = |field: Field| {
        let words = format!("{}, {} ", field.label, servicenow::fill(&field));
        let name = format!("copy {}", field.label);
        let text = field.text;
        el("li").text(&words).child(copy_button("small", "copy", &name, move || text.clone()))
    };
    el("ul").redraw(move || choices.key(), move || made().into_iter().map(one).collect())
}
