//! What the command line takes.

use clap::{Args, Parser, Subcommand, ValueEnum};
use etcd_upgrade_planner::evidence::answers::{AnswerKey, start_of};
use etcd_upgrade_planner::intent::{Intent, IntentKind, Target};
use time::OffsetDateTime;

/// Says whether an etcd upgrade may start, what to do in which order, and at every step which ways back are open.
#[derive(Debug, Parser)]
#[command(name = "etcd-upgrade-planner", version, after_help = EXIT_CODES)]
pub struct Arguments {
    /// What is wanted.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 ready, 1 ready with warnings, 2 blocked, 3 can't tell yet, 4 could not read.";

/// The intents.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Move to a newer version.
    #[command(after_help = answers_help())]
    Upgrade(Way),
    /// Move to the minor below, or to an older patch.
    #[command(after_help = answers_help())]
    Downgrade(Way),
    /// Start the cluster again from a backup snapshot: the checklist, and by how much the revision is bumped.
    #[command(after_help = answers_help())]
    Restore(Common),
    /// See whether anything is wrong with the cluster now, and how to mend it.
    #[command(after_help = answers_help())]
    Health(Common),
    /// See whether the target starts with these flags and loses no setting.
    #[command(after_help = answers_help())]
    Flags(Way),
    /// Print the script that gathers, on the members' hosts, what this program reads.
    #[command(after_help = "Use: etcd-upgrade-planner collect-script | ssh HOST sudo sh -s")]
    CollectScript,
}

/// What an intent with a target takes.
#[derive(Debug, Args)]
pub struct Way {
    /// Where to: a minor (its newest patch), a version, or a release of what runs etcd (kubeadm:1.34, talos:1.11.3).
    /// Default: the newest patch of the next minor.
    #[arg(long, value_name = "VERSION", value_parser = target, default_value = "next", hide_default_value = true)]
    pub to: Target,
    /// Where from, when no paste shows it. What was pasted wins.
    #[arg(long, value_name = "VERSION", value_parser = target)]
    pub from: Option<Target>,
    /// What every intent takes.
    #[command(flatten)]
    pub common: Common,
}

impl Way {
    /// The wish.
    pub fn intent(&self, kind: IntentKind) -> Intent {
        Intent { kind, from: self.from.clone(), to: self.to.clone() }
    }
}

/// What every intent takes.
#[derive(Debug, Args)]
pub struct Common {
    /// An answer to a question, KEY=VALUE. May be given several times.
    #[arg(long = "answer", value_name = "KEY=VALUE")]
    pub answers: Vec<String>,
    /// The date the advice is for: a date or an RFC 3339 date-time. Default: now.
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub date: Option<OffsetDateTime>,
    /// A file of warnings that are accepted: a JSON list, each with gate, reason, name and until (a date).
    #[arg(long, value_name = "FILE")]
    pub waivers: Option<String>,
    /// How to print the report.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Files with what etcd printed; `-` is stdin.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
}

/// The formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Plain text.
    Text,
    /// Markdown with a task list.
    Markdown,
    /// The report as JSON.
    Json,
}

fn target(text: &str) -> Result<Target, String> {
    if text == "next" {
        return Ok(Target::Next);
    }
    if text.contains(':') {
        return text.parse().map(Target::Shipped);
    }
    let dots = text.bytes().filter(|b| *b == b'.').count();
    let parsed = if dots == 1 { text.parse().map(Target::Minor).ok() } else { text.parse().map(Target::Version).ok() };
    parsed.ok_or_else(|| format!("expected a minor or a version of etcd, found \"{text}\""))
}

fn date(text: &str) -> Result<OffsetDateTime, String> {
    start_of(text).ok_or_else(|| format!("expected a date or an RFC 3339 date-time, found \"{text}\""))
}

fn answers_help() -> String {
    let mut help = String::from("Answers:\n");
    for key in AnswerKey::ALL {
        help.push_str(&format!("  {:18} {} ({})\n", key.id(), key.question(), key.takes()));
    }
    help.push('\n');
    help + EXIT_CODES
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_arguments_are_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_target_is_a_minor_or_a_version() {
        assert_eq!(target("3.6"), Ok(Target::Minor("3.6".parse().unwrap())));
        assert_eq!(target("3.6.16"), Ok(Target::Version("3.6.16".parse().unwrap())));
        assert_eq!(target("v3.6.16"), Ok(Target::Version("3.6.16".parse().unwrap())));
        assert!(matches!(target("kubeadm:1.34"), Ok(Target::Shipped(_))));
        assert!(target("nomad:1.2").unwrap_err().contains("kubeadm-stacked"));
        assert_eq!(target("latest"), Err("expected a minor or a version of etcd, found \"latest\"".to_owned()));
    }

    #[test]
    fn a_date_or_a_date_time_is_taken() {
        assert!(date("2026-11-30").is_ok());
        assert!(date("2026-11-30T08:00:00Z").is_ok());
        assert!(date("yesterday").unwrap_err().contains("yesterday"));
    }
}
