//! What leaves the page, by the person's own hand: tickets, reports, paper. The choices at its side hold for all of it.

use etcd_upgrade_planner::export::document::Detail;
use etcd_upgrade_planner::export::redact::Redaction;
use etcd_upgrade_planner::export::report::Report;
use etcd_upgrade_planner::export::servicenow::{self, Field};
use etcd_upgrade_planner::export::{self, Format};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::clipboard;
use crate::app::components::copy_button::copy_button;
use crate::app::dom::list::digest;
use crate::app::dom::{El, button, el};
use crate::app::download;
use crate::app::state::State;
use crate::app::watched::Watched;

/// How it leaves.
#[derive(Clone, Copy)]
struct Choices {
    state: State,
    brief: Watched<bool>,
    without_evidence: Watched<bool>,
    hidden: Watched<bool>,
}

impl Choices {
    fn detail(self) -> Detail {
        if self.brief.get_untracked() { Detail::Brief } else { Detail::Full }
    }

    /// What names are replaced, of the report as it leaves.
    fn redaction(self) -> Redaction {
        self.state.report_out(|report| Redaction::of(report, &[], &[]))
    }

    /// The report as it leaves.
    fn with_report<T: Default>(self, write: impl FnOnce(&Report) -> T) -> T {
        self.state.report_out(|report| {
            let mut report = report.clone();
            if self.without_evidence.get_untracked() {
                report.leave_evidence_out();
            }
            if self.hidden.get_untracked() {
                Redaction::of(&report, &[], &[]).report(&mut report);
            }
            write(&report)
        })
    }

    fn written(self, format: Format) -> String {
        self.with_report(|report| export::write(report, format, self.detail()))
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
    };
    let copy = move |class: &str, label: &'static str, format: Format| {
        copy_button(class, label, label, move || choices.written(format))
    };
    let bar = move || {
        let opens =
            el("button").attr("type", "button").class("button").attr("popovertarget", "formats").text("More formats");
        let print = button("button", "Print", || {
            let _ = window().print();
        });
        let hidden = move || if choices.hidden.get() { "names are replaced" } else { "" }.to_owned();
        let bar = el("div")
            .class("out")
            .child(copy("button first", "Copy as Markdown", Format::Markdown))
            .child(copy("button", "Copy JSON", Format::Json))
            .child(opens)
            .child(print)
            .child(el("span").class("why").bind_text(hidden));
        vec![bar, formats(choices)]
    };
    parent.show(move || state.judging(), bar)
}

fn formats(choices: Choices) -> El {
    let copy =
        |label: &'static str, format: Format| copy_button("button", label, label, move || choices.written(format));
    let rich = button("button", "Copy rich text (Confluence)", move || {
        let (html, plain) = (choices.written(Format::Rich), choices.written(Format::Text));
        spawn_local(async move {
            let copied = clipboard::copy_rich(&html, &plain).await;
            let said = if copied { "Copied." } else { "The browser does not let the page copy." };
            choices.state.said.set(said.to_owned());
        });
    });
    let saves = |label: &'static str, format: Format| {
        button("button", label, move || {
            download::save(&format!("etcd-upgrade.{}", format.extension()), &choices.written(format));
        })
    };
    el("div")
        .attr("id", "formats")
        .class("pop")
        .attr("popover", "auto")
        .attr("role", "dialog")
        .attr("aria-label", "Formats")
        .child(tick("brief: the verdict, what is open, titles of the steps", choices.brief))
        .child(tick("without the pasted lines", choices.without_evidence))
        .child(tick("replace names, hosts, addresses and ids", choices.hidden))
        .child(el("div").show(move || choices.hidden.get(), move || preview(choices)))
        .child(
            el("p")
                .class("row")
                .child(copy("Copy for Jira", Format::Jira))
                .child(rich)
                .child(copy("Copy plain text", Format::Text))
                .child(copy("Copy CSV", Format::Csv)),
        )
        .child(
            el("p")
                .class("row")
                .child(saves("Save as HTML", Format::Html))
                .child(saves("Save as JSON", Format::Json))
                .child(saves("Save as CSV", Format::Csv)),
        )
        .child(el("details").child(el("summary").text("Fields of a ServiceNow change")).child(fields(choices)))
}

fn tick(label: &str, value: Watched<bool>) -> El {
    let input = el("input")
        .attr("type", "checkbox")
        .bind_flag("checked", move || value.get())
        .on("change", move |event| value.set(event_target_checked(&event)));
    el("p").child(el("label").child(input).text(" ").text(label))
}

/// What is replaced by what, and the key that puts it back.
fn preview(choices: Choices) -> Vec<El> {
    let redaction = choices.redaction();
    let rows = redaction.pairs().iter().map(|pair| {
        let cell = |text: &str| el("td").attr("translate", "no").text(text);
        el("tr").child(cell(&pair.original)).child(cell(&pair.stand_in))
    });
    let table = el("table").child(el("tbody").children(rows));
    let key = button("small", "Save the key", move || {
        download::save("etcd-upgrade-key.json", &choices.redaction().key());
    });
    let words = "The key puts the names back into an answer: etcd-upgrade-planner put-back --key FILE. Keep it here. ";
    vec![
        el("details").child(el("summary").text("What is replaced")).child(table),
        el("p").class("why").text(words).child(key),
    ]
}

/// The fields, each to be copied by itself, with how full it is.
fn fields(choices: Choices) -> El {
    let made = move || choices.with_report(|report| servicenow::fields(report, choices.detail()));
    let key = move || {
        let state = choices.state;
        let options = (choices.brief.get(), choices.without_evidence.get(), choices.hidden.get());
        let records = state.records.with(digest);
        state.judging().then(|| state.report(|report| digest(&(&report.summary, &report.findings, options, records))))
    };
    let one = |field: Field| {
        let words = format!("{}, {} ", field.label, servicenow::fill(&field));
        let name = format!("copy {}", field.label);
        let text = field.text;
        el("li").text(&words).child(copy_button("small", "copy", &name, move || text.clone()))
    };
    el("ul").redraw(key, move || made().into_iter().map(one).collect())
}
