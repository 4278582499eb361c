//! The other files that an actor model uses: rigid-body systems, FMUs and tables.

use crate::actors::{External, Table};
use crate::lower;
use crate::source::{Files, LARGEST_FILE, Loader, Reader};
use crate::syntax::ast::{ItemKind, Statement, StatementKind};
use crate::syntax::dialect::Dialect;
use dyverse_diag::{Origin, report};
use std::collections::BTreeMap;

/// A use of a file.
struct FileUse<'t> {
    importer: &'t str,
    path: &'t str,
    origin: Origin,
    kind: FileKind,
}

/// What a file is used as.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FileKind {
    Mechanism,
    Fmu,
    Table,
}

impl Reader {
    /// Reads them all, each once, by the places where they are named.
    pub(crate) fn externals(&mut self, files: &Files, loader: &mut dyn Loader) -> BTreeMap<Origin, External> {
        let mut found = BTreeMap::new();
        let mut by_key: BTreeMap<(String, FileKind), External> = BTreeMap::new();
        for usage in uses(files) {
            let external = self.external(&usage, &mut by_key, loader);
            found.insert(usage.origin, external.unwrap_or(External::Missing));
        }
        found
    }

    fn external(
        &mut self,
        usage: &FileUse<'_>,
        by_key: &mut BTreeMap<(String, FileKind), External>,
        loader: &mut dyn Loader,
    ) -> Option<External> {
        if !self.may_read(usage.origin) {
            return None;
        }
        if usage.kind == FileKind::Fmu {
            // No text: whoever loads it says what it shows.
            let interface = loader.fmu(usage.importer, usage.path);
            let interface = interface.map_err(|why| self.not_read(usage, &why)).ok()?;
            return Some(External::Fmu(Box::new(interface)));
        }
        let loaded = loader.load(usage.importer, usage.path);
        let loaded = loaded.map_err(|why| self.not_read(usage, &why)).ok()?;
        let key = (loaded.key.clone(), usage.kind);
        if let Some(known) = by_key.get(&key) {
            return Some(known.clone());
        }
        let external = if usage.kind == FileKind::Mechanism {
            let files = self.read_files(loaded, Dialect::Bodies, loader);
            let model = self.lower(&files, lower::lower);
            model.map(|model| External::Mechanism(Box::new(model)))
        } else {
            self.table(usage, &loaded.bytes)
        };
        let external = external.unwrap_or(External::Missing);
        by_key.insert(key, external.clone());
        Some(external)
    }

    fn not_read(&mut self, usage: &FileUse<'_>, why: &str) {
        report!(self, L030 at usage.origin, "cannot read \"{}\": {why}", usage.path;
            label "used here";
            help "the path is seen from the folder of the file that names it");
    }

    fn table(&mut self, usage: &FileUse<'_>, bytes: &[u8]) -> Option<External> {
        let parsed = match std::str::from_utf8(bytes) {
            Ok(text) if bytes.len() <= LARGEST_FILE => Table::parse(text),
            Ok(_) => Err(format!("more than {LARGEST_FILE} bytes")),
            Err(_) => Err("not a text".to_owned()),
        };
        match parsed {
            Ok(table) => Some(External::Table(table)),
            Err(why) => {
                report!(self, A042 at usage.origin, "\"{}\" is no table: {why}", usage.path;
                    label "used here";
                    help "a table has two numbers a line, the first column ascending");
                None
            }
        }
    }
}

/// All uses of files, in the order of the text; bodies are searched without recursion.
fn uses(files: &Files) -> Vec<FileUse<'_>> {
    let mut found = Vec::new();
    for (tree, key) in files.trees.iter().zip(&files.keys) {
        let mut open: Vec<&Statement> = Vec::new();
        for item in &tree.items {
            match &item.kind {
                ItemKind::Statement(statement) => open.push(statement),
                ItemKind::Actor { body, .. } => open.extend(body),
                _ => {}
            }
        }
        while let Some(statement) = open.pop() {
            let (path, origin, kind) = match &statement.kind {
                StatementKind::Mechanism {
                    path, path_origin, ..
                } => (path, *path_origin, FileKind::Mechanism),
                StatementKind::Fmu {
                    path, path_origin, ..
                } => (path, *path_origin, FileKind::Fmu),
                StatementKind::Table {
                    path, path_origin, ..
                } => (path, *path_origin, FileKind::Table),
                StatementKind::Modal { body, .. } | StatementKind::Mode { body, .. } => {
                    open.extend(body);
                    continue;
                }
                _ => continue,
            };
            found.push(FileUse {
                importer: key,
                path,
                origin,
                kind,
            });
        }
    }
    found.sort_by_key(|usage| usage.origin);
    found
}
