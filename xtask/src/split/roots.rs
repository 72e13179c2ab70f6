//! The list of what moves: paths of functions, each with its reason.

use anyhow::{Context, Result, ensure};

/// A function, or a module or type with all functions in it.
#[derive(Debug, PartialEq, Eq)]
pub struct Root {
    /// As Rust writes it; with a `*` at its end, every path that starts so.
    pub path: String,
}

impl Root {
    /// Does this name of the name section stand for the root, or for something in it?
    ///
    /// A name is a path with a hash behind it, `<Type as Trait>::function`, or `<impl Trait for Type>::function` below
    /// the module that has it. A generic function of another crate that merely has the path among its arguments is not
    /// meant: wasm-opt keeps one of several functions that are alike, whatever its name.
    pub fn matches(&self, name: &str) -> bool {
        let name = name.trim_start_matches(['<', '&']);
        if let Some(start) = self.path.strip_suffix('*') {
            return name.starts_with(start);
        }
        name.strip_prefix(&*self.path)
            .is_some_and(|rest| rest.chars().next().is_none_or(|next| !next.is_alphanumeric() && next != '_'))
    }
}

/// Reads lines of `path  # reason`; blank lines and lines of reason alone are skipped.
pub fn parse(list: &str) -> Result<Vec<Root>> {
    let lines = list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (path, reason) = line.split_once('#').with_context(|| format!("`{line}` has no `# reason`"))?;
            ensure!(!reason.trim().is_empty(), "`{line}` has no reason");
            Ok(Root { path: path.trim().to_owned() })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stands_for_itself_and_all_in_it() {
        let root = Root { path: "planner::plan::restore".to_owned() };
        for name in [
            "planner::plan::restore",
            "planner::plan::restore::h0123456789abcdef",
            "planner::plan::restore::Restore::file::{{closure}}::h0123456789abcdef",
            "<planner::plan::restore::Reason as core::fmt::Display>::fmt::h0123456789abcdef",
            "planner::plan::restore::<impl planner::plan::Steps>::more::h0123456789abcdef",
        ] {
            assert!(root.matches(name), "{name}");
        }
        for name in [
            "planner::plan::restored::h0123456789abcdef",
            "planner::plan",
            "core::ptr::drop_in_place<planner::plan::restore::Restore>::h0123456789abcdef",
        ] {
            assert!(!root.matches(name), "{name}");
        }
    }

    #[test]
    fn a_path_with_a_star_stands_for_all_that_start_so() {
        let root = Root { path: "planner::gates::restore_*".to_owned() };
        assert!(root.matches("planner::gates::restore_partial::check::h0123456789abcdef"));
        assert!(!root.matches("planner::gates::restores::check::h0123456789abcdef"));
    }

    #[test]
    fn every_line_has_a_reason() {
        let list = "# What the first verdict does not need.\n\na::b  # Only a restore asks it.\n";
        assert_eq!(parse(list).unwrap(), [Root { path: "a::b".to_owned() }]);
        assert!(parse("a::b\n").unwrap_err().to_string().contains("`a::b` has no `# reason`"));
        assert!(parse("a::b #\n").is_err());
    }

    #[test]
    fn the_list_of_the_project_can_be_read() {
        assert!(!crate::split::roots().unwrap().is_empty());
    }
}
