//! The border to the outside: bytes come in chunks, a paste comes out. No reader does I/O of its own.
