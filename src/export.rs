//! What leaves: one file a format. [`report`] is the one all others are made from; [`document`] walks it once for those
//! that read like a document.

pub mod closing;
pub mod clusters;
pub mod csv;
pub mod document;
pub mod fields;
pub mod html;
pub mod jira;
pub mod link;
pub mod markdown;
pub mod record;
pub mod redact;
pub mod report;
pub mod servicenow;
pub mod text;
pub mod words;

use document::{Block, Detail};
use report::Report;

/// A format of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Plain text.
    Text,
    /// Markdown with a task list.
    Markdown,
    /// Jira's wiki markup.
    Jira,
    /// A page of HTML that stands by itself.
    Html,
    /// HTML for the rich clipboard: Confluence, mail.
    Rich,
    /// Fields of a change request in ServiceNow.
    ServiceNow,
    /// CSV for spreadsheets.
    Csv,
    /// The report as JSON.
    Json,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 8] =
        [Self::Text, Self::Markdown, Self::Jira, Self::Html, Self::Rich, Self::ServiceNow, Self::Csv, Self::Json];

    /// How a file of it ends.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Text | Self::Jira | Self::ServiceNow => "txt",
            Self::Markdown => "md",
            Self::Html | Self::Rich => "html",
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }
}

/// Writes the report in a format. The JSON is always whole.
#[must_use]
pub fn write(report: &Report, format: Format, detail: Detail) -> String {
    match format {
        Format::Text => text::write_in(report, detail),
        Format::ServiceNow => servicenow::write(report, detail),
        Format::Csv => csv::write(report, detail),
        Format::Json => serde_json::to_string_pretty(report).unwrap_or_default() + "\n",
        Format::Markdown | Format::Jira | Format::Html | Format::Rich => {
            render(&words::route(report), &document::of(report, detail), format)
        }
    }
}

/// Writes a document in a format. CSV has its tables only, JSON and ServiceNow none: they come as plain text.
#[must_use]
pub fn render(title: &str, blocks: &[Block], format: Format) -> String {
    match format {
        Format::Markdown => markdown::render(blocks),
        Format::Jira => jira::render(blocks),
        Format::Html => html::page(&format!("{title} · etcd Upgrade Planner"), blocks),
        Format::Rich => html::fragment(blocks),
        Format::Csv => {
            let tables = blocks.iter().filter_map(|block| match block {
                Block::Table { header, rows } => Some(csv::table(header, rows)),
                _ => None,
            });
            tables.collect::<Vec<String>>().join("\r\n")
        }
        Format::Text | Format::ServiceNow | Format::Json => text::render(blocks),
    }
}
