//! The language of rigid-body models: `.drbt` text to [`Model`](dyverse_model::Model), and back to tidy text.
//!
//! **In:** bytes of a file, and a [`Loader`] for those it imports. **Out:** a [`Reading`]: the model, or everything
//! that is wrong with it, each finding with its place ([`dyverse_diag`]).
//!
//! docs/LANGUAGE.md describes the language. The stages, each in its folder: `syntax` (tokens, tree), `lower`
//! (names, types, ranges, then mechanics), `format`.
//!
//! # Guarantee
//! No input makes it panic, hang or overflow the stack: nesting is bounded, expressions lie flat, passes are linear
//! or nearly so. No IO.

mod format;
mod lower;
mod source;
mod syntax;

pub use format::{FormatError, format};
pub use source::{LARGEST_FILE, Loaded, Loader, NoImports, Reading, read};
