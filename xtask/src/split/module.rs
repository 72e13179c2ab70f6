//! A module taken apart as far as the cut needs it.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use anyhow::{Context, Result, bail, ensure};
use wasm_encoder::reencode::{self, Reencode};
use wasmparser::{
    ConstExpr, Data, DataKind, Element, ElementItems, ElementKind, Export, ExternalKind, FuncType, FunctionBody,
    Global, Import, KnownCustom, MemoryType, Name, Operator, Parser, Payload, Table, TypeRef,
};

/// The parts of a module; indices are those of the module.
#[derive(Default)]
pub struct Module<'a> {
    pub types: Vec<FuncType>,
    /// All of them functions.
    pub imports: Vec<Import<'a>>,
    /// The type of each function, the imported ones first.
    pub functions: Vec<u32>,
    pub tables: Vec<Table<'a>>,
    pub memories: Vec<MemoryType>,
    pub globals: Vec<Global<'a>>,
    pub exports: Vec<Export<'a>>,
    pub start: Option<u32>,
    pub elements: Vec<Elements>,
    /// Functions that instructions refer to and no table holds.
    pub declared: Vec<u32>,
    pub data: Vec<Stretch<'a>>,
    /// Of the functions that are not imported.
    pub bodies: Vec<FunctionBody<'a>>,
    /// What each body uses.
    pub uses: Vec<Uses>,
    /// Names of functions.
    pub names: BTreeMap<u32, &'a str>,
}

/// Functions that stand in a table from some slot on.
pub struct Elements {
    pub table: u32,
    pub slot: u32,
    pub functions: Vec<u32>,
}

/// Bytes that stand in memory from some address on.
#[derive(Clone, Copy)]
pub struct Stretch<'a> {
    pub address: u32,
    pub bytes: &'a [u8],
}

/// Indices that the body of a function names.
#[derive(Default)]
pub struct Uses {
    /// Called or referred to.
    pub functions: BTreeSet<u32>,
    /// Only those referred to.
    pub referred: BTreeSet<u32>,
    pub types: BTreeSet<u32>,
    pub tables: BTreeSet<u32>,
    pub memories: BTreeSet<u32>,
    pub globals: BTreeSet<u32>,
    /// Names a segment of data or elements, which the cut would have to number anew.
    segments: bool,
}

impl Stretch<'_> {
    /// The address behind its last byte.
    pub fn end(&self) -> u32 {
        self.address.saturating_add(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX))
    }
}

impl<'a> Module<'a> {
    /// Takes a module apart.
    ///
    /// # Errors
    /// When it is broken, or has what neither rustc nor wasm-bindgen writes and the cut does not know.
    pub fn read(wasm: &'a [u8]) -> Result<Self> {
        let mut module = Self::default();
        for payload in Parser::new(0).parse_all(wasm) {
            module.take(payload?)?;
        }
        for body in &module.bodies {
            module.uses.push(Uses::of(body)?);
        }
        ensure!(module.bodies.len() + module.imports.len() == module.functions.len(), "functions without body");
        ensure!(!module.uses.iter().any(|uses| uses.segments), "a function loads a segment of data or elements");
        Ok(module)
    }

    fn take(&mut self, payload: Payload<'a>) -> Result<()> {
        match payload {
            Payload::TypeSection(types) => {
                for ty in types.into_iter_err_on_gc_types() {
                    self.types.push(ty?);
                }
            }
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    let import = import?;
                    let TypeRef::Func(ty) = import.ty else { bail!("{} is imported and no function", import.name) };
                    self.functions.push(ty);
                    self.imports.push(import);
                }
            }
            Payload::FunctionSection(types) => self.functions.extend(all(types)?),
            Payload::TableSection(tables) => self.tables = all(tables)?,
            Payload::MemorySection(memories) => self.memories = all(memories)?,
            Payload::GlobalSection(globals) => self.globals = all(globals)?,
            Payload::ExportSection(exports) => self.exports = all(exports)?,
            Payload::StartSection { func, .. } => self.start = Some(func),
            Payload::ElementSection(elements) => {
                for element in elements {
                    self.take_element(element?)?;
                }
            }
            Payload::DataSection(data) => {
                for data in data {
                    self.data.push(Stretch::read(&data?)?);
                }
            }
            Payload::CodeSectionEntry(body) => self.bodies.push(body),
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(names) = section.as_known() {
                    for name in names {
                        if let Name::Function(names) = name? {
                            for name in names {
                                let name = name?;
                                self.names.insert(name.index, name.name);
                            }
                        }
                    }
                }
            }
            Payload::Version { .. }
            | Payload::CodeSectionStart { .. }
            | Payload::DataCountSection { .. }
            | Payload::End(_) => {}
            other => bail!("a section that the cut does not know: {other:?}"),
        }
        Ok(())
    }

    fn take_element(&mut self, element: Element) -> Result<()> {
        let ElementItems::Functions(functions) = element.items else { bail!("a segment of elements by expressions") };
        let functions = all(functions)?;
        match element.kind {
            ElementKind::Active { table_index, offset_expr } => {
                let table = table_index.unwrap_or(0);
                self.elements.push(Elements { table, slot: number(&offset_expr)?, functions });
            }
            ElementKind::Declared => self.declared.extend(functions),
            ElementKind::Passive => bail!("a segment of elements that is not written at the start"),
        }
        Ok(())
    }

    /// What a function uses; nothing, when it is imported.
    pub fn uses(&self, function: u32) -> Option<&Uses> {
        self.uses.get((function as usize).checked_sub(self.imports.len())?)
    }

    /// The size of a function's body, in bytes.
    pub fn size(&self, function: usize) -> usize {
        let body = function.checked_sub(self.imports.len()).and_then(|body| self.bodies.get(body));
        body.map_or(0, |body| body.range().len())
    }

    /// The functions that may run without having been called by name: exported, started with, used by a global.
    pub fn outside(&self) -> Result<BTreeSet<u32>> {
        let exports = self.exports.iter().filter(|e| matches!(e.kind, ExternalKind::Func)).map(|e| e.index);
        let mut outside: BTreeSet<u32> = exports.chain(self.start).collect();
        for global in &self.globals {
            let mut reader = global.init_expr.get_operators_reader();
            while !reader.eof() {
                if let Operator::RefFunc { function_index } = reader.read()? {
                    outside.insert(function_index);
                }
            }
        }
        Ok(outside)
    }
}

impl<'a> Stretch<'a> {
    fn read(data: &Data<'a>) -> Result<Self> {
        let DataKind::Active { memory_index: 0, offset_expr } = &data.kind else {
            bail!("a segment of data that is not written at the start")
        };
        Ok(Self { address: number(offset_expr)?, bytes: data.data })
    }
}

/// The one constant of an expression.
fn number(expression: &ConstExpr) -> Result<u32> {
    match expression.get_operators_reader().read()? {
        Operator::I32Const { value } => Ok(value.cast_unsigned()),
        other => bail!("a place in memory or table that is no constant: {other:?}"),
    }
}

fn all<'a, T: wasmparser::FromReader<'a>>(section: wasmparser::SectionLimited<'a, T>) -> Result<Vec<T>> {
    Ok(section.into_iter().collect::<Result<_, _>>()?)
}

impl Uses {
    fn of(body: &FunctionBody) -> Result<Self> {
        let mut uses = Self::default();
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            let operator = operators.read()?;
            if let Operator::RefFunc { function_index } = operator {
                uses.referred.insert(function_index);
            }
            // Encoding names every index; what is encoded is thrown away.
            uses.instruction(operator).context("an instruction that the cut does not know")?;
        }
        Ok(uses)
    }
}

impl Reencode for Uses {
    type Error = Infallible;

    fn function_index(&mut self, index: u32) -> Result<u32, reencode::Error> {
        self.functions.insert(index);
        Ok(index)
    }

    fn type_index(&mut self, index: u32) -> Result<u32, reencode::Error> {
        self.types.insert(index);
        Ok(index)
    }

    fn table_index(&mut self, index: u32) -> Result<u32, reencode::Error> {
        self.tables.insert(index);
        Ok(index)
    }

    fn memory_index(&mut self, index: u32) -> Result<u32, reencode::Error> {
        self.memories.insert(index);
        Ok(index)
    }

    fn global_index(&mut self, index: u32) -> Result<u32, reencode::Error> {
        self.globals.insert(index);
        Ok(index)
    }

    fn data_index(&mut self, index: u32) -> Result<u32, reencode::Error> {
        self.segments = true;
        Ok(index)
    }

    fn element_index(&mut self, index: u32) -> Result<u32, reencode::Error> {
        self.segments = true;
        Ok(index)
    }
}
