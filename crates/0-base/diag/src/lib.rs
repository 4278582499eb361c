//! What is wrong with a model, said with the source line, the numbers compared and a way out.
//!
//! **In:** findings of any stage, each a [`Diagnostic`] with a stable [`Code`] and an [`Origin`].
//! **Out:** text for people ([`render()`]); the parts, for machines.
//!
//! Stages never format positions: a value carries an opaque [`Origin`], and only the renderer, which
//! has the [`SourceMap`], resolves it to file, line and column.
//!
//! # Not here
//! Reasons why an analysis stopped, and verdicts: those are results, not mistakes in a model.

mod catalogue;
mod code;
mod diagnostic;
mod number;
mod render;
mod source;
mod suggest;

pub use catalogue::{CATALOGUE, codes};
pub use code::{Code, Family, find_code};
pub use diagnostic::{Diagnostic, Label, Severity};
pub use number::number;
pub use render::{RenderOptions, render, render_all};
pub use source::{FileId, Origin, Position, SourceFile, SourceMap};
pub use suggest::closest;
