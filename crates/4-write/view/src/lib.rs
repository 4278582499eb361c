//! Pages: what is to be looked at, as one HTML file that needs no network.
//!
//! **In:** a [`Page`]: a document in the words of `document.rs` and its blobs, tables of numbers packed by [`Blobs`]. **Out:** HTML ([`write_page`]), or JSON for whoever shows it
//! inside something else ([`write_page_json`]).
//!
//! What the page does with it is the script `assets/page.js`, built from `web/` by `cargo xtask pages --bless` and kept here, so that building dyverse needs no Node.
//!
//! # Guarantee
//! Whatever names and texts are in a document, they stay data: none can end the element they are in. The same page gives the same bytes. Numbers arrive in the browser bit by bit as they are here.
//!
//! # Never here
//! Models, runs, files.

mod blobs;
mod document;
mod html;

pub use blobs::{Blobs, pack_f64, pack_u32};
pub use document::*;
pub use html::{write_page, write_page_json};

/// A document with its blobs.
#[derive(Clone, Debug)]
pub struct Page {
    /// What is shown.
    pub document: Document,
    /// The tables that it names.
    pub blobs: Blobs,
}
