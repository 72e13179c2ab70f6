//! What moves, and how the two parts will reach each other.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use anyhow::{Context, Result, ensure};
use wasmparser::RefType;

use super::module::Module;
use super::roots::Root;

/// How a module is cut. Indices are those of the whole module.
pub struct Plan {
    /// Which functions move.
    pub moved: Vec<bool>,
    /// The table through which the first part calls the second, when there is anything in it.
    pub table: Option<u32>,
    /// Its size, with room for moved functions that stood in no slot.
    pub table_size: u64,
    /// By which slot the first part calls a moved function.
    pub slots: BTreeMap<u32, u32>,
    /// What the second part writes into which slot.
    pub filled: BTreeMap<u32, u32>,
    /// What the second part imports.
    pub imports: Imports,
    /// Addresses that move.
    pub blob: Option<Range<u32>>,
}

/// What one part takes from the other.
#[derive(Default)]
pub struct Imports {
    pub functions: BTreeSet<u32>,
    pub tables: BTreeSet<u32>,
    pub memories: BTreeSet<u32>,
    pub globals: BTreeSet<u32>,
}

/// The functions that roots name and that may move, except those smaller than `least` bytes.
///
/// # Errors
/// When a root names none, and so does nothing.
pub fn doors(module: &Module, outside: &BTreeSet<u32>, roots: &[Root], least: usize) -> Result<BTreeSet<u32>> {
    ensure!(!module.names.is_empty(), "the wasm has no names, by which the second part is found: is `-g` missing?");
    let mut doors = BTreeSet::new();
    for root in roots {
        let path = &root.path;
        let named: Vec<u32> = module.names.iter().filter(|(_, name)| root.matches(name)).map(|(f, _)| *f).collect();
        ensure!(!named.is_empty(), "`{path}` names no function: was it renamed, or inlined by the compiler?");
        let large = named.into_iter().filter(|function| module.size(*function as usize) >= least);
        let mut large = large.peekable();
        ensure!(
            large.peek().is_some(),
            "`{path}` names only functions that are imported or smaller than {least} bytes"
        );
        let may_move: Vec<u32> = large.filter(|function| !outside.contains(function)).collect();
        ensure!(!may_move.is_empty(), "`{path}` names only functions that JavaScript calls");
        let before = doors.len();
        doors.extend(may_move);
        ensure!(doors.len() > before, "`{path}` names nothing that the lines above it do not");
    }
    Ok(doors)
}

/// The functions that are reached only by way of `doors`.
pub fn apart(module: &Module, outside: &BTreeSet<u32>, doors: &BTreeSet<u32>) -> Vec<bool> {
    let mut moved = vec![true; module.functions.len()];
    let in_table = module.elements.iter().flat_map(|elements| &elements.functions).copied();
    let imported = (0..).take(module.imports.len());
    let mut open: Vec<u32> =
        outside.iter().copied().chain(imported).chain(in_table.filter(|f| !doors.contains(f))).collect();
    while let Some(function) = open.pop() {
        let Some(moves) = moved.get_mut(function as usize) else { continue };
        if !std::mem::replace(moves, false) {
            continue;
        }
        let called = module.uses(function).into_iter().flat_map(|uses| &uses.functions);
        open.extend(called.filter(|f| !doors.contains(f)));
    }
    moved
}

impl Plan {
    pub fn new(module: &Module, moved: Vec<bool>, blob: Option<Range<u32>>) -> Result<Self> {
        let moves = |function: &u32| moved.get(*function as usize).copied().unwrap_or(false);
        let mut plan = Self {
            table: table(module)?,
            table_size: 0,
            slots: BTreeMap::new(),
            filled: BTreeMap::new(),
            imports: Imports::default(),
            blob,
            moved: Vec::new(),
        };
        for elements in &module.elements {
            for (slot, function) in (elements.slot..).zip(&elements.functions).filter(|(_, function)| moves(function)) {
                plan.filled.insert(slot, *function);
                plan.slots.entry(*function).or_insert(slot);
            }
        }
        plan.table_size = plan.table.and_then(|table| module.tables.get(table as usize)).map_or(0, |t| t.ty.initial);
        for (function, uses) in (0..).skip(module.imports.len()).zip(&module.uses) {
            if moves(&function) {
                plan.imports.functions.extend(uses.functions.iter().filter(|function| !moves(function)));
                plan.imports.tables.extend(&uses.tables);
                plan.imports.memories.extend(&uses.memories);
                plan.imports.globals.extend(&uses.globals);
                continue;
            }
            for called in uses.functions.iter().filter(|function| moves(function)) {
                if plan.slots.contains_key(called) {
                    continue;
                }
                let slot = u32::try_from(plan.table_size).context("the table is full")?;
                plan.table_size += 1;
                plan.slots.insert(*called, slot);
                plan.filled.insert(slot, *called);
            }
        }
        if !plan.slots.is_empty() {
            plan.imports.tables.insert(plan.table.context("the wasm has no table of functions to call through")?);
        }
        if plan.blob.is_some() {
            plan.imports.memories.insert(0);
        }
        plan.moved = moved;
        Ok(plan)
    }

    /// Does this function move?
    pub fn moves(&self, function: u32) -> bool {
        self.moved.get(function as usize).copied().unwrap_or(false)
    }
}

/// The one table that has functions in it, or could have.
fn table(module: &Module) -> Result<Option<u32>> {
    let used: BTreeSet<u32> = module.elements.iter().map(|elements| elements.table).collect();
    ensure!(used.len() < 2, "functions stand in more than one table");
    let could = (0..).zip(&module.tables).find(|(_, table)| table.ty.element_type == RefType::FUNCREF);
    Ok(used.first().copied().or(could.map(|(index, _)| index)))
}
