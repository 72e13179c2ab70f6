//! How commands for this cluster are written: its endpoints, certificates, and the way etcd is run.

/// How commands for this cluster are written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Commands {}
