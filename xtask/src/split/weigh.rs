//! `cargo xtask second-part [PATH]`: what each root moves, who calls it, and what more could move, by the paths below
//! PATH.
//!
//! Sizes of paths are those of the code in bytes, before compression. A path that moves little is used by the first part
//! too.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::module::Module;
use super::roots::Root;
use super::{LEAST_DOOR, plan, roots};
use crate::budget::brotli;
use crate::workspace::root;

/// Groups that would move less are not shown, in bytes.
const LEAST: usize = 400;

/// The whole wasm of the last release build, with its names.
pub fn whole() -> PathBuf {
    root().join("target/second-part/whole.wasm")
}

/// Prints both tables.
pub fn run(path: &str) -> Result<()> {
    let file = whole();
    let wasm = fs::read(&file).with_context(|| format!("{}: run `cargo xtask dist` first", file.display()))?;
    let module = Module::read(&wasm)?;
    let outside = module.outside()?;
    let roots = roots()?;
    let doors = |roots: &mut dyn Iterator<Item = &Root>| -> BTreeSet<u32> {
        let roots: Vec<&Root> = roots.collect();
        let named = module.names.iter().filter(|(_, name)| roots.iter().any(|root| root.matches(name)));
        let large = named.map(|(f, _)| *f).filter(|f| module.size(*f as usize) >= LEAST_DOOR);
        large.filter(|function| !outside.contains(function)).collect()
    };
    let size = |doors: &BTreeSet<u32>| -> usize {
        let moved = plan::apart(&module, &outside, doors);
        (0..).zip(moved).filter(|(_, moves)| *moves).map(|(function, _)| module.size(function)).sum()
    };
    let all = doors(&mut roots.iter());
    let moved = size(&all);
    let whole: usize = (0..module.functions.len()).map(|function| module.size(function)).sum();
    let parts = super::split(&wasm, &roots, LEAST_DOOR)?;
    let folder = file.parent().unwrap_or(root());
    let (first, second) = (folder.join("first.wasm"), folder.join("second.wasm"));
    fs::write(&first, &parts.first)?;
    fs::write(&second, &parts.second)?;
    let sizes = brotli(&[file.clone(), first, second])?;
    println!("code {whole}, of it {moved} in the second part; brotli of whole with names, first, second: {sizes:?}");
    println!("\nthe first part calls:");
    let stay = plan::apart(&module, &outside, &all);
    for (function, name) in module.names.iter().filter(|(function, _)| stay.get(**function as usize) == Some(&false)) {
        let called = module.uses(*function).into_iter().flat_map(|uses| &uses.functions);
        for called in called.filter(|called| stay.get(**called as usize) == Some(&true)) {
            println!("  {} <- {}", plain(module.names.get(called).copied().unwrap_or_default()), plain(name));
        }
    }
    println!("\nwould stay without this line of roots.txt:");
    for one in &roots {
        let others = doors(&mut roots.iter().filter(|root| *root != one));
        println!("{:>8}  {}", moved - size(&others), one.path);
    }

    let mut groups: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for (function, name) in &module.names {
        if let Some(group) = group(name, path).filter(|_| !all.contains(function) && !outside.contains(function)) {
            groups.entry(group).or_default().insert(*function);
        }
    }
    let weighed = groups.into_iter().map(|(group, mut functions)| {
        functions.extend(&all);
        (size(&functions) - moved, group)
    });
    let mut weighed: Vec<(usize, String)> = weighed.filter(|(size, _)| *size >= LEAST).collect();
    weighed.sort_by(|a, b| b.cmp(a));
    println!("\nwould move besides, if it were a line of roots.txt:");
    for (size, group) in weighed {
        println!("{size:>8}  {group}");
    }
    Ok(())
}

/// A name without its hash.
fn plain(name: &str) -> &str {
    name.rsplit_once("::h").map_or(name, |(path, _)| path)
}

/// The path one step below `path` that this name lies in.
fn group(name: &str, path: &str) -> Option<String> {
    let name = name.trim_start_matches(['<', '&']);
    let rest = if path.is_empty() { name } else { name.strip_prefix(path)?.strip_prefix("::")? };
    let step = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().filter(|step| !step.is_empty())?;
    Some(if path.is_empty() { step.to_owned() } else { format!("{path}::{step}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_one_step_below_the_path() {
        let name = "<planner::plan::restore::Reason as core::fmt::Display>::fmt::h01";
        assert_eq!(group(name, "planner::plan").as_deref(), Some("planner::plan::restore"));
        assert_eq!(group(name, "").as_deref(), Some("planner"));
        assert_eq!(group(name, "planner::gates"), None);
    }
}
