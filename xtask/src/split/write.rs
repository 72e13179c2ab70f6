//! Writes the two modules of a plan.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use anyhow::{Context, Result};
use wasm_encoder::reencode::{self, Reencode, utils};
use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, ElementSection, Elements, EntityType, ExportKind, ExportSection, Function,
    FunctionSection, GlobalSection, ImportSection, Instruction, MemorySection, StartSection, TableSection, TypeSection,
};
use wasmparser::{ExternalKind, FunctionBody, Operator};

use super::blob;
use super::module::{Module, Stretch};
use super::plan::Plan;

/// The module that the second part imports from, and so a word of `boot.js`.
const FIRST: &str = "first";

/// The first part: everything but what moves, and with it the exports that the second part needs.
pub fn first(module: &Module, plan: &Plan) -> Result<Vec<u8>> {
    let mut out = wasm_encoder::Module::new();
    let mut numbers = Numbers::unchanged(module);
    numbers.functions = count_up((0..).take(module.functions.len()).filter(|function| !plan.moves(*function)));
    numbers.slots = plan.slots.iter().map(|(function, slot)| (*function, *slot)).collect();
    numbers.table = plan.table.unwrap_or(0);
    numbers.of_function.clone_from(&module.functions);

    let mut types = TypeSection::new();
    for ty in &module.types {
        types.ty().func_type(&numbers.func_type(ty.clone())?);
    }
    // In each slot of a moved function. It traps whatever it is called as: no other function has this type.
    let stands_in = module.elements.iter().flat_map(|e| &e.functions).any(|function| plan.moves(*function));
    let stand_in_type = types.len();
    if stands_in {
        types.ty().function([], []);
    }
    out.section(&types);

    let mut imports = ImportSection::new();
    for import in &module.imports {
        imports.import(import.module, import.name, numbers.entity_type(import.ty)?);
    }
    out.section(&imports);

    let mut functions = FunctionSection::new();
    let mut code = CodeSection::new();
    for (index, (ty, body)) in bodies(module).filter(|(index, _)| !plan.moves(*index)) {
        functions.function(ty);
        code.function(&numbers.body(body).with_context(|| format!("function {index}"))?);
    }
    let stand_in = u32::try_from(module.imports.len())? + functions.len();
    if stands_in {
        functions.function(stand_in_type);
        let mut body = Function::new([]);
        body.instruction(&Instruction::Unreachable).instruction(&Instruction::End);
        code.function(&body);
    }
    out.section(&functions);

    let mut tables = TableSection::new();
    for (index, table) in (0..).zip(&module.tables) {
        let mut table = table.clone();
        if Some(index) == plan.table {
            table.ty.maximum = table.ty.maximum.map(|maximum| maximum.max(plan.table_size));
            table.ty.initial = plan.table_size;
        }
        numbers.parse_table(&mut tables, table)?;
    }
    out.section(&tables);
    let mut memories = MemorySection::new();
    for memory in &module.memories {
        memories.memory(numbers.memory_type(*memory)?);
    }
    out.section(&memories);
    let mut globals = GlobalSection::new();
    for global in &module.globals {
        numbers.parse_global(&mut globals, global.clone())?;
    }
    out.section(&globals);

    let mut exports = ExportSection::new();
    for export in &module.exports {
        numbers.parse_export(&mut exports, *export)?;
    }
    for (name, export) in new_exports(module, plan) {
        let (kind, index) = match export {
            Thing::Function(index) => (ExportKind::Func, numbers.function_index(index)?),
            Thing::Table(index) => (ExportKind::Table, numbers.table_index(index)?),
            Thing::Memory(index) => (ExportKind::Memory, numbers.memory_index(index)?),
            Thing::Global(index) => (ExportKind::Global, numbers.global_index(index)?),
        };
        exports.export(&name, kind, index);
    }
    out.section(&exports);
    if let Some(start) = module.start {
        out.section(&StartSection { function_index: numbers.function_index(start)? });
    }

    let mut elements = ElementSection::new();
    for segment in &module.elements {
        let here = |function: &u32| if plan.moves(*function) { Ok(stand_in) } else { numbers.number(*function) };
        let functions: Vec<u32> = segment.functions.iter().map(here).collect::<Result<_, _>>()?;
        active(&mut elements, segment.table, segment.slot, &functions);
    }
    declare(&mut elements, module.declared.iter().filter(|f| !plan.moves(**f)), &numbers)?;
    out.section(&elements);
    out.section(&code);
    let mut data = DataSection::new();
    for stretch in &module.data {
        let parts = match &plan.blob {
            Some(range) => {
                let [before, _, after] = blob::cut(stretch, range);
                vec![before, after]
            }
            None => vec![*stretch],
        };
        write_data(&mut data, &parts);
    }
    out.section(&data);
    Ok(out.finish())
}

/// The second part: what moves, and what it imports of the first.
pub fn second(module: &Module, plan: &Plan) -> Result<Vec<u8>> {
    let mut out = wasm_encoder::Module::new();
    let exports = export_names(module, plan);
    let moved = || bodies(module).filter(|(index, _)| plan.moves(*index));
    let imported = &plan.imports;
    let own_types = moved().map(|(_, (ty, _))| ty);
    let imported_types = imported.functions.iter().filter_map(|function| module.functions.get(*function as usize));
    let used_types = moved().filter_map(|(index, _)| module.uses(index)).flat_map(|uses| &uses.types);
    let used_types: BTreeSet<u32> = own_types.chain(imported_types.copied()).chain(used_types.copied()).collect();
    let mut numbers = Numbers {
        functions: count_up(imported.functions.iter().copied().chain(moved().map(|(index, _)| index))),
        types: count_up(used_types.iter().copied()),
        tables: count_up(imported.tables.iter().copied()),
        memories: count_up(imported.memories.iter().copied()),
        globals: count_up(imported.globals.iter().copied()),
        ..Numbers::default()
    };

    let mut types = TypeSection::new();
    for ty in &used_types {
        let ty = module.types.get(*ty as usize).context("a type that is not there")?;
        types.ty().func_type(&numbers.func_type(ty.clone())?);
    }
    out.section(&types);

    let mut imports = ImportSection::new();
    for export in taken(plan) {
        let name = exports.get(&export).context("an import that the first part does not export")?;
        imports.import(FIRST, name, numbers.imported(module, plan, export)?);
    }
    out.section(&imports);

    let mut functions = FunctionSection::new();
    let mut code = CodeSection::new();
    for (index, (ty, body)) in moved() {
        functions.function(numbers.type_index(ty)?);
        code.function(&numbers.body(body).with_context(|| format!("function {index}"))?);
    }
    out.section(&functions);

    let mut elements = ElementSection::new();
    if let Some(table) = plan.table {
        for (slot, run) in runs(&plan.filled) {
            let functions: Vec<u32> = run.iter().map(|function| numbers.number(*function)).collect::<Result<_, _>>()?;
            active(&mut elements, numbers.table_index(table)?, slot, &functions);
        }
    }
    let referred: BTreeSet<&u32> =
        moved().filter_map(|(index, _)| module.uses(index)).flat_map(|u| &u.referred).collect();
    declare(&mut elements, referred.into_iter(), &numbers)?;
    out.section(&elements);
    out.section(&code);
    if let Some(range) = &plan.blob {
        let mut data = DataSection::new();
        for stretch in &module.data {
            let [_, inside, _] = blob::cut(stretch, range);
            write_data(&mut data, &[inside]);
        }
        out.section(&data);
    }
    Ok(out.finish())
}

/// Each body with its index and type.
fn bodies<'m, 'a>(module: &'m Module<'a>) -> impl Iterator<Item = (u32, (u32, &'m FunctionBody<'a>))> {
    let imported = module.imports.len();
    let types = module.functions.iter().skip(imported).copied();
    (0..).skip(imported).zip(types.zip(&module.bodies))
}

fn active(elements: &mut ElementSection, table: u32, slot: u32, functions: &[u32]) {
    // The short form is for table 0.
    let table = (table != 0).then_some(table);
    elements.active(table, &ConstExpr::i32_const(slot.cast_signed()), Elements::Functions(functions.into()));
}

/// What an instruction refers to must be declared.
fn declare<'f>(
    elements: &mut ElementSection,
    functions: impl Iterator<Item = &'f u32>,
    numbers: &Numbers,
) -> Result<()> {
    let functions: Vec<u32> = functions.map(|function| numbers.number(*function)).collect::<Result<_, _>>()?;
    if !functions.is_empty() {
        elements.declared(Elements::Functions(functions.into()));
    }
    Ok(())
}

fn write_data(data: &mut DataSection, stretches: &[Stretch]) {
    for stretch in stretches.iter().filter(|stretch| !stretch.bytes.is_empty()) {
        data.active(0, &ConstExpr::i32_const(stretch.address.cast_signed()), stretch.bytes.iter().copied());
    }
}

/// Functions in slots that follow one another.
fn runs(filled: &BTreeMap<u32, u32>) -> Vec<(u32, Vec<u32>)> {
    let mut runs: Vec<(u32, Vec<u32>)> = Vec::new();
    for (slot, function) in filled {
        match runs.last_mut() {
            Some((first, run)) if u64::from(*first) + run.len() as u64 == u64::from(*slot) => run.push(*function),
            _ => runs.push((*slot, vec![*function])),
        }
    }
    runs
}

/// New indices for old ones, in their order.
fn count_up(indices: impl Iterator<Item = u32>) -> BTreeMap<u32, u32> {
    indices.zip(0..).collect()
}

/// A thing of the whole module that can be exported, with its index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    Function(u32),
    Table(u32),
    Memory(u32),
    Global(u32),
}

/// What the second part takes, in the order of its imports.
fn taken(plan: &Plan) -> impl Iterator<Item = Thing> {
    let imports = &plan.imports;
    let of = |thing: fn(u32) -> Thing, indices: &BTreeSet<u32>| indices.iter().copied().map(thing).collect();
    let all: [Vec<Thing>; 4] = [
        of(Thing::Function, &imports.functions),
        of(Thing::Table, &imports.tables),
        of(Thing::Memory, &imports.memories),
        of(Thing::Global, &imports.globals),
    ];
    all.into_iter().flatten()
}

/// By which name the first part exports what the second takes.
fn export_names(module: &Module, plan: &Plan) -> BTreeMap<Thing, String> {
    let mut names: BTreeMap<Thing, String> = BTreeMap::new();
    for export in &module.exports {
        let thing = match export.kind {
            ExternalKind::Func | ExternalKind::FuncExact => Thing::Function(export.index),
            ExternalKind::Table => Thing::Table(export.index),
            ExternalKind::Memory => Thing::Memory(export.index),
            ExternalKind::Global => Thing::Global(export.index),
            ExternalKind::Tag => continue,
        };
        names.insert(thing, export.name.to_owned());
    }
    let in_use: BTreeSet<String> = names.values().cloned().collect();
    let mut free = (0..).map(short).filter(|name| !in_use.contains(name));
    for thing in taken(plan) {
        names.entry(thing).or_insert_with(|| free.next().unwrap_or_default());
    }
    names
}

/// Those of them that the module itself does not export.
fn new_exports(module: &Module, plan: &Plan) -> Vec<(String, Thing)> {
    let own: BTreeSet<&str> = module.exports.iter().map(|export| export.name).collect();
    let names = export_names(module, plan);
    let new = names.into_iter().filter(|(_, name)| !own.contains(&**name));
    new.map(|(thing, name)| (name, thing)).collect()
}

/// The shortest names there are, one for each number.
fn short(mut number: usize) -> String {
    const LETTERS: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$";
    let mut name = String::new();
    loop {
        name.push(char::from(LETTERS[number % LETTERS.len()]));
        number /= LETTERS.len();
        if number == 0 {
            return name;
        }
        number -= 1;
    }
}

/// Indices of a new module by those of the whole one, and the calls that go through the table.
#[derive(Default)]
struct Numbers {
    functions: BTreeMap<u32, u32>,
    types: BTreeMap<u32, u32>,
    tables: BTreeMap<u32, u32>,
    memories: BTreeMap<u32, u32>,
    globals: BTreeMap<u32, u32>,
    /// Slots of functions that are in the other module.
    slots: BTreeMap<u32, u32>,
    /// The table of these slots.
    table: u32,
    /// Types of all functions.
    of_function: Vec<u32>,
}

/// A part names something that only the other has: a fault of the plan.
#[derive(Debug)]
pub struct NotHere(&'static str, u32);

impl fmt::Display for NotHere {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {} is not in this part", self.0, self.1)
    }
}

impl std::error::Error for NotHere {}

type Failed = reencode::Error<NotHere>;

impl Numbers {
    fn unchanged(module: &Module) -> Self {
        let same = |count: usize| (0..).take(count).map(|index| (index, index)).collect();
        Self {
            types: same(module.types.len()),
            tables: same(module.tables.len()),
            memories: same(module.memories.len()),
            globals: same(module.globals.len()),
            ..Self::default()
        }
    }

    fn look_up(numbers: &BTreeMap<u32, u32>, what: &'static str, index: u32) -> Result<u32, Failed> {
        numbers.get(&index).copied().ok_or(Failed::UserError(NotHere(what, index)))
    }

    /// The index of a function.
    fn number(&self, function: u32) -> Result<u32, Failed> {
        Self::look_up(&self.functions, "function", function)
    }

    fn body(&mut self, body: &FunctionBody) -> Result<Function, Failed> {
        let mut function = utils::new_function_with_parsed_locals(self, body)?;
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            let operator = operators.read()?;
            let elsewhere = match operator {
                Operator::Call { function_index }
                | Operator::ReturnCall { function_index }
                | Operator::RefFunc { function_index } => self.slots.get(&function_index).map(|s| (function_index, *s)),
                _ => None,
            };
            let Some((called, slot)) = elsewhere else {
                function.instruction(&self.instruction(operator)?);
                continue;
            };
            function.instruction(&Instruction::I32Const(slot.cast_signed()));
            let (type_index, table_index) = (self.type_of(called)?, self.table);
            function.instruction(&match operator {
                Operator::Call { .. } => Instruction::CallIndirect { type_index, table_index },
                Operator::ReturnCall { .. } => Instruction::ReturnCallIndirect { type_index, table_index },
                _ => Instruction::TableGet(table_index),
            });
        }
        Ok(function)
    }

    fn type_of(&self, function: u32) -> Result<u32, Failed> {
        let ty = self.of_function.get(function as usize).copied();
        ty.ok_or(Failed::UserError(NotHere("the type of function", function)))
    }

    /// The type of an import of the second part. Tables and memories without a maximum: that of the first part may
    /// have grown, and may have one.
    fn imported(&mut self, module: &Module, plan: &Plan, thing: Thing) -> Result<EntityType> {
        const GONE: &str = "an import of something that is not there";
        Ok(match thing {
            Thing::Function(index) => {
                let ty = module.functions.get(index as usize).context(GONE)?;
                EntityType::Function(self.type_index(*ty)?)
            }
            Thing::Table(index) => {
                let mut ty = self.table_type(module.tables.get(index as usize).context(GONE)?.ty)?;
                if Some(index) == plan.table {
                    ty.minimum = plan.table_size;
                }
                ty.maximum = None;
                EntityType::Table(ty)
            }
            Thing::Memory(index) => {
                let mut ty = self.memory_type(*module.memories.get(index as usize).context(GONE)?)?;
                ty.maximum = None;
                EntityType::Memory(ty)
            }
            Thing::Global(index) => {
                EntityType::Global(self.global_type(module.globals.get(index as usize).context(GONE)?.ty)?)
            }
        })
    }
}

impl Reencode for Numbers {
    type Error = NotHere;

    fn function_index(&mut self, index: u32) -> Result<u32, Failed> {
        self.number(index)
    }

    fn type_index(&mut self, index: u32) -> Result<u32, Failed> {
        Self::look_up(&self.types, "type", index)
    }

    fn table_index(&mut self, index: u32) -> Result<u32, Failed> {
        Self::look_up(&self.tables, "table", index)
    }

    fn memory_index(&mut self, index: u32) -> Result<u32, Failed> {
        Self::look_up(&self.memories, "memory", index)
    }

    fn global_index(&mut self, index: u32) -> Result<u32, Failed> {
        Self::look_up(&self.globals, "global", index)
    }
}
