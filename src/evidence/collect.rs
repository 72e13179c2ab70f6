//! The collect script: one run of it prints all that commands can answer, each output below a marker line that
//! [`clean::heading`](super::clean::heading) reads.

/// The script, for the page to offer and the command line to print. POSIX sh; it reads, and changes nothing.
pub const SCRIPT: &str = include_str!("collect/etcd-collect.sh");

/// The name it is saved under.
pub const FILE_NAME: &str = "etcd-collect.sh";

#[cfg(test)]
mod tests {
    use super::SCRIPT;
    use crate::evidence::flags::END_OF_ENVIRONMENT;

    #[test]
    fn script_and_reader_agree_on_what_ends_an_environment() {
        assert!(SCRIPT.contains(END_OF_ENVIRONMENT));
    }
}
