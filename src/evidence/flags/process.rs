//! The environment of a process that runs etcd. A process line shows the flags of its command line only; `ETCD_*`
//! variables set flags too, and it takes `/proc/PID/environ` to see them.

use super::Draft;
use super::env_file::add_assignment;
use crate::etcd::flags::name;
use crate::evidence::clean::Role;
use crate::evidence::detect::Place;
use crate::evidence::fact::Span;

/// What closes the variables of a process: below its command line, the collect script and the command that asks for
/// flags print them, then this and the process id. So none in between means that none is set.
pub const END_OF_ENVIRONMENT: &str = "# end of the environment of process";

/// What stands for the variables of a process that are not shown.
pub const NOT_SHOWN: &str = "$ETCD_*";

/// Takes the environment that is printed directly below a command line, at `at`, and says how many lines that are.
/// Without it the set is not all there is, unless a config file is named: etcd then looks at nothing else.
pub fn take_environment(place: &Place<'_>, at: usize, program: Span, draft: &mut Draft) -> usize {
    let mut own = draft.clone();
    let mut index = at;
    while let Some(line) = place.lines.get(index).filter(|l| l.role == Role::Output) {
        if line.text.trim_start().starts_with(END_OF_ENVIRONMENT) {
            own.lines.1 = index;
            own.set.complete = true;
            *draft = own;
            return index + 1 - at;
        }
        if !line.text.trim_start().starts_with("ETCD_") || !add_assignment(place, index, &mut own) {
            break;
        }
        index += 1;
    }
    if draft.set.settings.iter().any(|s| s.name == name::CONFIG_FILE) {
        return 0;
    }
    draft.elsewhere(NOT_SHOWN.to_owned(), program);
    0
}

#[cfg(test)]
mod tests {
    use crate::evidence::fact::FlagForm;
    use crate::evidence::flags::testing::read;

    const COLLECTED: &str = "/usr/bin/etcd --name m1 --data-dir /var/lib/etcd\nETCD_ENABLE_V2=true\n\
                             # end of the environment of process 1234\nok\n";

    #[test]
    fn a_process_line_alone_does_not_show_the_environment() {
        for text in [
            "/usr/bin/etcd --name m1 --data-dir /var/lib/etcd\n",
            "root 1234 1 0 09:00 ? 00:00:01 /usr/bin/etcd --name m1 --data-dir /var/lib/etcd\n",
            "ETCD_ENABLE_V2=false /usr/bin/etcd --name m1\n",
            // The output was cut before it ended.
            "/usr/bin/etcd --name m1\nETCD_ENABLE_V2=false\n",
        ] {
            let read = read(text);
            let set = read.sets()[0];
            assert!(!set.complete, "{text}");
            assert_eq!(set.elsewhere.iter().map(|e| e.value.as_str()).collect::<Vec<_>>(), ["$ETCD_*"], "{text}");
        }
    }

    #[test]
    fn the_environment_below_a_command_line_belongs_to_it() {
        let read = read(COLLECTED);
        assert_eq!(read.settings(), ["name=m1", "data-dir=/var/lib/etcd", "enable-v2=true"]);
        assert_eq!(read.rows[0][2].2, FlagForm::Env);
        assert_eq!(read.rows[0][2].3, "ETCD_ENABLE_V2=true");
        assert!(read.sets()[0].complete);
        assert_eq!((read.taken.len(), read.taken[0].1.lines), (1, 3));
        assert_eq!(read.left, ["ok"]);
    }

    #[test]
    fn an_environment_without_etcds_variables_is_a_whole_answer() {
        for text in [
            "/usr/bin/etcd --name m1\n# end of the environment of process 9\n",
            "1234 /usr/bin/etcd --name m1\n# end of the environment of process 1234\n",
        ] {
            let read = read(text);
            assert!(read.sets()[0].complete, "{text}");
            assert_eq!(read.settings(), ["name=m1"]);
        }
    }

    #[test]
    fn a_config_file_makes_the_environment_void() {
        let read = read("1234 /usr/bin/etcd --config-file /etc/etcd/etcd.conf.yml\n");
        let set = read.sets()[0];
        assert_eq!(set.elsewhere.iter().map(|e| e.value.as_str()).collect::<Vec<_>>(), ["/etc/etcd/etcd.conf.yml"]);
    }
}
