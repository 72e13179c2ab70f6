//! Endpoints and URLs compared: without scheme and path, by host and port.

/// An endpoint as far as comparing needs it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Endpoint {
    /// Host in lower case; an IPv6 address without brackets.
    pub host: String,
    /// Port, where one is given.
    pub port: Option<u16>,
}

impl Endpoint {
    /// Reads `https://10.0.0.1:2379/`, `10.0.0.1:2379`, `[::1]:2379`, `m1`. `None` when nothing is left of it.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim().trim_matches(['"', '\'']);
        let bare = text.split_once("://").map_or(text, |(_, rest)| rest);
        let bare = bare.split(['/', '?', '#']).next().unwrap_or(bare);
        let bare = bare.rsplit_once('@').map_or(bare, |(_, rest)| rest);
        let (host, port) = match bare.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, rest)) => (host, rest.strip_prefix(':')),
            None if bare.matches(':').count() > 1 => (bare, None),
            None => bare.split_once(':').map_or((bare, None), |(host, port)| (host, Some(port))),
        };
        let host = host.trim_end_matches('.').to_lowercase();
        (!host.is_empty()).then(|| Self { host, port: port.and_then(|p| p.parse().ok()) })
    }

    /// Does it name the machine it is used on, whichever that is? Then it tells members apart only on one machine.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.host == "localhost"
            || self.host.starts_with("127.")
            || matches!(self.host.as_str(), "::1" | "0.0.0.0" | "::" | "0:0:0:0:0:0:0:1")
    }

    /// Is it written the same on every host, so that it does not say whose it is? Other addresses of the loopback
    /// network do: a cluster on one machine gives each member one.
    #[must_use]
    pub fn names_nobody(&self) -> bool {
        matches!(self.host.as_str(), "localhost" | "127.0.0.1" | "::1" | "0.0.0.0" | "::" | "0:0:0:0:0:0:0:1")
    }

    /// The host without its domain: `m1` of `m1.example.com`. An address stays whole.
    #[must_use]
    pub fn short_host(&self) -> &str {
        short_host(&self.host)
    }
}

/// A host without its domain. An address stays whole.
#[must_use]
pub fn short_host(host: &str) -> &str {
    if host.parse::<std::net::IpAddr>().is_ok() { host } else { host.split('.').next().unwrap_or(host) }
}

impl std::fmt::Display for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let v6 = self.host.contains(':');
        match (self.port, v6) {
            (Some(port), true) => write!(f, "[{}]:{port}", self.host),
            (Some(port), false) => write!(f, "{}:{port}", self.host),
            (None, _) => f.write_str(&self.host),
        }
    }
}

/// Splits a flag's list of URLs (`https://a:2379,https://b:2379`).
pub fn split_urls(list: &str) -> impl Iterator<Item = &str> {
    list.split([',', ' ']).map(|u| u.trim().trim_matches(['"', '\''])).filter(|u| !u.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        Endpoint::read(text).map_or_else(|| "-".to_owned(), |e| e.to_string())
    }

    #[test]
    fn schemes_paths_and_case_do_not_count() {
        for text in [
            "https://M1.example.com:2379",
            "http://m1.example.com:2379/",
            "m1.example.com:2379",
            "m1.example.com.:2379",
        ] {
            assert_eq!(read(text), "m1.example.com:2379", "{text}");
        }
        assert_eq!(read("unixs://localhost:m10"), "localhost");
        assert_eq!(read("https://[2001:db8::1]:2379"), "[2001:db8::1]:2379");
        assert_eq!(read("2001:db8::1"), "2001:db8::1");
        assert_eq!(read("https://"), "-");
        assert_eq!(read(""), "-");
    }

    #[test]
    fn loopback_and_any_are_local() {
        for text in ["localhost:2379", "127.0.0.1:2379", "https://[::1]:2379", "http://0.0.0.0:2379", "[::]:2379"] {
            assert!(Endpoint::read(text).unwrap().is_local(), "{text}");
        }
        for text in ["10.0.0.1:2379", "m1:2379", "localhost.example.com:2379"] {
            assert!(!Endpoint::read(text).unwrap().is_local(), "{text}");
        }
    }

    #[test]
    fn a_short_host_keeps_addresses_whole() {
        assert_eq!(short_host("m1.example.com"), "m1");
        assert_eq!(short_host("192.0.2.1"), "192.0.2.1");
    }

    /// 127.0.0.2 is local to its machine like 127.0.0.1, and tells a member of a cluster on one machine apart.
    #[test]
    fn localhost_says_nobody_and_another_loopback_address_says_who() {
        let read = |text: &str| Endpoint::read(text).unwrap();
        for text in ["http://127.0.0.1:2379", "localhost:2379", "http://[::1]:2379", "http://0.0.0.0:2379"] {
            assert!(read(text).names_nobody(), "{text}");
        }
        assert!(!read("http://127.0.0.2:2379").names_nobody() && read("http://127.0.0.2:2379").is_local());
    }
}
