//! What is true of etcd: look-ups on the tables that `build.rs` makes of `data/`.
//!
//! Version numbers, flag names, floors and links stand nowhere else in the code.

pub mod feature_gates;
pub mod features;
pub mod flags;
pub mod hops;
pub mod known_issues;
pub mod log_messages;
pub mod numbers;
pub(crate) mod packed;
pub mod platforms;
pub mod releases;
pub mod sources;
pub mod tools;
pub mod version;

pub(crate) mod tables {
    //! The const tables and the places of the packed ones, generated.
    include!(concat!(env!("OUT_DIR"), "/tables.rs"));
}

#[cfg(test)]
mod tests;
