//! From the rows of a table, the records of a fields output and the elements of a JSON answer to facts: one a row that
//! says something, each with the span of its own lines. What a row says, each kind knows itself.

use serde_json::Value;

use super::detect::Place;
use super::fact::{Body, Fact};
use super::fields::Record;
use super::json::Document;
use super::table::{Row, Table};

/// The cells of one row, by column.
#[derive(Debug, Clone, Copy)]
pub struct Cells<'t> {
    table: &'t Table,
    row: &'t Row,
}

impl<'t> Cells<'t> {
    /// The cell under this column; empty where there is none.
    #[must_use]
    pub fn get(&self, column: &str) -> &'t str {
        self.table.cell(self.row, column).unwrap_or("")
    }

    /// The cell under the first of these columns that the table has; empty where it has none.
    #[must_use]
    pub fn either(&self, column: &str, other: &str) -> &'t str {
        self.table.cell(self.row, column).or_else(|| self.table.cell(self.row, other)).unwrap_or("")
    }
}

/// The rows of a table.
pub fn of_table(table: &Table, place: &Place<'_>, read: &dyn Fn(Cells<'_>) -> Option<Body>) -> Vec<Fact> {
    let fact = |row: &Row| Some(place.fact(place.range(row.first, row.last), read(Cells { table, row })?));
    table.rows.iter().filter_map(fact).collect()
}

/// The records of a fields output.
pub fn of_fields(records: &[Record<'_>], place: &Place<'_>, read: &dyn Fn(&Record<'_>) -> Option<Body>) -> Vec<Fact> {
    let fact = |record: &Record<'_>| {
        let (first, last) = record.range()?;
        Some(place.fact(place.range(first, last), read(record)?))
    };
    records.iter().filter_map(fact).collect()
}

/// The elements of a JSON array of answers, one an endpoint, or one such answer alone. `None` when they do not `fit`; an
/// empty array is an answer of the command `words` only.
pub fn of_json(
    document: &Document<'_>,
    place: &Place<'_>,
    words: &[&str],
    fits: &dyn Fn(&Value) -> bool,
    read: &dyn Fn(&Value) -> Option<Body>,
) -> Option<Vec<Fact>> {
    let first = match &document.value {
        // No endpoint answered; the lines around it say which failed.
        Value::Array(none) if none.is_empty() => return place.context.parsed.says(words).then(Vec::new),
        Value::Array(elements) => elements.first()?,
        object => object,
    };
    if !fits(first) {
        return None;
    }
    let fact = |(element, span): (Value, _)| Some(place.fact(span, read(&element)?));
    Some(document.elements(place).into_iter().filter_map(fact).collect())
}
