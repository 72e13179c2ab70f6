//! Two tabs on one cluster: what each changed since they last agreed, put together so that nothing is lost.

use super::kept::{Kept, KeptPaste};

/// What came of it.
pub struct Merged {
    /// The work of both.
    pub kept: Kept,
    /// Pastes whose text both changed: the number of each, and the number under which ours stands beside theirs.
    pub copies: Vec<(u64, u64)>,
}

/// Puts `mine` and `theirs` together, both made of `base`. What only one of them changed is taken from it. What both
/// changed is mine where it is one value, and both where it is a text.
// Never inlined: it waits in the second part of the page.
#[inline(never)]
pub fn merge(base: &Kept, mine: &Kept, theirs: &Kept, new_id: fn() -> u64) -> Merged {
    let mut copies = Vec::new();
    let pastes = pastes(base, mine, theirs, new_id, &mut copies);
    let mut records = theirs.records.clone();
    for step in base.records.keys().chain(mine.records.keys()) {
        let (before, now) = (base.records.get(step), mine.records.get(step));
        match now {
            _ if before == now => {}
            Some(record) => {
                records.insert(step.clone(), record.clone());
            }
            None => {
                records.remove(step);
            }
        }
    }
    let kept = Kept {
        name: pick(&base.name, &mine.name, &theirs.name),
        since: theirs.since,
        pastes,
        draft: draft(&base.draft, &mine.draft, &theirs.draft),
        intent: pick(&base.intent, &mine.intent, &theirs.intent),
        to: pick(&base.to, &mine.to, &theirs.to),
        from: pick(&base.from, &mine.from, &theirs.from),
        answered: list(&base.answered, &mine.answered, &theirs.answered),
        records,
        waivers: list(&base.waivers, &mine.waivers, &theirs.waivers),
        before: pick(&base.before, &mine.before, &theirs.before),
        // The last mark of what comes of both is set when it is kept.
        trail: theirs.trail.clone(),
        ..Kept::default()
    };
    Merged { kept, copies }
}

/// How many marks a trail has at most. Tabs miss each other for milliseconds, within one or two states.
const TRAIL: usize = 12;

/// Marks a state that is about to be kept. `seen` are the states this tab saw, the newest last.
pub fn mark(mine: &mut Kept, seen: &[Kept], mark: String) {
    for known in seen.iter().filter_map(|kept| kept.trail.last()) {
        if !mine.trail.contains(known) {
            mine.trail.push(known.clone());
        }
    }
    mine.trail.push(mark);
    let over = mine.trail.len().saturating_sub(TRAIL);
    mine.trail.drain(..over);
}

/// The newest state that both sides saw. Storage has no lock: whoever writes at the same moment as we do has not seen
/// what we wrote, and then the state before is where both began. `None` when they share none.
pub fn common<'a>(seen: &'a [Kept], theirs: &Kept) -> Option<&'a Kept> {
    // A page before this one leaves no trail; it read what was there before it wrote.
    let knows = |kept: &&Kept| kept.trail.last().is_none_or(|mark| theirs.trail.contains(mark));
    if theirs.trail.is_empty() { seen.last() } else { seen.iter().rev().find(knows) }
}

/// Adds a state to those that were seen.
pub fn saw(seen: &mut Vec<Kept>, kept: Kept) {
    seen.push(kept);
    let over = seen.len().saturating_sub(TRAIL);
    seen.drain(..over);
}

fn pick<T: PartialEq + Clone>(base: &T, mine: &T, theirs: &T) -> T {
    if mine == base { theirs } else { mine }.clone()
}

/// What both typed into the box stands there one after the other.
fn draft(base: &String, mine: &String, theirs: &String) -> String {
    if mine == base || mine == theirs || theirs.is_empty() {
        pick(base, mine, theirs)
    } else if theirs == base || mine.is_empty() {
        mine.clone()
    } else {
        format!("{theirs}\n{mine}")
    }
}

/// Theirs without what I took out, then what I put in.
fn list<T: PartialEq + Clone>(base: &[T], mine: &[T], theirs: &[T]) -> Vec<T> {
    let kept = theirs.iter().filter(|item| mine.contains(item) || !base.contains(item));
    let new = mine.iter().filter(|item| !base.contains(item) && !theirs.contains(item));
    kept.chain(new).cloned().collect()
}

fn pastes(
    base: &Kept,
    mine: &Kept,
    theirs: &Kept,
    new_id: fn() -> u64,
    copies: &mut Vec<(u64, u64)>,
) -> Vec<KeptPaste> {
    let ids = |kept: &Kept| kept.pastes.iter().map(|p| p.id).collect::<Vec<_>>();
    let i_moved = ids(mine) != ids(base);
    let (first, second) = if i_moved { (mine, theirs) } else { (theirs, mine) };
    let mut order = ids(first);
    let mut before = None;
    for id in ids(second) {
        if !order.contains(&id) {
            // What the first took out and the second changed stands where it stood; what is new comes last.
            let after = before.and_then(|before| order.iter().position(|o| *o == before)).map_or(0, |at| at + 1);
            let at = if find(base, id).is_some() { after } else { order.len() };
            order.insert(at, id);
        }
        before = Some(id);
    }
    let mut pastes = Vec::new();
    for id in order {
        match (find(base, id), find(mine, id), find(theirs, id)) {
            // One of them took it out, the other left it as it was.
            (Some(before), Some(one), None) | (Some(before), None, Some(one)) if before == one => {}
            (_, Some(one), None) | (_, None, Some(one)) => pastes.push(one.clone()),
            (before, Some(mine), Some(theirs)) => {
                let before = before.cloned().unwrap_or_default();
                let mut both = KeptPaste {
                    id,
                    name: pick(&before.name, &mine.name, &theirs.name),
                    kind: pick(&before.kind, &mine.kind, &theirs.kind),
                    member: pick(&before.member, &mine.member, &theirs.member),
                    edits: pick(&before.edits, &mine.edits, &theirs.edits),
                    text: None,
                };
                if mine.edits != before.edits && theirs.edits != before.edits && mine.edits != theirs.edits {
                    let copy = new_id();
                    both.edits = theirs.edits;
                    pastes.push(both);
                    copies.push((id, copy));
                    pastes.push(KeptPaste {
                        id: copy,
                        name: format!("{}, also edited here", mine.name),
                        ..mine.clone()
                    });
                } else {
                    pastes.push(both);
                }
            }
            (_, None, None) => {}
        }
    }
    pastes
}

fn find(kept: &Kept, id: u64) -> Option<&KeptPaste> {
    kept.pastes.iter().find(|p| p.id == id)
}

#[cfg(test)]
mod tests {
    use etcd_upgrade_planner::export::record::StepRecord;

    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn kept(ids: &[u64]) -> Kept {
        let pastes = ids.iter().map(|id| KeptPaste { id: *id, name: format!("paste {id}"), ..KeptPaste::default() });
        Kept { pastes: pastes.collect(), ..Kept::default() }
    }

    fn ids(merged: &Merged) -> Vec<u64> {
        merged.kept.pastes.iter().map(|p| p.id).collect()
    }

    fn merged(base: &Kept, mine: &Kept, theirs: &Kept) -> Merged {
        merge(base, mine, theirs, || 99)
    }

    #[wasm_bindgen_test]
    fn what_each_added_is_there_and_what_each_took_out_is_gone() {
        let base = kept(&[1, 2, 3]);
        assert_eq!(ids(&merged(&base, &kept(&[1, 2, 3, 4]), &kept(&[1, 2, 3, 5]))), [1, 2, 3, 4, 5]);
        assert_eq!(ids(&merged(&base, &kept(&[2, 3]), &kept(&[1, 2]))), [2]);
        assert_eq!(ids(&merged(&base, &kept(&[1, 2, 3]), &kept(&[3, 1, 2]))), [3, 1, 2]);
        assert_eq!(ids(&merged(&base, &kept(&[3, 2, 1]), &kept(&[1, 2, 3, 4]))), [3, 2, 1, 4]);
    }

    #[wasm_bindgen_test]
    fn what_one_took_out_and_the_other_changed_stays() {
        let (base, mut mine) = (kept(&[1, 2]), kept(&[1, 2]));
        mine.pastes[0].edits = 1;
        assert_eq!(ids(&merged(&base, &mine, &kept(&[2]))), [1, 2]);
        assert_eq!(ids(&merged(&base, &kept(&[2]), &mine)), [1, 2]);
    }

    #[wasm_bindgen_test]
    fn two_texts_of_one_paste_are_both_there() {
        let (base, mut mine, mut theirs) = (kept(&[1]), kept(&[1]), kept(&[1]));
        mine.pastes[0].edits = 1;
        theirs.pastes[0].edits = 4;
        let both = merged(&base, &mine, &theirs);
        assert_eq!((ids(&both), both.copies.clone()), (vec![1, 99], vec![(1, 99)]));
        assert_eq!(both.kept.pastes[0].edits, 4);
    }

    #[wasm_bindgen_test]
    fn one_text_that_both_already_have_is_there_once() {
        let mut changed = kept(&[1]);
        changed.pastes[0].edits = 5;
        let both = merged(&kept(&[1]), &changed, &changed.clone());
        assert_eq!((both.kept, both.copies), (changed, vec![]));
    }

    #[wasm_bindgen_test]
    fn the_newest_state_both_saw_is_where_they_began() {
        let state = |marks: &[&str]| Kept { trail: marks.iter().map(|m| (*m).to_owned()).collect(), ..Kept::default() };
        let seen = [state(&["a"]), state(&["a", "b"]), state(&["a", "b", "c"])];
        assert_eq!(common(&seen, &state(&["a", "b", "c", "d"])), Some(&seen[2]));
        assert_eq!(common(&seen, &state(&["a", "b", "x", "y"])), Some(&seen[1]));
        assert_eq!(common(&seen, &state(&["x"])), None);
        assert_eq!(common(&seen, &state(&[])), Some(&seen[2]), "a page that leaves no trail");
        assert_eq!(common(&[], &state(&["x"])), None);
        let older = [state(&[])];
        assert_eq!(common(&older, &state(&["x"])), Some(&older[0]), "kept by a page that left none");
    }

    #[wasm_bindgen_test]
    fn a_trail_names_what_was_seen_and_stays_short() {
        let mut seen = Vec::new();
        for number in 0..40 {
            let mut mine = seen.last().cloned().unwrap_or_default();
            mark(&mut mine, &seen, number.to_string());
            saw(&mut seen, mine);
        }
        assert_eq!((seen.len(), seen[TRAIL - 1].trail.len()), (TRAIL, TRAIL));
        assert_eq!(seen[TRAIL - 1].trail, (28..40).map(|n| n.to_string()).collect::<Vec<_>>());
        let mut mine = Kept::default();
        mark(&mut mine, &seen[TRAIL - 2..], "mine".to_owned());
        assert_eq!(mine.trail, ["38", "39", "mine"]);
    }

    #[wasm_bindgen_test]
    fn each_value_comes_from_the_one_who_changed_it() {
        let base = Kept { to: Some("3.6".to_owned()), draft: "a".to_owned(), ..Kept::default() };
        let mut mine = Kept { answered: vec!["auth=no".to_owned()], draft: "mine".to_owned(), ..base.clone() };
        let done = StepRecord { done: true, ..StepRecord::default() };
        mine.records.insert("one".to_owned(), done.clone());
        let mut theirs = Kept { to: None, draft: "theirs".to_owned(), ..base.clone() };
        theirs.answered.push("watch-caches=yes".to_owned());
        theirs.records.insert("two".to_owned(), done);
        let both = merged(&base, &mine, &theirs).kept;
        assert_eq!(both.to, None);
        assert_eq!(both.answered, ["watch-caches=yes", "auth=no"]);
        assert_eq!(both.draft, "theirs\nmine");
        assert!(both.records.get("one").is_some() && both.records.get("two").is_some() && both.records.len() == 2);
        assert_eq!(merged(&base, &base, &theirs).kept, theirs, "nothing of mine: theirs, so that nobody writes again");
    }
}
