//! Is reading linear? Every kind of output at 0.1, 1, 10 and 100 MB, with the time per byte.
//!
//! `cargo bench --bench reading` prints the table and fails when 100 MB cost more than 1.5 times as much a byte as 1 MB.
//! Arguments choose kinds by a part of their name, and a number the most megabytes. What counts is the time on a
//! processor. Other programs still slow that down, by what they take of its caches and units; so the 1 MB that the rest
//! is held against is read before and after the largest, for as long as that takes, and what is over the limit is
//! measured again: what is not linear is so each time, what was disturbed is not.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use etcd_upgrade_planner::evidence;
use etcd_upgrade_planner::evidence::paste::Paste;

/// What 100 MB may cost a byte, measured in what 1 MB costs.
const LIMIT: f64 = 1.5;

/// How often a kind is measured before it counts as not linear.
const TRIES: u32 = 3;

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

/// How long this thread has run on a processor: what other programs take does not count.
fn on_processor() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|n| n.parse().ok());
    nanoseconds.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

static START: OnceLock<Instant> = OnceLock::new();

/// The clock of the processor ticks slowly: no size is read for less than this.
const MOMENT: Duration = Duration::from_millis(300);

/// Readings of one text, as they add up.
struct Readings {
    pastes: [Paste; 1],
    spent: Duration,
    runs: u32,
}

impl Readings {
    fn of(text: String) -> Self {
        Self { pastes: [Paste::new("paste", text)], spent: Duration::ZERO, runs: 0 }
    }

    /// Reads it again and again for so long, at least once. What giving back memory takes does not count.
    fn read_for(&mut self, long: Duration) -> &mut Self {
        let until = on_processor() + long.max(MOMENT);
        loop {
            let start = on_processor();
            let evidence = black_box(evidence::read(black_box(&self.pastes)));
            self.spent += on_processor().saturating_sub(start);
            self.runs += 1;
            drop(evidence);
            if on_processor() > until {
                return self;
            }
        }
    }

    /// The time one reading took, on average.
    fn each(&self) -> Duration {
        self.spent / self.runs.max(1)
    }

    /// In nanoseconds per byte.
    fn cost(&self) -> f64 {
        let bytes: usize = self.pastes.iter().map(|paste| paste.text.len()).sum();
        self.each().as_secs_f64() * 1e9 / bytes as f64
    }
}

/// The cost of each size, in nanoseconds per byte.
fn costs(piece: &str, sizes: &[usize]) -> Vec<f64> {
    let mut all: Vec<Readings> = sizes.iter().map(|size| Readings::of(text(piece, *size))).collect();
    let Some((smallest, larger)) = all.split_first_mut() else { return Vec::new() };
    let smallest = smallest.read_for(MOMENT);
    if let Some((measure, larger)) = larger.split_first_mut() {
        let largest = sizes.last().copied().unwrap_or_default() as f64;
        measure.read_for(Duration::from_secs_f64(smallest.cost() * largest / 2e9));
        larger.iter_mut().for_each(|readings| _ = readings.read_for(MOMENT));
        measure.read_for(larger.last().map_or(MOMENT, |largest| largest.each() / 2));
    }
    all.iter().map(Readings::cost).collect()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let most = arguments.iter().find_map(|a| a.parse::<usize>().ok()).unwrap_or(100);
    let wanted: Vec<&String> = arguments.iter().filter(|a| a.parse::<usize>().is_err()).collect();
    println!("{:24} {:>8} {:>8} {:>8} {:>8}   ratio", "ns per byte", "0.1 MB", "1 MB", "10 MB", "100 MB");
    let mut superlinear = Vec::new();
    for (name, piece) in KINDS.iter().filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|w| name.contains(*w)))
    {
        let sizes: Vec<usize> = SIZES.into_iter().filter(|size| *size <= most * 1_000_000).collect();
        let is_linear = (0..TRIES).any(|_| {
            let cost = costs(piece, &sizes);
            let ratio = cost.last().zip(cost.get(1)).map_or(1.0, |(last, second)| last / second);
            let cells: String = cost.iter().map(|c| format!(" {c:8.1}")).collect();
            println!("{name:24}{cells} {ratio:7.2}");
            ratio <= LIMIT
        });
        if !is_linear {
            superlinear.push(*name);
        }
    }
    if superlinear.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("not linear: {}", superlinear.join(", "));
    ExitCode::FAILURE
}
