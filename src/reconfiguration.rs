//! The arithmetic of a change of members: what etcd takes and what it refuses, and which stages a change goes through.
//!
//! [`rules`] are etcd's own, as numbers. [`course`] is the order in which a change is made, with the members counted
//! after each stage: gates read from it what is refused, the plan writes its steps from it, and the report shows the
//! counts. So none of them can say another thing than the others.

pub mod course;
pub mod rules;

pub use course::{Act, Course, Problem, Seat, Stage};
pub use rules::{Refusal, Rule, Tally};
