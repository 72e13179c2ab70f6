//! Small parts that several views use.

pub mod choice;
pub mod command;
pub mod copy_button;
pub mod outcome;
pub mod segmented;
