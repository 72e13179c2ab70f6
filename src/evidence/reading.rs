//! Reading a paste in pieces, so that a page of one thread answers between two of them.
//!
//! The readers are plain functions; only the two walks over a paste (cleaning its lines, offering them) stop here and
//! there. [`Reading`] is such a walk that the shell drives: it goes on as often as the shell asks it to, and needs no
//! runtime. What a reader takes at once (one table, one JSON value) is never parted.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use super::paste::Paste;
use super::{Evidence, detect};

/// Bytes that are walked over between two rests.
const PIECE: usize = 64 << 10;

/// How often each byte is walked over: once cleaned, once offered.
const WALKS: usize = 2;

/// Counts the bytes walked over, and says when it is time to rest.
#[derive(Debug, Default)]
pub(super) struct Pace {
    walked: Cell<usize>,
    rested_at: Cell<usize>,
}

impl Pace {
    /// So many more bytes were walked over. True when a rest is due.
    pub(super) fn walked(&self, bytes: usize) -> bool {
        self.walked.set(self.walked.get() + bytes);
        self.walked.get() - self.rested_at.get() >= PIECE
    }

    /// Gives the shell its turn, once.
    pub(super) async fn rest(&self) {
        self.rested_at.set(self.walked.get());
        let mut rested = false;
        poll_fn(|_| if std::mem::replace(&mut rested, true) { Poll::Ready(()) } else { Poll::Pending }).await;
    }
}

/// A paste that is being read.
pub struct Reading {
    walk: Pin<Box<dyn Future<Output = Evidence>>>,
    pace: Rc<Pace>,
    bytes: usize,
}

impl Reading {
    /// Starts to read a paste; nothing is read yet. What is found has the place of the first paste in its spans, until
    /// [`Evidence::of_all`] puts it among others.
    #[must_use]
    pub fn of(paste: Paste) -> Self {
        let pace = Rc::new(Pace::default());
        let bytes = paste.text.len();
        let kept = Rc::clone(&pace);
        let walk = Box::pin(async move {
            let mut evidence = Evidence::default();
            detect::read_in_pieces(0, &paste, &mut evidence, &kept).await;
            evidence
        });
        Self { walk, pace, bytes }
    }

    /// Reads the next piece, of some ten thousand bytes. What the paste says, when it is at its end; after that it must
    /// not go on.
    pub fn go_on(&mut self) -> Option<Evidence> {
        match self.walk.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(evidence) => Some(evidence),
            Poll::Pending => None,
        }
    }

    /// How much of it is read, in percent.
    #[must_use]
    pub fn percent(&self) -> usize {
        self.pace.walked.get() / (self.bytes * WALKS / 100).max(1)
    }
}

/// Reads to the end without a rest.
pub(super) fn at_once(index: usize, paste: &Paste, evidence: &mut Evidence) {
    let pace = Pace::default();
    let mut walk = std::pin::pin!(detect::read_in_pieces(index, paste, evidence, &pace));
    while walk.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {}
}

#[cfg(test)]
mod tests {
    use super::super::fact::Body;
    use super::super::read;
    use super::*;

    fn long() -> Paste {
        let log = "{\"level\":\"warn\",\"ts\":\"2026-11-30T11:30:52Z\",\"msg\":\"apply request took too long\"}\n";
        let status = "127.0.0.1:2379, a#, 3.5.33, 25 kB, false, false, 2, 31, 31, \n";
        let text: String =
            (0..4_000).map(|i| format!("{log}{}nobody knows this\n", status.replace('#', &i.to_string()))).collect();
        Paste::new("long", text)
    }

    #[test]
    fn in_pieces_as_at_once() {
        let paste = long();
        let mut reading = Reading::of(paste.clone());
        let (mut rests, mut before) = (0, reading.percent());
        let evidence = loop {
            match reading.go_on() {
                Some(evidence) => break evidence,
                None => rests += 1,
            }
            assert!(reading.percent() > before, "it goes on");
            before = reading.percent();
        };
        assert!(rests >= paste.text.len() / PIECE, "{rests} rests in {} bytes", paste.text.len());
        assert!((95..=100).contains(&reading.percent()), "{}", reading.percent());
        assert!(evidence.facts.len() >= 4_000 && !evidence.unread.is_empty());
        assert_eq!(Evidence::of_all(std::slice::from_ref(&paste), vec![evidence]), read(&[paste]));
    }

    fn read_alone(paste: &Paste) -> Evidence {
        let mut reading = Reading::of(paste.clone());
        loop {
            if let Some(evidence) = reading.go_on() {
                return evidence;
            }
        }
    }

    #[test]
    fn put_among_others_its_spans_say_which_paste_they_are_of() {
        let ps = "root 1 0 09:00 ? 00:00:01 /usr/bin/etcd --name m1 --enable-v2=true --data-dir /var/lib/m1\n";
        let pod = include_str!("../../tests/fixtures/gates/v2-health-probes/fires/etcd.yaml");
        let given = [("a", "nobody knows this"), ("b", ps), ("a", "nobody knows this"), ("etcd.yaml", pod)];
        let pastes = given.map(|(name, text)| Paste::new(name, text));
        let each: Vec<Evidence> = pastes.iter().map(read_alone).collect();
        let together = Evidence::of_all(&pastes, each);
        assert_eq!(together, read(&pastes));
        assert_eq!(Evidence::of_all(&pastes, together.clone().of_each(pastes.len())), together);
        assert_eq!(together.repeats.get(&2), Some(&0));
        let sets: Vec<_> = together
            .facts
            .iter()
            .filter_map(|f| if let Body::Flags(set) = &f.body { Some(set) } else { None })
            .collect();
        assert!(sets.iter().any(|set| !set.elsewhere.is_empty()) && sets.iter().any(|set| !set.probes.is_empty()));
    }
}
