//! Shell prompts and command lines: which host, which command, without `sudo`, `kubectl exec … --`, `ssh host`.

use super::prefix::is_host;

/// A prompt with its command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// The host the prompt names.
    pub host: Option<String>,
    /// Where the command starts in the line; at its end for a prompt without one.
    pub command_at: usize,
    /// False for a bare command without a prompt.
    pub prompted: bool,
}

/// The prompt of the line, or the bare command it is; `None` for anything else.
#[must_use]
pub fn prompt(text: &str) -> Option<Prompt> {
    let start = text.len() - text.trim_start().len();
    let line = text.get(start..)?;
    let found = powershell(line)
        .or_else(|| bracketed(line))
        .or_else(|| user_at_host(line))
        .or_else(|| shell_version(line))
        .or_else(|| host_only(line))
        .or_else(|| sign_only(line));
    if let Some((host, at)) = found {
        let rest = line.get(at..)?;
        let command_at = start + at + (rest.len() - rest.trim_start().len());
        return Some(Prompt { host: host.map(str::to_owned), command_at, prompted: true });
    }
    let bare = line.strip_prefix('`').or_else(|| line.strip_prefix("+ ")).unwrap_or(line);
    let command_at = start + line.len() - bare.len();
    is_bare_command(bare).then_some(Prompt { host: None, command_at, prompted: false })
}

/// A prompt's host, if it names one, and where it ends.
type Found<'a> = (Option<&'a str>, usize);

/// The longest prompt looked for, so that a long line costs no more than a short one.
const PROMPT_LIMIT: usize = 200;

/// The head of the line in which a prompt must end.
fn head(line: &str) -> &str {
    let mut end = line.len().min(PROMPT_LIMIT);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    line.get(..end).unwrap_or(line)
}

/// `PS C:\Users\a> cmd`, `C:\Users\a>cmd`
fn powershell(line: &str) -> Option<Found<'_>> {
    let path = line.strip_prefix("PS ").unwrap_or(line);
    let mut chars = path.chars();
    let drive = chars.next()?.is_ascii_alphabetic() && chars.next()? == ':' && chars.next()? == '\\';
    let linux = line.starts_with("PS /");
    let end = head(line).find('>')?;
    (drive || linux).then_some((None, end + 1))
}

/// `[user@host dir]$ cmd`
fn bracketed(line: &str) -> Option<Found<'_>> {
    let inner = line.strip_prefix('[')?;
    let end = head(inner).find(']')?;
    let after = inner.get(end + 1..)?;
    let sign = after.trim_start();
    let skipped = after.len() - sign.len();
    let fits = ends_prompt(sign, &['$', '#', '%', '>']);
    let (_, host) = inner.get(..end)?.split_once('@')?;
    let host = host.split([' ', ':']).next().filter(|h| is_host(h))?;
    fits.then_some((Some(host), 1 + end + 1 + skipped + 1))
}

/// `user@host:~$ cmd`, `user@host:/path# cmd`, `user@host ~ % cmd`, `postgres@host:/path=> cmd`, also with a user of
/// several words (`I have no name!@pod:/$`) and a virtual environment in front.
fn user_at_host(line: &str) -> Option<Found<'_>> {
    let head = head(line);
    let venv = line.strip_prefix('(').and_then(|r| r.find(") ")).map_or(0, |e| e + 3);
    let body = head.get(venv..)?;
    let at = body.find('@')?;
    let user = body.get(..at)?;
    let known = user == "I have no name!" || (!user.is_empty() && user.bytes().all(is_user_byte));
    let after = body.get(at + 1..)?;
    let host_len = after.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_')).count();
    let host = after.get(..host_len).filter(|h| is_host(h))?;
    let tail = after.get(host_len..)?;
    let from = venv + at + 1 + host_len;
    let end = tail.char_indices().find(|(i, c)| {
        matches!(c, '$' | '#' | '%' | '>' | '❯')
            && ends_prompt(tail.get(*i..).unwrap_or(""), &['$', '#', '%', '>', '❯'])
    })?;
    let path = tail.get(..end.0)?;
    // Between host and sign: a path, perhaps a git branch; no sentence.
    let short = path.split_whitespace().count() <= 4 && !path.contains([',', '"', '{', '|']);
    (known && short).then_some((Some(host), from + end.0 + end.1.len_utf8()))
}

fn is_user_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_')
}

/// `sh-5.1# cmd`, `bash-5.1$ cmd`
fn shell_version(line: &str) -> Option<Found<'_>> {
    let head = head(line);
    let end = head.find(['#', '$'])?;
    let (shell, version) = head.get(..end)?.split_once('-')?;
    let fits = ["sh", "bash", "ash", "dash", "ksh", "zsh", "nsenter"].contains(&shell)
        && version.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && ends_prompt(head.get(end..)?, &['#', '$']);
    fits.then_some((None, end + 1))
}

/// `etcd1$ cmd`, `m1# cmd`, `m1:~$ cmd`, `m1 ~ # cmd`, `m1> etcdctl …`
fn host_only(line: &str) -> Option<Found<'_>> {
    let head = head(line);
    let host_len = head.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_')).count();
    let host = head.get(..host_len).filter(|h| is_host(h))?;
    let tail = head.get(host_len..)?;
    let (path, sign_at) = match tail.strip_prefix(':').or_else(|| tail.strip_prefix(' ')) {
        Some(rest) if rest.starts_with(['~', '/']) => {
            let at = tail.find(['$', '#', '%', '>'])?;
            (tail.get(..at)?, at)
        }
        Some(_) => return None,
        None => ("", 0),
    };
    let sign = tail.get(sign_at..)?;
    let fits = ends_prompt(sign, &['$', '#', '%', '>']) && path.split_whitespace().count() <= 2;
    let command = sign.get(1..)?.trim_start();
    // `name# text` and `name> text` may be prose; `name$ ` is a prompt.
    let sure = sign.starts_with('$') || is_bare_command(command) || (command.is_empty() && !path.is_empty());
    let named = host.bytes().any(|b| b.is_ascii_alphabetic());
    (fits && sure && named).then_some((Some(host), host_len + sign_at + 1))
}

/// `$ cmd`, `$> cmd`, `% cmd`, `➜  ~ cmd`, `❯ cmd`, `/ # cmd`, `~ $ cmd`; `# cmd` only before a command that is known.
fn sign_only(line: &str) -> Option<Found<'_>> {
    for sign in ["$> ", "$ ", "% ", "❯ ", "λ ", "/ # ", "/ $ ", "~ # ", "~ $ ", "~$ ", "~# "] {
        if line.starts_with(sign) {
            return Some((None, sign.len()));
        }
    }
    if ["$", "❯", "/ #", "~ #", "/ $", "~ $"].contains(&line.trim_end()) {
        return Some((None, line.len()));
    }
    if let Some(rest) = line.strip_prefix("# ") {
        return is_bare_command(rest.trim_start()).then_some((None, 2));
    }
    let arrow = line.strip_prefix('➜')?;
    let from = line.len() - arrow.len();
    let dir = arrow.len() - arrow.trim_start().len();
    let dir_end = arrow.get(dir..)?.find(' ').map_or(arrow.len(), |e| dir + e);
    let mut at = from + dir_end;
    let rest = line.get(at..)?;
    if let Some(git) = rest.trim_start().strip_prefix("git:(") {
        let skipped = rest.len() - rest.trim_start().len();
        at += skipped + 5 + git.find(')').map_or(0, |e| e + 1);
    }
    let rest = line.get(at..)?.trim_start();
    let rest = rest.strip_prefix('✗').unwrap_or(rest);
    Some((None, line.len() - rest.len()))
}

/// Does the sign end a prompt: a space or nothing behind it?
fn ends_prompt(text: &str, signs: &[char]) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| signs.contains(&c)) && chars.next().is_none_or(|c| c == ' ')
}

/// The programs whose lines may be commands without a prompt.
const PROGRAMS: [&str; 23] = [
    "etcdctl",
    "etcdutl",
    "kubectl",
    "oc",
    "crictl",
    "podman",
    "nerdctl",
    "k3s",
    "docker",
    "ssh",
    "curl",
    "wget",
    "talosctl",
    "ls",
    "cat",
    "find",
    "du",
    "grep",
    "journalctl",
    "systemctl",
    "sha256sum",
    "watch",
    "ps",
];

/// Is it a command that runs an etcd tool, or reaches another host to do so? `etcd` itself is not asked for: its
/// command line is evidence of its own.
fn is_bare_command(text: &str) -> bool {
    let head = head(text);
    // A line of a help text or a manual.
    if head.contains(['…', '[', '<'])
        && ["…", "[flags]", "[options]", "[command]", "<subcommand>"].iter().any(|p| head.contains(p))
    {
        return false;
    }
    // Most lines begin with no program that is looked for, and need not be cut into words.
    let begins = head.split_whitespace().next().unwrap_or("");
    let may_run = PROGRAMS.contains(&program(begins)) || begins == "sudo" || is_assignment(begins);
    if !may_run && !begins.starts_with(['\'', '"', '\\']) {
        return false;
    }
    let words = words(head);
    let mut words = words.iter().map(String::as_str).skip_while(|w| is_assignment(w)).peekable();
    if words.peek() == Some(&"sudo") {
        words.next();
        while words.peek().is_some_and(|w| w.starts_with('-')) {
            words.next();
        }
    }
    let Some(first) = words.next().map(program) else { return false };
    let second = words.next().unwrap_or("");
    match first {
        "etcdctl" | "etcdutl" => !second.is_empty() && !second.ends_with(':') && !matches!(second, "version:" | "is"),
        "kubectl" | "oc" | "crictl" | "podman" | "nerdctl" | "k3s" => {
            text.contains(" exec") || text.contains(" rsh") || matches!(second, "get" | "logs" | "describe" | "-n")
        }
        "docker" => second == "exec",
        "ssh" => second.starts_with('-') || second.contains('@') || is_host(second),
        "curl" | "wget" => second.starts_with('-') || second.starts_with("http"),
        "talosctl" => !second.is_empty(),
        "ls" => second.starts_with('-') || second.starts_with('/'),
        "cat" | "find" | "du" | "grep" => second.starts_with('/') || second.starts_with("./"),
        "journalctl" | "systemctl" | "sha256sum" | "watch" => !second.is_empty() && !second.ends_with(':'),
        "ps" => matches!(second, "aux" | "-ef" | "auxww" | "auxwww" | "-efww" | "axww" | "-ww" | "-fC" | "-p"),
        _ => false,
    }
}

/// `NAME=value` in front of a command.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
            && name.starts_with(|c: char| c.is_ascii_uppercase())
    })
}

/// The program's name without its path, its variable and its version: `./etcdctl-3.2.24` and `$dir/etcdctl` are
/// etcdctl.
fn program(word: &str) -> &str {
    let name = word.rsplit('/').next().unwrap_or(word);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    match name.split_once(['-', '_']) {
        Some((tool @ ("etcdctl" | "etcdutl" | "etcd"), rest))
            if rest.starts_with(|c: char| c.is_ascii_digit() || c == 'v') =>
        {
            tool
        }
        _ => name,
    }
}

/// A command line, taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Command {
    /// The words of the innermost command, the program first, without its path.
    pub words: Vec<String>,
    /// The host, pod or container it ran on, where the command names one.
    pub target: Option<String>,
    /// Is the command an interactive shell there?
    pub opens_shell: bool,
    /// Several commands, a pipe or a redirection: what was printed is not simply this command's output.
    pub compound: bool,
}

impl Command {
    /// Takes a command line apart. Unknown wrappers stay as they are.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let compound = text.contains([';', '|', '>', '<', '`']) || text.contains("&&") || text.contains("$(");
        let mut command = Self { words: words(text), target: None, opens_shell: false, compound };
        for _ in 0..6 {
            if !command.unwrap_once() {
                break;
            }
        }
        if let Some(first) = command.words.first_mut() {
            *first = program(first).to_owned();
        }
        command
    }

    /// Takes one wrapper off; false when there is none.
    fn unwrap_once(&mut self) -> bool {
        let start = self.words.iter().position(|w| !is_assignment(w)).unwrap_or(self.words.len());
        if start > 0 {
            self.words.drain(..start);
            return true;
        }
        let Some(first) = self.words.first().map(|w| program(w).to_owned()) else { return false };
        match first.as_str() {
            "sudo" | "time" | "watch" | "nohup" | "doas" | "chroot" | "env" => {
                let at = skip_options(&self.words, 1, &["-u", "-g", "-n", "--interval", "--user"]);
                self.words.drain(..at.min(self.words.len()));
                true
            }
            "kubectl" | "oc" | "k3s" | "microk8s" | "microk8s.kubectl" | "k" => self.unwrap_exec(),
            "docker" | "podman" | "nerdctl" | "crictl" => self.unwrap_container(),
            "ssh" => self.unwrap_ssh(),
            "sh" | "bash" | "ash" => self.unwrap_shell(),
            _ => false,
        }
    }

    /// `kubectl -n ns exec -it pod -c etcd -- cmd`, `oc rsh pod cmd`
    fn unwrap_exec(&mut self) -> bool {
        let Some(exec) = self.words.iter().position(|w| w == "exec" || w == "rsh") else { return false };
        let with_value = ["-n", "-c", "--namespace", "--container", "--context", "--kubeconfig"];
        let mut pod = None;
        let mut at = exec + 1;
        while let Some(word) = self.words.get(at) {
            if word == "--" {
                at += 1;
                break;
            }
            if word.starts_with('-') {
                at += if with_value.contains(&word.as_str()) { 2 } else { 1 };
            } else if pod.is_none() {
                pod = Some(word.rsplit('/').next().unwrap_or(word).to_owned());
                at += 1;
            } else {
                break;
            }
        }
        self.leave(pod, at)
    }

    /// `docker exec -it name cmd`
    fn unwrap_container(&mut self) -> bool {
        let Some(exec) = self.words.iter().position(|w| w == "exec") else { return false };
        let at = skip_options(&self.words, exec + 1, &["-e", "-u", "-w", "--env", "--user", "--workdir"]);
        let name = self.words.get(at).cloned();
        self.leave(name, at + 1)
    }

    /// `ssh -i key user@host cmd`
    fn unwrap_ssh(&mut self) -> bool {
        let at =
            skip_options(&self.words, 1, &["-i", "-l", "-p", "-o", "-F", "-J", "-b", "-c", "-E", "-L", "-R", "-D"]);
        let host = self.words.get(at).map(|w| w.rsplit('@').next().unwrap_or(w).to_owned());
        self.leave(host, at + 1)
    }

    /// `sh -c "cmd"`
    fn unwrap_shell(&mut self) -> bool {
        let Some(at) = self.words.iter().position(|w| w.starts_with('-') && w.ends_with('c')) else {
            self.opens_shell = true;
            return false;
        };
        let Some(script) = self.words.get(at + 1) else { return false };
        let inner = words(script);
        self.words = inner;
        true
    }

    /// Goes on with the words from `at`, run on `target`.
    fn leave(&mut self, target: Option<String>, at: usize) -> bool {
        if target.is_some() {
            self.target = target;
        }
        self.words.drain(..at.min(self.words.len()));
        if let [one] = self.words.as_slice()
            && one.contains(' ')
        {
            self.words = words(one);
        }
        self.opens_shell = self.words.is_empty();
        !self.words.is_empty()
    }

    /// The program, without path.
    #[must_use]
    pub fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// Do these words follow each other in it, as in `etcdctl --endpoints a alarm list`?
    #[must_use]
    pub fn says(&self, wanted: &[&str]) -> bool {
        self.words.windows(wanted.len().max(1)).any(|w| w.iter().zip(wanted).all(|(a, b)| a == b))
    }

    /// The value of a flag, `--data-dir x` or `--data-dir=x`; `names` without dashes.
    #[must_use]
    pub fn flag(&self, names: &[&str]) -> Option<&str> {
        let mut words = self.words.iter();
        while let Some(word) = words.next() {
            let Some(bare) = word.strip_prefix('-').map(|w| w.strip_prefix('-').unwrap_or(w)) else { continue };
            match bare.split_once('=') {
                Some((name, value)) if names.contains(&name) => return Some(value),
                None if names.contains(&bare) => return words.next().map(String::as_str),
                _ => {}
            }
        }
        None
    }

    /// The word after these words, unless it is a flag: the file of `snapshot status FILE`.
    #[must_use]
    pub fn after(&self, wanted: &[&str]) -> Option<&str> {
        let at = self.words.windows(wanted.len().max(1)).position(|w| w.iter().zip(wanted).all(|(a, b)| a == b))?;
        let word = self.words.get(at + wanted.len())?;
        (!word.starts_with('-')).then_some(word.as_str())
    }
}

/// The index of the first word from `at` that is no option and no option's value.
fn skip_options(words: &[String], mut at: usize, with_value: &[&str]) -> usize {
    while let Some(word) = words.get(at) {
        if word == "--" {
            return at + 1;
        }
        if !word.starts_with('-') {
            return at;
        }
        at += if with_value.contains(&word.as_str()) { 2 } else { 1 };
    }
    at
}

/// The most words of a command that are looked at.
const WORD_LIMIT: usize = 400;

/// Splits a command line into words as a shell does: quotes and backslashes, no expansion.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut open = false;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, c) if c.is_whitespace() => {
                if open {
                    words.push(std::mem::take(&mut word));
                    open = false;
                    if words.len() == WORD_LIMIT {
                        return words;
                    }
                }
            }
            (None, '\'' | '"') => {
                quote = Some(c);
                open = true;
            }
            (Some(q), c) if q == c => quote = None,
            (None | Some('"'), '\\') => {
                if let Some(next) = chars.next() {
                    word.push(next);
                    open = true;
                }
            }
            (_, c) => {
                word.push(c);
                open = true;
            }
        }
    }
    if open {
        words.push(word);
    }
    words
}
