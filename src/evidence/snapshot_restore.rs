//! The command `snapshot restore`, as it was run or is planned: its flags decide what the restored cluster is.

use super::detect::{Place, Taken};
use super::fact::{Body, Kind, RestoreCommand};
use crate::etcd::flags::name;
use crate::etcd::tools::{ETCDCTL, ETCDUTL, restore_flag};

/// Flags of `snapshot restore` that take no value.
const SWITCHES: [&str; 2] = [restore_flag::SKIP_HASH_CHECK, restore_flag::MARK_COMPACTED];

/// A command line that restores a backup snapshot. The walk has already taken it apart.
#[must_use]
pub fn read_command(place: &Place<'_>) -> Option<Taken> {
    let command = command(&place.context.parsed.words)?;
    let height = 1 + place.lines.iter().skip(place.at + 1).take_while(|l| l.continues).count();
    let fact = place.fact(place.span(height), Body::SnapshotRestore(command));
    Some(place.taken(height, Kind::SnapshotRestore, "command", 0, vec![fact]))
}

/// The longest line of prose in which a command is looked for, in bytes.
const PROSE_LIMIT: usize = 2_000;

/// A restore that a line of notes names: `plan: etcdctl snapshot restore snap.db …`
#[must_use]
pub fn read_note(place: &Place<'_>) -> Option<Taken> {
    let text = place.text();
    if text.len() > PROSE_LIMIT || !text.contains("snapshot restore ") || text.contains("[flags]") {
        return None;
    }
    let words: Vec<String> =
        text.split_whitespace().map(|w| w.trim_matches(|c| matches!(c, '`' | ',' | ';' | '"')).to_owned()).collect();
    let command = command(&words)?;
    let fact = place.fact(place.span(1), Body::SnapshotRestore(command));
    Some(place.taken(1, Kind::SnapshotRestore, "note", 0, vec![fact]))
}

/// The restore among the words of a line.
fn command(words: &[String]) -> Option<RestoreCommand> {
    let tool_at = words.iter().position(|w| is_tool(w))?;
    let tool = words.get(tool_at)?;
    let rest = words.get(tool_at + 1..)?;
    let restore_at = rest.windows(2).position(|pair| pair == ["snapshot", "restore"])?;
    // Up to 3.5 flags may stand before the two words too; those of the client mean nothing to a restore.
    let mut flags: Vec<(String, Option<String>)> = Vec::new();
    let mut path = None;
    let before = rest.get(..restore_at)?.iter();
    let mut words = before.chain(rest.get(restore_at + 2..)?).peekable();
    while let Some(word) = words.next() {
        if ["&&", "||", ";", "|", "&", "then"].contains(&word.as_str()) {
            break;
        }
        if let Some(flag) = word.strip_prefix("--") {
            match flag.split_once('=') {
                Some((flag, value)) => flags.push((flag.to_owned(), Some(value.to_owned()))),
                None if SWITCHES.contains(&flag) => flags.push((flag.to_owned(), None)),
                None => flags.push((flag.to_owned(), words.next_if(|w| !w.starts_with("--")).cloned())),
            }
        } else if path.is_none() && !word.starts_with('-') {
            path = Some(word.clone());
        }
    }
    if flags.is_empty() && path.is_none() {
        return None;
    }
    let tool = if tool.ends_with(ETCDUTL) { ETCDUTL } else { ETCDCTL };
    Some(RestoreCommand { tool: tool.to_owned(), path, flags })
}

fn is_tool(word: &str) -> bool {
    let program = word.rsplit('/').next().unwrap_or(word);
    program == ETCDUTL || program == ETCDCTL
}

impl RestoreCommand {
    /// The value of a flag; `None` when it is not given or has none.
    #[must_use]
    pub fn value(&self, flag: &str) -> Option<&str> {
        self.flags.iter().rev().find(|(name, _)| name == flag).and_then(|(_, value)| value.as_deref())
    }

    /// Is the flag given, and not switched off?
    #[must_use]
    pub fn has(&self, flag: &str) -> bool {
        self.flags
            .iter()
            .rev()
            .find(|(name, _)| name == flag)
            .is_some_and(|(_, value)| value.as_deref() != Some("false"))
    }

    /// The member it restores.
    #[must_use]
    pub fn member(&self) -> Option<&str> {
        self.value(name::NAME)
    }

    /// The members it knows of, `name=URL` each.
    #[must_use]
    pub fn initial_cluster(&self) -> Vec<&str> {
        self.value(name::INITIAL_CLUSTER)
            .map_or_else(Vec::new, |v| v.split(',').map(str::trim).filter(|m| !m.is_empty()).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::evidence::fact::{Body, RestoreCommand};
    use crate::evidence::paste::Paste;
    use crate::evidence::read;

    fn restores(text: &str) -> Vec<RestoreCommand> {
        let evidence = read(&[Paste::new("p", text)]);
        evidence
            .facts
            .into_iter()
            .filter_map(|f| match f.body {
                Body::SnapshotRestore(command) => Some(command),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn the_flags_of_a_restore_are_read() {
        let commands = restores(
            "$ etcdutl snapshot restore /b/backup.db --name m1 \\\n  --initial-cluster m1=http://192.0.2.1:2380,m2=http://192.0.2.2:2380 \\\n  --bump-revision=1000000000 --mark-compacted --data-dir /var/lib/etcd\n",
        );
        let [command] = commands.as_slice() else { panic!("{commands:?}") };
        assert_eq!(command.tool, "etcdutl");
        assert_eq!(command.path.as_deref(), Some("/b/backup.db"));
        assert_eq!(command.member(), Some("m1"));
        assert_eq!(command.initial_cluster().len(), 2);
        assert_eq!(command.value("bump-revision"), Some("1000000000"));
        assert!(command.has("mark-compacted") && !command.has("skip-hash-check"));
    }

    #[test]
    fn wrapped_in_sudo_ssh_or_docker_it_is_the_same() {
        for line in [
            "root@m1:~# ETCDCTL_API=3 etcdctl --endpoints https://192.0.2.1:2379 snapshot restore a.db --data-dir d",
            "$ ssh m1 sudo etcdutl snapshot restore a.db --data-dir d",
            "root@m1:~# docker run -it -v /b:/b registry.example/etcd:v3.5.1 etcdctl snapshot restore a.db --data-dir d",
            "/usr/local/bin/etcdutl snapshot restore a.db --data-dir d && systemctl start etcd",
            "etcdutl snapshot restore --data-dir d a.db",
        ] {
            let commands = restores(line);
            assert_eq!(commands.len(), 1, "{line}");
            assert_eq!(commands.first().and_then(|c| c.path.as_deref()), Some("a.db"), "{line}");
            assert_eq!(commands.first().and_then(|c| c.value("data-dir")), Some("d"), "{line}");
        }
    }

    #[test]
    fn notes_and_flags_before_the_command_count_too() {
        let note = restores("plan: etcdctl snapshot restore snap.db --data-dir=/var/lib/etcd-restored, then rotate");
        assert_eq!(note.first().and_then(|c| c.value("data-dir")), Some("/var/lib/etcd-restored"));
        let before = restores("ETCDCTL_API=3 etcdctl --data-dir /d snapshot restore snapshot.db");
        assert_eq!(before.first().and_then(|c| c.value("data-dir")), Some("/d"));
        assert_eq!(before.first().and_then(|c| c.path.as_deref()), Some("snapshot.db"));
    }

    #[test]
    fn a_save_or_a_help_is_no_restore() {
        for line in ["$ etcdctl snapshot save a.db", "$ etcdutl snapshot restore", "$ etcdutl snapshot status a.db"] {
            assert_eq!(restores(line), [], "{line}");
        }
    }
}
