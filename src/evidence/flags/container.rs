//! A container as manifests describe it: image, command, arguments, environment → one draft, if it runs etcd.

use saphyr_parser::ScalarStyle;

use super::arguments::{
    Variables, add_env, assignment, commands, find_start, flag_parts, is_other_mode, is_server, path_version,
    read as read_arguments,
};
use super::stretch::Stretch;
use super::words::{Rules, Word, split};
use super::yaml::{Node, Value};
use super::{Draft, flag_of_env, image_version, is_etcd_image, is_known};
use crate::evidence::detect::Place;
use crate::evidence::fact::{FlagForm, FlagSetting, FlagSource, Seen};

/// The parts of one container.
#[derive(Debug, Default)]
pub struct Container<'a> {
    /// The image.
    pub image: Option<&'a Node>,
    /// Command or entry point, then arguments: lists, or texts that are cut as a shell does.
    pub commands: Vec<&'a Node>,
    /// `NAME=value`
    pub assignments: Vec<Word>,
    /// Name and value apart; no value when it is taken from elsewhere.
    pub variables: Vec<(&'a Node, Option<&'a Node>)>,
    /// What else sets variables, by the name of the file, map or secret.
    pub elsewhere: Vec<&'a Node>,
    /// Health probes: `httpGet` with path and port, `exec` with a command, or the command itself.
    pub probes: Vec<&'a Node>,
}

/// A scalar as a word; without its quotes where it has some.
pub fn word_of(stretch: &Stretch, node: &Node) -> Option<Word> {
    let Value::Scalar(text, style) = &node.value else { return None };
    let quote = match style {
        ScalarStyle::SingleQuoted => Some('\''),
        ScalarStyle::DoubleQuoted => Some('"'),
        ScalarStyle::Plain | ScalarStyle::Literal | ScalarStyle::Folded => None,
    };
    let cut = stretch.cut(node.from, node.to);
    let inner = usize::from(quote.is_some_and(|q| cut.len() >= 2 && cut.starts_with(q) && cut.ends_with(q)));
    let to = node.from + cut.trim_end().len();
    Some(Word { text: text.clone(), from: node.from + inner, to: to - inner, operator: false, quote })
}

impl Container<'_> {
    /// What the container sets; `None` when it does not run the etcd server. `whole` is the node it stands in.
    pub fn draft(&self, place: &Place<'_>, stretch: &Stretch, source: FlagSource, whole: &Node) -> Option<Draft> {
        let last = whole.to.saturating_sub(1).max(whole.from);
        let mut draft = Draft::new(source, stretch.line_at(whole.from), stretch.line_at(last));
        let image = self.image.and_then(Node::text);
        for word in &self.assignments {
            add_env(place, stretch, word, &mut draft);
        }
        for (name, value) in &self.variables {
            self.add_variable(place, stretch, name, *value, &mut draft);
        }
        for node in &self.elsewhere {
            let what = node.text().unwrap_or("").to_owned();
            draft.elsewhere(what, stretch.span(place, node.from, node.to));
        }
        for node in &self.probes {
            draft.set.probes.extend(probe(place, stretch, node));
        }
        let known_env = draft.set.settings.iter().any(|s| s.form == FlagForm::Env && is_known(&s.name));
        let mut words = Vec::new();
        let mut texts = Vec::new();
        for node in &self.commands {
            match node.text() {
                Some(_) => texts.push(*node),
                None => words.extend(node.items().iter().filter_map(|item| word_of(stretch, item))),
            }
        }
        let ours = image.is_some_and(is_etcd_image);
        let found = read_list(place, stretch, &words, ours || image.is_none(), &mut draft)?
            | texts.iter().any(|node| read_text(place, stretch, node, &mut draft));
        // An image that starts etcd by itself needs no command.
        let by_image = ours && self.commands.is_empty() && !draft.set.settings.is_empty();
        if !found && !known_env && !by_image {
            return None;
        }
        draft.set.complete = found || (ours && known_env);
        draft.set.version = image.and_then(image_version).or(draft.set.version);
        Some(draft)
    }

    fn add_variable(&self, place: &Place<'_>, stretch: &Stretch, name: &Node, value: Option<&Node>, draft: &mut Draft) {
        let Some(flag) = name.text().and_then(flag_of_env) else { return };
        let to = value.map_or(name.to, |v| v.to.max(name.to));
        let span = stretch.span(place, name.from, to);
        match value.map(Node::text) {
            Some(Some(text)) => {
                draft.add(FlagSetting { name: flag, value: Some(text.to_owned()), form: FlagForm::Env, span })
            }
            // From a field of the pod, a map or a secret: it is set, to what is not shown.
            _ => {
                draft.elsewhere(name.text().unwrap_or("").to_owned(), span.clone());
                draft.add(FlagSetting { name: flag, value: None, form: FlagForm::Env, span });
            }
        }
    }
}

/// What a probe asks; `None` where it opens a port only.
fn probe(place: &Place<'_>, stretch: &Stretch, node: &Node) -> Option<Seen<String>> {
    let http = node.get("httpGet");
    let path = http.and_then(|http| http.get("path"));
    let command = node.get("exec").and_then(|exec| exec.get("command")).or_else(|| node.get("test"));
    let what = path.or(command)?;
    let mut words: Vec<&str> = what.text().into_iter().chain(what.items().iter().filter_map(Node::text)).collect();
    let port = http.and_then(|http| http.get("port")).and_then(Node::text);
    words.extend(port.iter().flat_map(|port| ["port", port]));
    Some(Seen { value: words.join(" "), span: stretch.span(place, what.from, what.to.max(what.from)) })
}

/// Reads a list of words: etcd and its flags, a shell with a script, or flags alone where the image is etcd's
/// (`flags_alone`). `None` when another program runs; true when settings of etcd were read.
fn read_list(
    place: &Place<'_>,
    stretch: &Stretch,
    words: &[Word],
    flags_alone: bool,
    draft: &mut Draft,
) -> Option<bool> {
    let Some(first) = words.first() else { return Some(false) };
    if let Some(at) = words.iter().position(|w| is_server(&w.text)) {
        let arguments = words.get(at + 1..).unwrap_or(&[]);
        if is_other_mode(arguments) {
            return None;
        }
        draft.set.version = words.get(at).and_then(|w| path_version(&w.text));
        read_arguments(place, stretch, arguments, &Variables::default(), draft);
        return Some(true);
    }
    if flag_parts(&first.text).is_some() {
        let mut own = draft.clone();
        let outcome = read_arguments(place, stretch, words, &Variables::default(), &mut own);
        let fits = flags_alone && outcome.known > 0 && outcome.known * 2 >= outcome.flags;
        if fits {
            *draft = own;
        }
        return Some(fits);
    }
    // A folded text is one line.
    let rules = |w: &Word| if w.text.contains('\n') { Rules::inside(w) } else { Rules::Nested };
    let script = words.iter().any(|w| read_script(place, stretch, w, rules(w), draft));
    Some(script)
}

/// Reads a text that is cut into words: a command, or a script of several lines.
fn read_text(place: &Place<'_>, stretch: &Stretch, node: &Node, draft: &mut Draft) -> bool {
    let Some(word) = word_of(stretch, node) else { return false };
    // Line ends are blanks here, whatever the style.
    read_script(place, stretch, &word, Rules::Systemd, draft)
}

/// Reads a shell's script: variables it sets, variables it exports, the start of etcd.
fn read_script(place: &Place<'_>, stretch: &Stretch, word: &Word, rules: Rules, draft: &mut Draft) -> bool {
    if !word.text.contains("etcd") {
        return false;
    }
    let words = split(stretch, word.from, word.to, rules);
    let mut variables = Variables::default();
    let mut found = false;
    for command in commands(&words) {
        let exports = command.first().is_some_and(|w| w.text == "export");
        if command.iter().skip(usize::from(exports)).all(|w| assignment(&w.text).is_some()) {
            for word in command {
                variables.learn(stretch, word);
                if exports {
                    add_env(place, stretch, word, draft);
                }
            }
        } else if let Some(start) = find_start(stretch, command) {
            found = true;
            draft.set.version = path_version(&start.program.text);
            for word in &start.before {
                add_env(place, stretch, word, draft);
            }
            read_arguments(place, stretch, &start.arguments, &variables, draft);
        }
    }
    found
}
