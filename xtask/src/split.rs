//! Cuts the finished wasm in two: what the page starts with, and the second part, which `boot.js` fetches right after
//! the first paint.
//!
//! Cut is the module that wasm-bindgen and wasm-opt are done with, so neither knows of it. `split/roots.txt` names
//! what need not be there at first. A function moves when the first part reaches it only by way of such a root:
//!
//! - The first part calls a moved function by a slot of its table, which the second part fills when it is instantiated.
//!   A slot that is not filled yet traps; the page calls nothing of the second part before it is there.
//! - The second part imports what it needs of the first: memory, table, globals, functions, and by way of it the
//!   functions of JavaScript. `boot.js` gives it the exports of the first part and nothing else.
//! - Tables that `build.rs` packed into one blob move with it, to the same address ([`blob`]).

mod blob;
mod module;
mod plan;
mod roots;
mod weigh;
mod write;

use std::fs;

use anyhow::{Context, Result};

use crate::workspace::root;
use module::Module;
use plan::Plan;
pub use roots::Root;
pub use weigh::{run as weigh, whole};

/// The two modules.
pub struct Parts {
    /// What the page starts with.
    pub first: Vec<u8>,
    /// What comes after the first paint. It imports from one module, `first`.
    pub second: Vec<u8>,
}

/// Smaller functions are no doors to the second part, whatever their name, in bytes. Of functions that are alike wasm-opt
/// keeps one, under the name of any of them, and small ones often are: a closure of the second part may be what the page
/// calls while it mounts. They still move when only the second part calls them.
pub const LEAST_DOOR: usize = 64;

/// What the project moves.
pub fn roots() -> Result<Vec<Root>> {
    let file = root().join("xtask/src/split/roots.txt");
    let list = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    roots::parse(&list).with_context(|| file.display().to_string())
}

/// Cuts a module in two. Both parts come without names and other custom sections.
///
/// # Errors
/// When a root matches no function that could move, and when the module has what this cut does not know.
pub fn split(wasm: &[u8], roots: &[Root], least_door: usize) -> Result<Parts> {
    let module = Module::read(wasm)?;
    let outside = module.outside()?;
    let moved = plan::apart(&module, &outside, &plan::doors(&module, &outside, roots, least_door)?);
    let plan = Plan::new(&module, moved, blob::find(&module.data)?)?;
    Ok(Parts { first: write::first(&module, &plan)?, second: write::second(&module, &plan)? })
}

/// The whole module without names and other custom sections, for the single file.
pub fn stripped(wasm: &[u8]) -> Result<Vec<u8>> {
    let module = Module::read(wasm)?;
    write::first(&module, &Plan::new(&module, vec![false; module.functions.len()], None)?)
}

#[cfg(test)]
mod tests;
