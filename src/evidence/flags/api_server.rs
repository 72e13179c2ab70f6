//! The etcd that a kube-apiserver uses: `--etcd-servers` on its command line, in `ps`, or in its manifest.

use super::stretch::{Stretch, seen};
use super::words::{Rules, split};
use crate::evidence::clean::Role;
use crate::evidence::detect::{Place, Taken};
use crate::evidence::fact::{Body, Kind};

/// The flag of the API server.
const FLAG: &str = "etcd-servers";

/// One line that holds the flag.
pub fn read(place: &Place<'_>) -> Option<Taken> {
    let line = place.lines.get(place.at).filter(|l| l.role == Role::Output)?;
    let text = seen(line);
    if !text.contains(FLAG) {
        return None;
    }
    let mut stretch = Stretch::default();
    stretch.push(place.lines, place.at, 0, text.len());
    let words = split(&stretch, 0, text.len(), Rules::Systemd);
    let at = words.iter().position(|w| named(&w.text).is_some())?;
    let word = words.get(at)?;
    let (list, to) = match named(&word.text)? {
        Some(value) => (value.to_owned(), word.to),
        None => words.get(at + 1).map(|next| (next.text.clone(), next.to))?,
    };
    let servers: Vec<String> = list.split(',').map(str::trim).filter(|u| !u.is_empty()).map(str::to_owned).collect();
    let is_url = |url: &String| url.starts_with("http://") || url.starts_with("https://");
    if servers.is_empty() || !servers.iter().all(is_url) {
        return None;
    }
    let fact = place.fact(stretch.span(place, word.from, to), Body::ApiServer(servers));
    Some(place.taken(1, Kind::ServerFlags, "kube-apiserver", 0, vec![fact]))
}

/// Is the word the flag, and does it hold the value too?
fn named(word: &str) -> Option<Option<&str>> {
    let rest = word.strip_prefix("--")?.strip_prefix(FLAG)?;
    if rest.is_empty() { Some(None) } else { rest.strip_prefix('=').map(Some) }
}

#[cfg(test)]
mod tests {
    use crate::evidence::fact::Body;
    use crate::evidence::paste::{Paste, Quotes};

    #[test]
    fn the_servers_of_the_api_server_are_read_wherever_they_stand() {
        for text in [
            "root 4011 9.1 4.2 1503220 683144 ? Ssl Nov12 210:44 kube-apiserver --etcd-servers=https://192.0.2.71:2379,https://192.0.2.72:2379 --secure-port=6443",
            "kube-apiserver --etcd-servers https://192.0.2.71:2379,https://192.0.2.72:2379",
            "    - --etcd-servers=https://192.0.2.71:2379,https://192.0.2.72:2379",
        ] {
            let pastes = [Paste::new("paste", text)];
            let evidence = crate::evidence::read(&pastes);
            let [fact] = &evidence.facts[..] else { panic!("{text}: {:?}", evidence.facts) };
            let servers = vec!["https://192.0.2.71:2379".to_owned(), "https://192.0.2.72:2379".to_owned()];
            assert_eq!(fact.body, Body::ApiServer(servers), "{text}");
            let focus = Quotes::of(&pastes).focus(&fact.span).unwrap();
            assert!(focus.starts_with("--etcd-servers") && focus.ends_with("192.0.2.72:2379"), "{focus}");
        }
    }

    #[test]
    fn words_about_it_are_left() {
        for text in ["--etcd-servers-overrides=/x#https://a:1", "set --etcd-servers to your members", "etcd-servers: 3"]
        {
            let evidence = crate::evidence::read(&[Paste::new("paste", text)]);
            assert!(evidence.facts.is_empty(), "{text}: {:?}", evidence.facts);
        }
    }
}
