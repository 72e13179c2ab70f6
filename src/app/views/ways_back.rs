//! The rollback window of each hop: a picture, and the same as a table.

use etcd_upgrade_planner::export::report::{Report, StepOut, WayOut, WindowOut};
use leptos::prelude::*;

use crate::app::dom::list::digest;
use crate::app::dom::{El, el, svg};
use crate::app::state::State;

/// The ways back, top to bottom.
const LANES: [(&str, &str); 3] =
    [("Swap the binary back", "swap"), ("Formal downgrade", "downgrade"), ("Restore the backup", "restore")];

impl Picture {
    /// The lanes; on the way down the formal downgrade is what can be cancelled.
    fn lanes(&self) -> [(&'static str, &'static str); 3] {
        let mut lanes = LANES;
        if self.down {
            lanes[1].0 = "Cancel the downgrade";
        }
        lanes
    }
}

/// A point of the roll: what is open once it is reached.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Moment {
    label: String,
    ways: [WayOut; 3],
    shuts: bool,
}

/// One hop.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Picture {
    hop: String,
    shuts_when: String,
    open_now: bool,
    down: bool,
    moments: Vec<Moment>,
}

/// The rollback windows. Nothing is drawn when no hop is planned.
pub fn ways_back(parent: El) -> El {
    let state = expect_context::<State>();
    let key = move || {
        let pictures = state.report(pictures);
        (state.judging() && !pictures.is_empty()).then(|| digest(&pictures))
    };
    let draw = move || {
        let pictures = state.report(pictures);
        let windows = pictures.iter().map(|p| window(p, pictures.len() > 1));
        vec![el("section").class("ways-back").child(el("h2").text("Ways back")).children(windows)]
    };
    parent.redraw(key, draw)
}

fn window(picture: &Picture, named: bool) -> El {
    let sentence = match (picture.down, picture.open_now) {
        (true, true) => format!("The downgrade is enabled and can be cancelled until {}.", picture.shuts_when),
        (true, false) => format!("Once it is enabled the downgrade can be cancelled until {}.", picture.shuts_when),
        (false, open_now) => format!(
            "The rollback window {} and shuts when {}. From then on the old binary is refused.",
            if open_now { "is open now" } else { "opens with the first member" },
            picture.shuts_when,
        ),
    };
    let as_table = el("details").class("as-table").child(el("summary").text("As a table")).child(table(picture));
    el("figure")
        .children(named.then(|| el("h3").attr("translate", "no").text(&picture.hop)))
        .child(el("figcaption").text(&sentence))
        .child(drawing(picture))
        .child(as_table)
}

const LEFT: usize = 160;
const RIGHT: usize = 900;
const LANE_TOP: usize = 44;
const LANE: usize = 36;
const BAR: usize = 18;

fn drawing(picture: &Picture) -> El {
    let count = picture.moments.len().max(1);
    let width = (RIGHT - LEFT) / count;
    let at = |index: usize| LEFT + index * width;
    // Names that would run into each other take turns on two lines.
    let crowded = width < 95;
    let bottom = LANE_TOP + LANES.len() * LANE;
    let label = format!(
        "{}: {} is open until {}. The table below says step by step which ways are open.",
        picture.hop,
        if picture.down { "cancelling" } else { "swapping the binary back" },
        picture.shuts_when,
    );
    let mut drawing = svg("svg")
        .attr("viewBox", &format!("0 0 {RIGHT} {}", bottom + 24))
        .attr("role", "img")
        .attr("aria-label", &label);
    for (index, moment) in picture.moments.iter().enumerate() {
        let y = if crowded && index % 2 == 1 { 32 } else { 16 };
        let class = if moment.shuts { "strong" } else { "" };
        drawing = drawing
            .child(line("tick", at(index), bottom))
            .child(words(class, at(index), y).text(&short(&moment.label)));
    }
    for (lane, (title, class)) in picture.lanes().iter().enumerate() {
        let y = LANE_TOP + lane * LANE;
        drawing = drawing.child(words("strong", 0, y + 13).text(title));
        for (from, to) in open_stretches(&picture.moments, lane) {
            let bar = placed(svg("rect").class(&format!("bar-{class}")), at(from), y);
            let bar = bar.attr("width", &((to - from) * width).to_string()).attr("height", &BAR.to_string());
            drawing = drawing.child(bar.attr("rx", "3"));
        }
    }
    if let Some(shuts) = picture.moments.iter().position(|m| m.shuts) {
        let x = at(shuts);
        // Right of the line, unless that runs out of the picture.
        let (x_text, anchor) = if x + 180 > RIGHT { (x - 8, "end") } else { (x + 8, "start") };
        let says = words("shut", x_text, bottom + 16).attr("text-anchor", anchor).text("the window shuts here");
        drawing = drawing.child(line("shut", x, bottom + 14)).child(says);
    }
    drawing
}

/// A line down the picture.
fn line(class: &str, x: usize, bottom: usize) -> El {
    svg("path").class(class).attr("d", &format!("M{x} 38V{bottom}"))
}

fn words(class: &str, x: usize, y: usize) -> El {
    placed(svg("text").class(class), x, y)
}

fn placed(shape: El, x: usize, y: usize) -> El {
    shape.attr("x", &x.to_string()).attr("y", &y.to_string())
}

/// Stretches of moments in which a lane is open: from index, to index (exclusive).
fn open_stretches(moments: &[Moment], lane: usize) -> Vec<(usize, usize)> {
    let mut stretches: Vec<(usize, usize)> = Vec::new();
    for (index, moment) in moments.iter().enumerate() {
        if !moment.ways.get(lane).is_some_and(|w| w.open) {
            continue;
        }
        match stretches.last_mut() {
            Some((_, to)) if *to == index => *to = index + 1,
            _ => stretches.push((index, index + 1)),
        }
    }
    stretches
}

fn short(label: &str) -> String {
    const MOST: usize = 16;
    if label.chars().count() <= MOST {
        return label.to_owned();
    }
    label.chars().take(MOST - 1).chain(['…']).collect()
}

fn table(picture: &Picture) -> El {
    let lanes = picture.lanes();
    let row = |moment: &Moment| {
        let cells = moment.ways.iter().zip(lanes).map(|(way, (title, _))| {
            let (class, word) = if way.open { ("state ready", "✓ open") } else { ("state quiet", "✕ shut") };
            let state = el("span").class(class).text(word);
            let reason = el("span").class("why").text(" ").text(&way.reason);
            el("td").attr("data-label", title).child(state).child(reason)
        });
        let shuts = moment.shuts.then(|| el("span").class("state blocked").text(" the window shuts"));
        let name = el("th").attr("scope", "row").text(&moment.label).children(shuts);
        let row = if moment.shuts { el("tr").class("shuts") } else { el("tr") };
        row.child(name).children(cells)
    };
    let titles = std::iter::once("After").chain(lanes.map(|(title, _)| title));
    let heads = el("tr").children(titles.map(|title| el("th").attr("scope", "col").text(title)));
    el("table").child(el("thead").child(heads)).child(el("tbody").children(picture.moments.iter().map(row)))
}

fn pictures(report: &Report) -> Vec<Picture> {
    report.windows.iter().map(|window| picture(report, window)).filter(|p| !p.moments.is_empty()).collect()
}

/// The moments of a hop: before the roll, each member (or step of the roll that is no member's), the close.
fn picture(report: &Report, window: &WindowOut) -> Picture {
    let minor = window.hop.rsplit(' ').next().unwrap_or("");
    let mut moments: Vec<Moment> = Vec::new();
    let mut last_member: Option<&str> = None;
    for phase in report.checklist.iter().filter(|p| p.hop.as_deref() == Some(window.hop.as_str())) {
        for step in &phase.steps {
            let (label, same) = match (phase.phase.as_str(), step.member.as_deref()) {
                ("Roll", Some(member)) => (format!("{member} on {minor}"), last_member == Some(member)),
                ("Roll", None) => (step.title.clone(), false),
                ("Close", _) => {
                    (format!("{minor} agreed"), moments.last().is_some_and(|m| m.label.ends_with(" agreed")))
                }
                ("Lower the version", _) => {
                    ("lowered".to_owned(), moments.last().is_some_and(|m| m.label == "lowered"))
                }
                ("After", _) => continue,
                _ => (if window.open_now { "now" } else { "before" }.to_owned(), !moments.is_empty()),
            };
            last_member = step.member.as_deref().filter(|_| phase.phase == "Roll");
            let moment = moment(label, step, window);
            match moments.last_mut().filter(|_| same) {
                Some(last) => *last = Moment { shuts: last.shuts || moment.shuts, ..moment },
                None => moments.push(moment),
            }
        }
    }
    Picture {
        hop: window.hop.clone(),
        shuts_when: window.shuts_when.clone(),
        open_now: window.open_now,
        down: report.intent.kind == "downgrade",
        moments,
    }
}

fn moment(label: String, step: &StepOut, window: &WindowOut) -> Moment {
    let ways = [step.ways_back.swap.clone(), step.ways_back.downgrade.clone(), step.ways_back.restore.clone()];
    Moment { label, ways, shuts: step.id == window.shuts_at }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn moment(open: [bool; 3]) -> Moment {
        Moment { label: String::new(), ways: open.map(|open| WayOut { open, reason: String::new() }), shuts: false }
    }

    #[wasm_bindgen_test]
    fn a_lane_is_drawn_where_it_is_open_and_nowhere_else() {
        let moments = [moment([true, false, true]), moment([true, false, false]), moment([false, true, true])];
        assert_eq!(open_stretches(&moments, 0), [(0, 2)]);
        assert_eq!(open_stretches(&moments, 1), [(2, 3)]);
        assert_eq!(open_stretches(&moments, 2), [(0, 1), (2, 3)]);
    }

    #[wasm_bindgen_test]
    fn a_long_name_is_cut() {
        assert_eq!(short("m2 on x"), "m2 on x");
        assert_eq!(short("https://etcd-0.example.com:2379").chars().count(), 16);
    }
}
