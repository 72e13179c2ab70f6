//! Plain text for a terminal.
