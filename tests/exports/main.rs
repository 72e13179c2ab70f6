//! What leaves the planner, format by format, held against golden files (`UPDATE=1 cargo test --test exports` writes
//! them anew) and against real parsers of each format.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::expect_used)]

mod closing;
mod clusters;
mod formats;
mod golden;
mod links;
mod redaction;
