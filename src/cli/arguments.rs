//! What the command line takes.

use clap::{Args, Parser, Subcommand, ValueEnum};
use etcd_upgrade_planner::evidence::answers::{AnswerKey, start_of};
use etcd_upgrade_planner::evidence::fact::Kind;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export;
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
    /// Replace, add, remove or promote members: whether it may start, and every step of it.
    #[command(after_help = answers_help())]
    Members(Members),
    /// See whether anything is wrong with the cluster now, and how to mend it.
    #[command(after_help = answers_help())]
    Health(Common),
    /// See whether the target starts with these flags and loses no setting.
    #[command(after_help = answers_help())]
    Flags(Way),
    /// Close the ticket: the cluster before and after the change side by side, with the checks that were done. The
    /// files show the cluster after it.
    Closing(Closing),
    /// Put the names and addresses back into an answer to a redacted report.
    PutBack(PutBack),
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

/// What a change of members takes. Each is an answer too; here it has a flag of its own.
#[derive(Debug, Args)]
pub struct Members {
    /// The change: replace=MEMBER, add-voter, add-learner, remove=MEMBER, promote=MEMBER, move, grow=VOTERS or
    /// shrink=VOTERS. Default: what the pastes show.
    #[arg(long, value_name = "CHANGE")]
    pub change: Option<String>,
    /// Name of the new member; of several, separated by commas.
    #[arg(long, value_name = "NAME")]
    pub new_name: Option<String>,
    /// Peer URL of the new member; of several, separated by commas, in the same order.
    #[arg(long, value_name = "URL")]
    pub new_peer_url: Option<String>,
    /// What every intent takes.
    #[command(flatten)]
    pub common: Common,
}

impl Members {
    /// The flags as the answers they are.
    pub fn answers(&self) -> Vec<String> {
        let flags = [
            (AnswerKey::Change, &self.change),
            (AnswerKey::NewName, &self.new_name),
            (AnswerKey::NewPeerUrl, &self.new_peer_url),
        ];
        flags.iter().filter_map(|(key, value)| Some(format!("{}={}", key.id(), value.as_ref()?))).collect()
    }
}

/// What a closing record takes.
#[derive(Debug, Args)]
pub struct Closing {
    /// The report from before the change, saved with --format json.
    #[arg(long, value_name = "FILE")]
    pub before: String,
    /// What every intent takes.
    #[command(flatten)]
    pub common: Common,
}

/// What putting back takes.
#[derive(Debug, Args)]
pub struct PutBack {
    /// The key that --redact-key wrote.
    #[arg(long, value_name = "FILE")]
    pub key: String,
    /// The text; `-` is stdin.
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: String,
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
    /// Say the verdict, what is open and the titles of the steps only.
    #[arg(long)]
    pub brief: bool,
    /// Leave the pasted lines out; where they stand is still said.
    #[arg(long)]
    pub no_evidence: bool,
    /// Replace names, hosts, addresses, ids and tokens, everywhere by the same.
    #[arg(long)]
    pub redact: bool,
    /// Write the key that puts them back to this file. It stays with you.
    #[arg(long, value_name = "FILE", requires = "redact")]
    pub redact_key: Option<String>,
    /// Replace this word too. May be given several times.
    #[arg(long, value_name = "WORD", requires = "redact")]
    pub redact_also: Vec<String>,
    /// What was written beside the steps (done, owner, time, note): a JSON object by step id.
    #[arg(long, value_name = "FILE")]
    pub records: Option<String>,
    /// A file that is to be read as one kind of output only, KIND=FILE, where its own words mislead. The kinds are those
    /// that the report names: endpoint-status, member-list, server-flags and so on. May be given several times.
    #[arg(long = "as", value_name = "KIND=FILE", value_parser = kind_of_file)]
    pub kinds: Vec<(Kind, String)>,
    /// A file that is of one member, MEMBER=FILE; the member by name, id or URL. May be given several times.
    #[arg(long = "member", value_name = "MEMBER=FILE", value_parser = member_of_file)]
    pub members: Vec<(String, String)>,
    /// Files with what etcd printed; `-` is stdin. A file that an option names need not be named again. A directory is
    /// a cluster of its own, or, when it holds directories only, one cluster each: then a table comes out, worst first.
    #[arg(value_name = "FILE", required_unless_present_any = ["kinds", "members"])]
    pub files: Vec<String>,
}

impl Common {
    /// Every file, each once, in the order given; those that only options name come last.
    pub fn every_file(&self) -> Vec<&str> {
        let named = self.kinds.iter().map(|(_, file)| file).chain(self.members.iter().map(|(_, file)| file));
        let mut files: Vec<&str> = self.files.iter().map(String::as_str).collect();
        for file in named {
            if !files.contains(&file.as_str()) {
                files.push(file);
            }
        }
        files
    }

    /// Sets what was said of a file on its paste.
    pub fn set_by_hand(&self, file: &str, paste: &mut Paste) {
        paste.kind = self.kinds.iter().rfind(|(_, named)| named == file).map(|(kind, _)| *kind);
        paste.member = self.members.iter().rfind(|(_, named)| named == file).map(|(member, _)| member.clone());
    }
}

fn kind_of_file(text: &str) -> Result<(Kind, String), String> {
    let (kind, file) = text.split_once('=').ok_or("expected KIND=FILE")?;
    match Kind::from_id(kind) {
        Some(kind) => Ok((kind, file.to_owned())),
        None => {
            let all: Vec<&str> = Kind::ALL.iter().map(|kind| kind.id()).collect();
            Err(format!("no kind is called \"{kind}\"; the kinds are {}", all.join(", ")))
        }
    }
}

fn member_of_file(text: &str) -> Result<(String, String), String> {
    // A URL of a member may hold the sign, a path hardly does.
    let (member, file) = text.rsplit_once('=').ok_or("expected MEMBER=FILE")?;
    Ok((member.to_owned(), file.to_owned()))
}

/// The formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Plain text.
    Text,
    /// Markdown with a task list, for GitHub and GitLab.
    Markdown,
    /// Jira's wiki markup.
    Jira,
    /// A page of HTML that stands by itself.
    Html,
    /// HTML to paste as rich text: Confluence, mail.
    Rich,
    /// The fields of a change request in ServiceNow.
    Servicenow,
    /// CSV for spreadsheets.
    Csv,
    /// The report as JSON.
    Json,
    /// A script that rehearses the upgrade on this host, with a backup snapshot in a throw-away cluster.
    Rehearsal,
}

impl Format {
    /// The format of the library; the script of a rehearsal is none.
    pub fn of_report(self) -> Option<export::Format> {
        Some(match self {
            Self::Text => export::Format::Text,
            Self::Markdown => export::Format::Markdown,
            Self::Jira => export::Format::Jira,
            Self::Html => export::Format::Html,
            Self::Rich => export::Format::Rich,
            Self::Servicenow => export::Format::ServiceNow,
            Self::Csv => export::Format::Csv,
            Self::Json => export::Format::Json,
            Self::Rehearsal => return None,
        })
    }
}

/// A target as it is typed.
///
/// # Errors
/// Says what was expected.
pub fn target(text: &str) -> Result<Target, String> {
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
