//! The other files that an actor model uses: rigid-body systems, FMUs and tables.

use crate::actors::{External, Table};
use crate::lower;
use crate::source::{Files, LARGEST_FILE, Loader, Reader};
use crate::syntax::ast::{FileKind, FileUse, ItemKind, Statement, StatementKind};
use crate::syntax::dialect::Dialect;
use dyverse_diag::{Origin, report};
use std::collections::BTreeMap;

/// A use of a file, and the file that names it.
type Named<'t> = (&'t str, &'t FileUse);

impl Reader {
    /// Reads them all, each once, by the places where they are named.
    pub(crate) fn externals(&mut self, files: &Files, loader: &mut dyn Loader) -> BTreeMap<Origin, External> {
        let mut found = BTreeMap::new();
        let mut by_key: BTreeMap<(String, FileKind), External> = BTreeMap::new();
        for usage in uses(files) {
            let external = self.external(usage, &mut by_key, loader);
            found.insert(usage.1.path_origin, external.unwrap_or(External::Missing));
        }
        found
    }

    fn external(
        &mut self,
        (importer, usage): Named<'_>,
        by_key: &mut BTreeMap<(String, FileKind), External>,
        loader: &mut dyn Loader,
    ) -> Option<External> {
        if !self.may_read(usage.path_origin) {
            return None;
        }
        if usage.kind == FileKind::Fmu {
            // No text: whoever loads it says what it shows.
            let interface = loader.fmu(importer, &usage.path);
            let interface = interface.map_err(|why| self.not_read(usage, &why)).ok()?;
            return Some(External::Fmu(Box::new(interface)));
        }
        let loaded = loader.load(importer, &usage.path);
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

    fn not_read(&mut self, usage: &FileUse, why: &str) {
        report!(self, L030 at usage.path_origin, "cannot read \"{}\": {why}", usage.path;
            label "used here";
            help "the path is seen from the folder of the file that names it");
    }

    fn table(&mut self, usage: &FileUse, bytes: &[u8]) -> Option<External> {
        let parsed = match std::str::from_utf8(bytes) {
            Ok(text) if bytes.len() <= LARGEST_FILE => Table::parse(text),
            Ok(_) => Err(format!("more than {LARGEST_FILE} bytes")),
            Err(_) => Err("not a text".to_owned()),
        };
        match parsed {
            Ok(table) => Some(External::Table(table)),
            Err(why) => {
                report!(self, A042 at usage.path_origin, "\"{}\" is no table: {why}", usage.path;
                    label "used here";
                    help "a table has two numbers a line, the first column ascending");
                None
            }
        }
    }
}

/// All uses of files, in the order of the text; bodies are searched without recursion.
fn uses(files: &Files) -> Vec<Named<'_>> {
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
            match &statement.kind {
                StatementKind::File(file) => found.push((key.as_str(), file)),
                StatementKind::Modal { body, .. } | StatementKind::Mode { body, .. } => open.extend(body),
                _ => {}
            }
        }
    }
    found.sort_by_key(|(_, file)| file.path_origin);
    found
}
