//! The rollback window of each hop: a picture, and the same as a table.

use etcd_upgrade_planner::export::report::{Report, StepOut, WayOut, WindowOut};
use leptos::prelude::*;

use crate::app::state::State;

/// The ways back, top to bottom.
const LANES: [(&str, &str); 3] =
    [("Swap the binary back", "swap"), ("Formal downgrade", "downgrade"), ("Restore the backup", "restore")];

/// A point of the roll: what is open once it is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Moment {
    label: String,
    ways: [WayOut; 3],
    shuts: bool,
}

/// One hop.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Picture {
    hop: String,
    shuts_when: String,
    open_now: bool,
    moments: Vec<Moment>,
}

/// The rollback windows. Nothing is drawn when no hop is planned.
#[component]
pub fn WaysBack() -> impl IntoView {
    let state = expect_context::<State>();
    let pictures = Memo::new(move |_| state.report(pictures));
    view! {
        <Show when=move || pictures.with(|p| !p.is_empty())>
            <section class="ways-back">
                <h2>"Ways back"</h2>
                {move || {
                    let pictures = pictures.get();
                    let several = pictures.len() > 1;
                    pictures.into_iter().map(|p| view! { <Window picture=p named=several/> }).collect_view()
                }}
            </section>
        </Show>
    }
}

#[component]
fn Window(picture: Picture, named: bool) -> impl IntoView {
    let Picture { hop, shuts_when, open_now, .. } = picture.clone();
    let sentence = format!(
        "The rollback window {} and shuts when {shuts_when}. From then on the old binary is refused.",
        if open_now { "is open now" } else { "opens with the first member" },
    );
    view! {
        <figure>
            {named.then(|| view! { <h3 translate="no">{hop.clone()}</h3> })}
            <figcaption>{sentence}</figcaption>
            <Drawing picture=picture.clone()/>
            <details class="as-table">
                <summary>"As a table"</summary>
                <Table moments=picture.moments/>
            </details>
        </figure>
    }
}

const LEFT: usize = 160;
const RIGHT: usize = 900;
const LANE_TOP: usize = 44;
const LANE: usize = 36;
const BAR: usize = 18;

#[component]
fn Drawing(picture: Picture) -> impl IntoView {
    let count = picture.moments.len().max(1);
    let width = (RIGHT - LEFT) / count;
    let at = move |index: usize| LEFT + index * width;
    // Names that would run into each other take turns on two lines.
    let crowded = width < 95;
    let bottom = LANE_TOP + LANES.len() * LANE;
    let shuts = picture.moments.iter().position(|m| m.shuts);
    let label = format!(
        "{}: swapping the binary back is open until {}; then only formal downgrade and restore. The table below says it step by step.",
        picture.hop, picture.shuts_when
    );
    let names = picture.moments.iter().enumerate().map(|(i, m)| {
        let y = if crowded && i % 2 == 1 { 32 } else { 16 };
        let class = if m.shuts { "strong" } else { "" };
        view! {
            <path class="tick" d=format!("M{x} 38V{bottom}", x = at(i))></path>
            <text x=at(i) y=y class=class>
                {short(&m.label)}
            </text>
        }
    });
    let lanes = LANES.iter().enumerate().map(|(lane, (title, class))| {
        let y = LANE_TOP + lane * LANE;
        let bars = open_stretches(&picture.moments, lane).into_iter().map(|(from, to)| {
            view! {
                <rect class=format!("bar-{class}") x=at(from) y=y width=(to - from) * width height=BAR rx="3"></rect>
            }
        });
        view! {
            <text x="0" y=y + 13 class="strong">
                {*title}
            </text>
            {bars.collect_view()}
        }
    });
    let shut = shuts.map(|i| {
        let x = at(i);
        // Right of the line, unless that runs out of the picture.
        let (x_text, anchor) = if x + 180 > RIGHT { (x - 8, "end") } else { (x + 8, "start") };
        view! {
            <path class="shut" d=format!("M{x} 38V{}", bottom + 14)></path>
            <text class="shut" x=x_text y=bottom + 16 text-anchor=anchor>
                "the window shuts here"
            </text>
        }
    });
    view! {
        <svg viewBox=format!("0 0 {RIGHT} {}", bottom + 24) role="img" aria-label=label>
            {names.collect_view()}
            {lanes.collect_view()}
            {shut}
        </svg>
    }
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

#[component]
fn Table(moments: Vec<Moment>) -> impl IntoView {
    let row = |moment: Moment| {
        let cells = moment.ways.into_iter().zip(LANES).map(|(way, (title, _))| {
            let (class, word) = if way.open { ("state ready", "✓ open") } else { ("state quiet", "✕ shut") };
            view! {
                <td data-label=title>
                    <span class=class>{word}</span>
                    <span class="why">" " {way.reason}</span>
                </td>
            }
        });
        view! {
            <tr class:shuts=moment.shuts>
                <th scope="row">
                    {moment.label} {moment.shuts.then(|| view! { <span class="state blocked">" the window shuts"</span> })}
                </th>
                {cells.collect_view()}
            </tr>
        }
    };
    view! {
        <table>
            <thead>
                <tr>
                    <th scope="col">"After"</th>
                    {LANES.iter().map(|(title, _)| view! { <th scope="col">{*title}</th> }).collect_view()}
                </tr>
            </thead>
            <tbody>{moments.into_iter().map(row).collect_view()}</tbody>
        </table>
    }
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
    Picture { hop: window.hop.clone(), shuts_when: window.shuts_when.clone(), open_now: window.open_now, moments }
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
