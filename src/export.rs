//! What leaves: one file a format. [`report`] is the one all others are made from.

pub mod markdown;
pub mod report;
pub mod text;
pub mod words;
