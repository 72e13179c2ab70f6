//! The parts of the page, from top to bottom.

pub mod answers;
pub mod asked;
pub mod bump;
pub mod changes;
pub mod checklist;
pub mod clear;
pub mod empty;
pub mod evidence;
pub mod finding;
pub mod gates;
pub mod header;
pub mod intent;
pub mod lines;
pub mod members;
pub mod opened;
pub mod out;
pub mod paste;
pub mod verdict;
pub mod ways_back;
