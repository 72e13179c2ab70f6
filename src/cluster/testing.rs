//! Clusters for tests.
