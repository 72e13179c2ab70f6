//! The NixOS module `services.etcd`: its attributes become `ETCD_…` variables of the unit.

use super::stretch::{Stretch, seen};
use super::{Draft, is_known, taken};
use crate::evidence::detect::{Place, Taken};
use crate::evidence::fact::{FlagForm, FlagSetting, FlagSource};

/// The attribute set it starts with.
const OPENS: &str = "services.etcd";

/// Reads from `services.etcd = {` to the brace that closes it.
pub fn read(place: &Place<'_>) -> Option<Taken> {
    if !seen(place.lines.get(place.at)?).trim_start().starts_with(OPENS) {
        return None;
    }
    let mut draft = Draft::new(FlagSource::EnvFile, place.at, place.at);
    let mut depth = 0_usize;
    let mut at = place.at;
    while let Some(line) = place.lines.get(at) {
        let text = seen(line);
        // The next one starts here: this one was cut.
        if at > place.at && text.trim_start().starts_with(OPENS) {
            break;
        }
        let opened = text.matches('{').count();
        let closed = text.matches('}').count();
        if at > place.at || opened == 0 {
            add(place, at, text, &mut draft);
        }
        depth = (depth + opened).saturating_sub(closed);
        at += 1;
        if depth == 0 {
            break;
        }
    }
    draft.lines.1 = at - 1;
    let fits = draft.set.settings.iter().any(|s| is_known(&s.name));
    fits.then(|| taken(place, at - place.at, "NixOS module", vec![draft]))
}

/// `name = value;` as a setting, if it stands for a flag.
fn add(place: &Place<'_>, at: usize, text: &str, draft: &mut Draft) {
    let Some((left, right)) = text.split_once('=') else { return };
    let attribute = left.trim().rsplit('.').next().unwrap_or("");
    let Some(name) = flag_of(attribute) else { return };
    let from = text.len() - text.trim_start().len();
    let to = text.trim_end().trim_end_matches(';').len();
    let value = right.trim().trim_end_matches(';').trim();
    let value = value.trim_matches(['[', ']']).split_whitespace().map(|v| v.trim_matches('"'));
    let mut stretch = Stretch::default();
    stretch.push(place.lines, at, 0, text.len());
    draft.add(FlagSetting {
        name,
        value: Some(value.collect::<Vec<_>>().join(",")),
        form: FlagForm::Env,
        span: stretch.span(place, from, to),
    });
}

/// The flag an attribute stands for: `EXPERIMENTAL_X` of `extraConf` always, `listenClientUrls` where it is one.
fn flag_of(attribute: &str) -> Option<String> {
    let named = !attribute.is_empty() && attribute.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if !named {
        return None;
    }
    if attribute.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_') {
        return Some(attribute.to_ascii_lowercase().replace('_', "-"));
    }
    let name = kebab(attribute);
    is_known(&name).then_some(name)
}

/// `listenClientUrls` → `listen-client-urls`.
pub fn kebab(camel: &str) -> String {
    let mut name = String::with_capacity(camel.len() + 4);
    for c in camel.chars() {
        if c.is_ascii_uppercase() {
            name.push('-');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use crate::evidence::fact::FlagForm;
    use crate::evidence::flags::testing::read;

    #[test]
    fn attributes_become_variables() {
        let read = read(include_str!("../../../tests/fixtures/flags/nixos/extra-conf.txt"));
        assert_eq!(
            read.settings(),
            [
                "listen-client-urls=https://127.0.0.1:2379,https://192.0.2.231:2379",
                "initial-cluster-state=existing",
                "experimental-initial-corrupt-check=true",
                "experimental-watch-progress-notify-interval=5s",
            ]
        );
        assert_eq!(read.rows[0][2].3, "EXPERIMENTAL_INITIAL_CORRUPT_CHECK = \"true\"");
        assert!(read.rows[0].iter().all(|r| r.2 == FlagForm::Env));
        assert!(read.left.is_empty());
    }
}
