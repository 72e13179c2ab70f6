//! The rollback window of each hop: a picture, and the same as a table.

use etcd_upgrade_planner::export::report::{Report, StepOut, WayOut, WindowOut};
use leptos::prelude::*;

use crate::app::dom::list::{Item, digest};
use crate::app::dom::{El, el, svg};
use crate::app::state::State;
use crate::app::words::list;

/// A way back: its title, its class, and its place among the ways of a moment.
type Lane = (&'static str, &'static str, usize);

/// The ways back, top to bottom.
const LANES: [Lane; 3] =
    [("Swap the binary back", "swap", 0), ("Formal downgrade", "downgrade", 1), ("Restore the backup", "restore", 2)];
/// On the way down the formal downgrade is what can be cancelled.
const LANES_DOWN: [Lane; 3] = [LANES[0], ("Cancel the downgrade", "downgrade", 1), LANES[2]];
/// A restore touches no binary: there is one way back.
const LANES_OF_RESTORE: [Lane; 1] = [("The old data", "restore", 2)];

/// What the moments lead through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Course {
    Up,
    Down,
    Restore,
}

impl Picture {
    fn lanes(&self) -> &'static [Lane] {
        match self.course {
            Course::Up => &LANES,
            Course::Down => &LANES_DOWN,
            Course::Restore => &LANES_OF_RESTORE,
        }
    }
}

/// A point of the roll: what is open once it is reached.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Moment {
    label: String,
    ways: [WayOut; 3],
    shuts: bool,
    /// The step with which it is reached: the one that shuts the window, else its last.
    reached_by: String,
}

/// One hop, or a restore.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Picture {
    hop: String,
    shuts_when: String,
    open_now: bool,
    course: Course,
    moments: Vec<Moment>,
    /// The moment that the ticks say is reached; `None` while another hop is under way.
    here: Option<usize>,
}

/// The rollback windows. Nothing is drawn when no hop is planned.
pub fn ways_back(parent: El) -> El {
    let state = expect_context::<State>();
    let shown = move || state.judging() && state.report(|r| !r.windows.is_empty() || r.intent.kind == "restore");
    let draw = move || {
        let windows = move || {
            let pictures = state.report(|r| pictures(r, &|step| state.is_done(step)));
            let named = pictures.len() > 1;
            pictures.into_iter().map(|p| Item::new(digest(&(&p, named)), move || vec![window(&p, named)])).collect()
        };
        vec![el("section").class("ways-back").child(el("h2").text("Ways back")).list(windows)]
    };
    parent.show(shown, draw)
}

fn window(picture: &Picture, named: bool) -> El {
    let sentence = match (picture.course, picture.open_now) {
        (Course::Restore, _) => {
            "The old data lie aside on every host. Until the first client writes they can be put back and \
                                 nothing is lost."
                .to_owned()
        }
        (Course::Down, true) => format!("The downgrade is enabled and can be cancelled until {}.", picture.shuts_when),
        (Course::Down, false) => {
            format!("Once it is enabled the downgrade can be cancelled until {}.", picture.shuts_when)
        }
        (Course::Up, open_now) => format!(
            "The rollback window {} and shuts when {}. From then on the old binary is refused.",
            if open_now { "is open now" } else { "opens with the first member" },
            picture.shuts_when,
        ),
    };
    let here = picture.here.and_then(|at| picture.moments.get(at)).map(|moment| here_in_words(picture, moment));
    let as_table = el("details").class("as-table").child(el("summary").text("As a table")).child(table(picture));
    el("figure")
        .children(named.then(|| el("h3").attr("translate", "no").text(&picture.hop)))
        .child(el("figcaption").text(&sentence).children(here.map(|words| el("b").text(&words))))
        .child(drawing(picture))
        .child(as_table)
}

/// " You are here: m3 on the new minor. Swap the binary back and restore the backup are open."
fn here_in_words(picture: &Picture, moment: &Moment) -> String {
    let open = |&&(_, _, lane): &&Lane| moment.ways.get(lane).is_some_and(|way| way.open);
    let open: Vec<String> = picture.lanes().iter().filter(open).map(|(title, _, _)| title.to_lowercase()).collect();
    let ways = match open.as_slice() {
        [] => "no way back is open".to_owned(),
        [one] => format!("one way back is open: {one}"),
        many => format!("open are: {}", list(many)),
    };
    format!(" By your ticks you are here: {}; {ways}.", moment.label)
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
    let lanes = picture.lanes();
    let bottom = LANE_TOP + lanes.len() * LANE;
    let label = format!(
        "{}: {} is open until {}. The table below says step by step which ways are open.",
        picture.hop,
        match picture.course {
            Course::Up => "swapping the binary back",
            Course::Down => "cancelling",
            Course::Restore => "putting the old data back without loss",
        },
        picture.shuts_when,
    );
    let mut drawing = svg("svg")
        .attr("viewBox", &format!("0 0 {RIGHT} {}", bottom + 38))
        .attr("role", "img")
        .attr("aria-label", &label);
    for (index, moment) in picture.moments.iter().enumerate() {
        let y = if crowded && index % 2 == 1 { 32 } else { 16 };
        let class = if moment.shuts { "strong" } else { "" };
        drawing = drawing
            .child(line("tick", at(index), bottom))
            .child(words(class, at(index), y).text(&short(&moment.label)));
    }
    for (row, &(title, class, lane)) in lanes.iter().enumerate() {
        let y = LANE_TOP + row * LANE;
        drawing = drawing.child(words("strong", 0, y + 13).text(title));
        for (from, to) in open_stretches(&picture.moments, lane) {
            let bar = placed(svg("rect").class(&format!("bar-{class}")), at(from), y);
            let bar = bar.attr("width", &((to - from) * width).to_string()).attr("height", &BAR.to_string());
            drawing = drawing.child(bar.attr("rx", "3"));
        }
    }
    let shuts = picture.moments.iter().position(|m| m.shuts).map(at);
    // Right of the line, unless that runs out of the picture.
    let is_left = shuts.is_some_and(|x| x + SAYS > RIGHT);
    if let Some(x) = shuts {
        let (x_text, anchor) = if is_left { (x - 8, "end") } else { (x + 8, "start") };
        let says = words("shut", x_text, bottom + 16).attr("text-anchor", anchor).text("the window shuts here");
        drawing = drawing.child(line("shut", x, bottom + 14)).child(says);
    }
    if let Some(here) = picture.here {
        // In the stretch that lies between this moment and the next; below what else stands there.
        let x = at(here) + width / 2;
        let taken = shuts.is_some_and(|s| {
            let (from, to) = if is_left { (s.saturating_sub(SAYS), s) } else { (s, s + SAYS) };
            x + HERE > from && x < to + HERE
        });
        let y = if taken { bottom + 32 } else { bottom + 16 };
        let point = svg("path").class("here").attr("d", &format!("M{x} {}l-6 10h12z", bottom - 12));
        let says = words("here", x, y).attr("text-anchor", "middle").text("you are here");
        drawing = drawing.child(point).child(says);
    }
    drawing
}

/// Room for "the window shuts here", and half of that for "you are here".
const SAYS: usize = 180;
const HERE: usize = 45;

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
    let row = |(at, moment): (usize, &Moment)| {
        let cells =
            lanes.iter().filter_map(|&(title, _, lane)| Some((title, moment.ways.get(lane)?))).map(|(title, way)| {
                let (class, word) = if way.open { ("state ready", "✓ open") } else { ("state quiet", "✕ shut") };
                let state = el("span").class(class).text(word);
                let reason = el("span").class("why").text(": ").text(&way.reason);
                el("td").attr("data-label", title).child(state).child(reason)
            });
        let shuts = moment.shuts.then(|| el("span").class("state blocked").text(" the window shuts"));
        let here = (picture.here == Some(at)).then(|| el("b").text(" ← you are here"));
        let name = el("th").attr("scope", "row").text(&moment.label).children(shuts).children(here);
        let row = if moment.shuts { el("tr").class("shuts") } else { el("tr") };
        row.child(name).children(cells)
    };
    let titles = std::iter::once("After").chain(lanes.iter().map(|&(title, _, _)| title));
    let heads = el("tr").children(titles.map(|title| el("th").attr("scope", "col").text(title)));
    el("table").child(el("thead").child(heads)).child(el("tbody").children(picture.moments.iter().enumerate().map(row)))
}

/// The pictures of a report. Where you are is told by the steps that are done: the last moment that is reached, in the
/// first picture that is not through.
fn pictures(report: &Report, is_done: &dyn Fn(&str) -> bool) -> Vec<Picture> {
    let mut pictures: Vec<Picture> = if report.intent.kind == "restore" {
        restore(report).into_iter().collect()
    } else {
        report.windows.iter().map(|window| picture(report, window)).filter(|p| !p.moments.is_empty()).collect()
    };
    let reached = |p: &Picture| p.moments.iter().rposition(|m| is_done(&m.reached_by));
    let through = |p: &Picture| reached(p).is_some_and(|at| at + 1 == p.moments.len());
    let current = pictures.iter().position(|p| !through(p)).or(pictures.len().checked_sub(1));
    if let Some(picture) = current.and_then(|at| pictures.get_mut(at)) {
        // Before anything is ticked it is the first moment, which nothing leads to.
        picture.here = Some(reached(picture).unwrap_or(0));
    }
    pictures
}

/// The moments of a restore: each phase once it is done.
fn restore(report: &Report) -> Option<Picture> {
    let moments: Vec<Moment> = report
        .checklist
        .iter()
        .filter_map(|phase| {
            let label = match phase.phase.as_str() {
                "Prepare" => "before",
                "Stop" => "stopped",
                "Restore" => "restored",
                "Start and verify" => "started",
                "After" => "clients write",
                _ => return None,
            };
            Some(moment(label.to_owned(), phase.steps.last()?, phase.phase == "After"))
        })
        .collect();
    (!moments.is_empty()).then(|| Picture {
        hop: "Restore".to_owned(),
        shuts_when: "the first client writes".to_owned(),
        open_now: false,
        course: Course::Restore,
        moments,
        here: None,
    })
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
            let moment = moment(label, step, step.id == window.shuts_at);
            match moments.last_mut().filter(|_| same) {
                // The window is shut from the step that shuts it on, whatever of the member is still to do.
                Some(last) if last.shuts => {
                    *last = Moment { shuts: true, reached_by: last.reached_by.clone(), ..moment }
                }
                Some(last) => *last = moment,
                None => moments.push(moment),
            }
        }
    }
    Picture {
        hop: window.hop.clone(),
        shuts_when: window.shuts_when.clone(),
        open_now: window.open_now,
        course: if report.intent.kind == "downgrade" { Course::Down } else { Course::Up },
        moments,
        here: None,
    }
}

fn moment(label: String, step: &StepOut, shuts: bool) -> Moment {
    let ways = [step.ways_back.swap.clone(), step.ways_back.downgrade.clone(), step.ways_back.restore.clone()];
    Moment { label, ways, shuts, reached_by: step.id.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn moment(open: [bool; 3]) -> Moment {
        let ways = open.map(|open| WayOut { open, reason: String::new() });
        Moment { label: String::new(), ways, shuts: false, reached_by: String::new() }
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
