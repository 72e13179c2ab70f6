//! Lines that say nothing of the cluster and are passed over without a word.

/// Is the line noise wherever it stands? Blank lines are not asked for here.
#[must_use]
pub fn is_noise(text: &str) -> bool {
    let line = text.trim();
    if line.starts_with('{') {
        return is_client_log(line) || is_fence(line);
    }
    is_fence(line) || is_chatter(line) || is_rule(line) || is_unit_status(line)
}

/// What `systemctl status` says around the processes of a unit and its log, and the head of `watch`.
fn is_unit_status(line: &str) -> bool {
    const STARTS: [&str; 11] = [
        "● ",
        "○ ",
        "× ",
        "Loaded: ",
        "Drop-In: /",
        "Docs: http",
        "Main PID: ",
        "Tasks: ",
        "Memory: ",
        "CGroup: /",
        "Active: ",
    ];
    let watched = line.starts_with("Every ") && line.contains("s: ");
    watched || STARTS.iter().any(|s| line.starts_with(s))
}

/// A code fence, a Terraform corner, an elision.
fn is_fence(line: &str) -> bool {
    let wiki = ["{code", "{noformat"].iter().any(|s| line.starts_with(s)) && line.ends_with('}');
    wiki || line.starts_with("```")
        || line.starts_with("~~~")
        || matches!(line, "╷" | "╵" | "…" | "..." | "[...]" | "<snip>")
}

/// Words of kubectl, ssh, docker and etcdctl that stand around the output.
fn is_chatter(line: &str) -> bool {
    const STARTS: [&str; 15] = [
        "Defaulted container ",
        "Defaulting container ",
        "Warning: Permanently added ",
        "Use a specific container with ",
        "If you don't see a command prompt",
        "kubectl exec [POD] [COMMAND] is DEPRECATED",
        "Unable to use a TTY",
        "the input device is not a TTY",
        "Deprecated: Use `etcdutl ",
        "Emulate Docker CLI using podman",
        "WARN[0000] runtime connect using default endpoints",
        "WARN[0000] image connect using default endpoints",
        "Last login: ",
        "Authorized users only",
        "[sudo] password for ",
    ];
    STARTS.iter().any(|s| line.starts_with(s)) || (line.starts_with("Connection to ") && line.ends_with(" closed."))
}

/// A rule drawn by hand or by a script: `-----`, `=====`, `*****`. A border of a table holds `+` or `|` as well.
fn is_rule(line: &str) -> bool {
    line.len() >= 3 && ["-", "=", "*", "_", "─", "#"].iter().any(|c| line.replace(c, "").is_empty())
}

/// A log line of etcdctl or etcdutl itself, in zap's JSON: a retry, an environment variable it does not know, the
/// progress of a snapshot. What it warns of is said again, without JSON, by the line that follows.
fn is_client_log(line: &str) -> bool {
    if !line.starts_with("{\"level\":") && !line.starts_with("{ \"level\":") {
        return false;
    }
    const CALLERS: [&str; 8] = [
        "\"logger\":\"etcd-client\"",
        "\"logger\":\"client\"",
        "\"caller\":\"clientv3/",
        "\"caller\":\"v3/",
        "\"caller\":\"v3@",
        "\"caller\":\"snapshot/v3_snapshot.go",
        "\"msg\":\"retrying of unary invoker failed\"",
        "\"environment-variable\":\"ETCDCTL_",
    ];
    // The caller stands in front; a long error behind it need not be searched.
    let mut end = line.len().min(400);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let head = line.get(..end).unwrap_or(line);
    CALLERS.iter().any(|c| head.contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_logs_are_noise_and_server_logs_are_not() {
        assert!(is_noise(
            r#"{"level":"warn","ts":"2026","logger":"etcd-client","caller":"v3@v3.6.16/retry_interceptor.go:68","msg":"retrying of unary invoker failed"}"#
        ));
        assert!(is_noise(
            r#"{"level":"warn","ts":"2026","caller":"flags/flag.go:94","msg":"unrecognized environment variable","environment-variable":"ETCDCTL_API=3"}"#
        ));
        assert!(!is_noise(
            r#"{"level":"warn","ts":"2026","caller":"flags/flag.go:94","msg":"unrecognized environment variable","environment-variable":"ETCD_PROXY=off"}"#
        ));
        assert!(!is_noise(r#"{"level":"panic","caller":"etcdserver/apply_v2.go:31","msg":"detected"}"#));
    }

    #[test]
    fn output_is_not_noise() {
        for line in ["+----+", "| a |", "|---|---|", "a: b", "Error: x", "Snapshot saved at a", "ok"] {
            assert!(!is_noise(line), "{line}");
        }
        for line in ["Defaulted container \"etcd\" out of: etcd, x (init)", "---", "```json", "======"] {
            assert!(is_noise(line), "{line}");
        }
    }
}
