//! Free ports on loopback.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};

use anyhow::{Result, bail};

/// Below the ports that outgoing connections get: a member that is down for a moment must find its port free again.
const FIRST: u16 = 18_000;
const LAST: u16 = 32_000;

/// The next one to try; each process begins elsewhere, so that two runs do not meet.
static NEXT: AtomicU16 = AtomicU16::new(0);

/// A port that nobody listens on, and that is given out once.
pub fn free() -> Result<u16> {
    let start = FIRST + u16::try_from(std::process::id() * 40 % u32::from(LAST - FIRST))?;
    let _ = NEXT.compare_exchange(0, start, Ordering::Relaxed, Ordering::Relaxed);
    for _ in FIRST..LAST {
        let port = NEXT.fetch_add(1, Ordering::Relaxed);
        if port >= LAST {
            NEXT.store(FIRST, Ordering::Relaxed);
            continue;
        }
        // A listener on all addresses finds out about each of them.
        if TcpListener::bind(("0.0.0.0", port)).is_ok() {
            return Ok(port);
        }
    }
    bail!("no port between {FIRST} and {LAST} is free")
}

/// The first of as many free ports in a row; they are given out once.
pub fn free_run(count: u16) -> Result<u16> {
    for _ in 0..100 {
        let first = free()?;
        if (1..count).map(|more| first.checked_add(more)).all(|next| free().is_ok_and(|port| Some(port) == next)) {
            return Ok(first);
        }
    }
    bail!("no {count} ports in a row are free")
}

/// Does anybody listen on a port of loopback?
pub fn in_use(port: u16) -> bool {
    TcpListener::bind(("127.0.0.1", port)).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_port_is_another_one_and_can_be_listened_on() {
        let ports: Vec<u16> = (0..6).map(|_| free().unwrap()).collect();
        let _held: Vec<TcpListener> = ports.iter().map(|p| TcpListener::bind(("127.0.0.3", *p)).unwrap()).collect();
        assert!(ports.iter().all(|p| (FIRST..LAST).contains(p)));
    }

    #[test]
    fn a_run_is_ports_in_a_row_that_nobody_listens_on() {
        let first = free_run(4).unwrap();
        assert!((first..first + 4).all(|port| !in_use(port)));
        let _held = TcpListener::bind(("127.0.0.1", first)).unwrap();
        assert!(in_use(first));
    }

    #[test]
    fn a_port_in_use_is_not_given_out() {
        let next = free().unwrap() + 1;
        let _held = TcpListener::bind(("127.0.0.1", next));
        assert_ne!(free().unwrap(), next);
    }
}
