//! Shell words: what came from a paste never runs as anything but the word it is.

/// The variable that stands for a data directory nobody named.
pub(super) const DATA_DIR: &str = "$DATA_DIR";
/// The variable that stands for the name of a member nobody named.
pub(super) const NAME: &str = "$NAME";
/// The variable that stands for a member's own peer URL.
pub(super) const PEER_URL: &str = "$PEER_URL";
/// The variable that stands for the members of a cluster of which not all are known.
pub(super) const INITIAL_CLUSTER: &str = "$INITIAL_CLUSTER";
/// The variable that stands for a revision bump that is not worked out yet.
pub(crate) const BUMP: &str = "$BUMP";

/// The variable that stands for the backup snapshot that a platform's own command wrote.
pub(crate) const SNAPSHOT: &str = "$SNAPSHOT";

/// Everything the person fills in, on the side where the command is typed.
const FILLED_IN: [&str; 6] = [DATA_DIR, NAME, PEER_URL, INITIAL_CLUSTER, BUMP, SNAPSHOT];

/// One word for a POSIX shell: as it is when it holds plain characters only, else in single quotes.
#[must_use]
pub fn word(text: &str) -> String {
    if !text.is_empty() && text.bytes().all(is_plain) {
        return text.to_owned();
    }
    // Control characters could end the line or move the cursor of the terminal it is pasted into.
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("'{}'", clean.replace('\'', r"'\''"))
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(&byte)
}

/// A value that no option can be made of: a host or name that starts with a dash is not used as a word of its own.
#[must_use]
pub fn is_operand(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('-')
}

/// A command for the shell of another host. What the person fills in (`"$DATA_DIR"`) is filled in on this side; every
/// other dollar reaches the other shell as it is.
#[must_use]
pub(super) fn over_ssh(host: &str, command: &str) -> String {
    if command.bytes().all(|b| is_plain(b) || b == b' ') {
        format!("ssh {} {command}", word(host))
    } else if FILLED_IN.iter().any(|variable| command.contains(&format!("\"{variable}"))) {
        let mut inside: String =
            command.replace('\\', r"\\").replace('"', "\\\"").replace('`', "\\`").replace('$', "\\$");
        for variable in FILLED_IN {
            inside = inside.replace(&format!("\\\"\\{variable}"), &format!("\\\"{variable}"));
        }
        format!("ssh {} \"{inside}\"", word(host))
    } else {
        format!("ssh {} {}", word(host), word(command))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_stay_readable() {
        assert_eq!(word("https://10.0.0.1:2379,https://10.0.0.2:2379"), "https://10.0.0.1:2379,https://10.0.0.2:2379");
        assert_eq!(word("/etc/etcd/ca.crt"), "/etc/etcd/ca.crt");
    }

    #[test]
    fn anything_else_is_quoted() {
        assert_eq!(word(""), "''");
        assert_eq!(word("a b"), "'a b'");
        assert_eq!(word("m1;rm -rf /"), "'m1;rm -rf /'");
        assert_eq!(word("it's"), r"'it'\''s'");
        assert_eq!(word("$(reboot)"), "'$(reboot)'");
        assert_eq!(word("a\nb"), "'a b'");
    }

    /// The shell itself says what a word comes to.
    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        for text in ["a b", "it's", "$(reboot) `x` \"y\" \\ z", "*", "~", "a;b|c&d>e<f", "#x", "é{1,2}"] {
            let script = format!("printf %s {}", word(text));
            let out = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
            assert_eq!(String::from_utf8(out.stdout).unwrap(), text);
        }
    }

    #[test]
    fn what_goes_to_another_host_is_one_word_there() {
        assert_eq!(over_ssh("10.0.0.1", "sudo systemctl stop etcd"), "ssh 10.0.0.1 sudo systemctl stop etcd");
        assert_eq!(over_ssh("m1", "a && b 'c d'"), r"ssh m1 'a && b '\''c d'\'''");
        assert_eq!(over_ssh("m1", "ls \"$DATA_DIR\"/member"), "ssh m1 \"ls \\\"$DATA_DIR\\\"/member\"");
        let both = over_ssh("m1", "ls \"$DATA_DIR\" 'a $(b)'");
        assert_eq!(both, "ssh m1 \"ls \\\"$DATA_DIR\\\" 'a \\$(b)'\"", "only what the person fills in runs here");
    }
}
