//! Is reading linear? Every kind of output at 0.1, 1, 10 and 100 MB, with the time per byte.
//!
//! `cargo bench --bench reading` prints the table and fails when 100 MB cost more than 1.5 times as much a byte as 1 MB.
//! Arguments choose kinds by a part of their name. Each size is read several times and the fastest counts.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use etcd_upgrade_planner::evidence;
use etcd_upgrade_planner::evidence::paste::Paste;

/// What 100 MB may cost a byte, measured in what 1 MB costs.
const LIMIT: f64 = 1.5;

const SIZES: [usize; 4] = [100_000, 1_000_000, 10_000_000, 100_000_000];

macro_rules! capture {
    ($name:literal) => {
        include_str!(concat!("../tests/fixtures/captures/", $name))
    };
}

/// Name and one piece of output, repeated to the size. `#` stands for a number that differs in each piece.
const KINDS: &[(&str, &str)] = &[
    ("endpoint status simple", capture!("healthy-3.6.16/01-endpoint-status-simple.txt")),
    ("endpoint status table", capture!("healthy-3.6.16/02-endpoint-status-table.txt")),
    ("endpoint status json", capture!("healthy-3.6.16/03-endpoint-status-json.txt")),
    ("endpoint status fields", capture!("healthy-3.6.16/04-endpoint-status-fields.txt")),
    ("endpoint status rows", "10.0.0.#:2379, a#, 3.5.33, 25 kB, false, false, 2, 31, 31, \n"),
    ("endpoint health", capture!("healthy-3.5.33/06-endpoint-health-simple.txt")),
    ("endpoint health fields", capture!("healthy-3.5.33/09-endpoint-health-fields.txt")),
    ("endpoint hashkv", capture!("healthy-3.5.33/11-endpoint-hashkv-table.txt")),
    ("member list simple", capture!("healthy-3.5.33/14-member-list-simple.txt")),
    ("member list json", capture!("healthy-3.5.33/16-member-list-json.txt")),
    ("alarm list", "memberID:1061647953036051# alarm:NOSPACE \n"),
    ("check v2store", "$ etcdutl check v2store --data-dir /m#\nNo custom content found in v2store.\n"),
    ("snapshot status", capture!("healthy-3.5.33/31-etcdutl-snapshot-status-table.txt")),
    ("snapshot save", capture!("healthy-3.5.33/27-snapshot-save.txt")),
    ("disk snapshots", "-rw-r--r-- 1 root root 8123 Nov 30 11:25 0000000000000002-0000000000000011.snap\n"),
    ("ps", "root # 1 0 09:00 ? 00:00:01 /usr/bin/etcd --name m# --data-dir /var/lib/m#\n"),
    ("systemd unit", include_str!("../tests/fixtures/units/m1.service")),
    ("environment file", "ETCD_NAME=m#\nETCD_ENABLE_V2=true\n"),
    ("config file", "name: m#\nenable-v2: true\ndata-dir: /var/lib/m#\n---\n"),
    ("metrics", capture!("healthy-3.5.33/26-curl-metrics-excerpt.txt")),
    ("version", capture!("healthy-3.5.33/19-etcdctl-version.txt")),
    ("server log", capture!("v2store-wal-only-3.5.33/09-start-3.6.16-v2dep-None.txt")),
    ("tool error", "Error: context deadline exceeded #\n"),
    ("help", capture!("healthy-3.6.16/28-etcdctl-snapshot-status-simple.txt")),
    ("member change", capture!("learner-3.5.33/01-member-add-learner.txt")),
    ("prose", "The upgrade was planned for the #th week, and nobody had looked at the cluster since.\n"),
    ("one line", "no end of line anywhere #, "),
    ("brackets", "[[[{\"a#\": [\n"),
    ("prompts", "root@m#:~# "),
];

/// Pieces up to the size, ending with a whole one where that is near.
fn text(piece: &str, size: usize) -> String {
    let mut text = String::with_capacity(size + piece.len() + 64);
    let mut number = 0_u32;
    while text.len() < size {
        number += 1;
        if piece.contains('#') {
            text.push_str(&piece.replace('#', &number.to_string()));
        } else {
            text.push_str(piece);
        }
    }
    text
}

/// The time one reading takes, the fastest of as many as fit into a moment.
fn time(text: String) -> Duration {
    let pastes = [Paste::new("paste", text)];
    let began = Instant::now();
    let mut fastest = Duration::MAX;
    let mut runs = 0;
    while runs < 3 || (began.elapsed() < Duration::from_millis(200) && runs < 50) {
        let start = Instant::now();
        black_box(evidence::read(black_box(&pastes)));
        fastest = fastest.min(start.elapsed());
        runs += 1;
        if began.elapsed() > Duration::from_secs(20) {
            break;
        }
    }
    fastest
}

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    println!("{:24} {:>8} {:>8} {:>8} {:>8}   ratio", "ns per byte", "0.1 MB", "1 MB", "10 MB", "100 MB");
    let mut superlinear = Vec::new();
    for (name, piece) in KINDS {
        if !wanted.is_empty() && !wanted.iter().any(|w| name.contains(w.as_str())) {
            continue;
        }
        let cost = SIZES.map(|size| {
            let text = text(piece, size);
            let bytes = text.len();
            time(text).as_secs_f64() * 1e9 / bytes as f64
        });
        let ratio = cost[3] / cost[1];
        println!("{name:24} {:8.1} {:8.1} {:8.1} {:8.1} {ratio:7.2}", cost[0], cost[1], cost[2], cost[3]);
        if ratio > LIMIT {
            superlinear.push(*name);
        }
    }
    if superlinear.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("not linear: {}", superlinear.join(", "));
    ExitCode::FAILURE
}
