//! Reading a model: the file, its imports, all mistakes in one go.
//!
//! This crate does no IO: a [`Loader`] brings the bytes of imported files.

use crate::actors::{self, ActorModel};
use crate::lower;
use crate::syntax::ast::{ItemKind, SourceTree};
use crate::syntax::dialect::Dialect;
use crate::syntax::parser::parse;
use crate::syntax::token::{MOST_MISTAKES, lex};
use dyverse_diag::{Code, Diagnostic, FileId, Origin, SourceMap, codes, finding};
use dyverse_model::Model;
use std::collections::BTreeMap;

/// Bytes of one file at the most.
pub const LARGEST_FILE: usize = 16 << 20;
/// Files of one model at the most.
const MOST_FILES: usize = 256;
/// Imports followed at the most, files read before included.
const MOST_IMPORTS: usize = 4_096;

/// A file as a [`Loader`] brings it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What tells this file from others, however it was named: a canonical path.
    pub key: String,
    /// The name to show in messages.
    pub name: String,
    /// Its contents.
    pub bytes: Vec<u8>,
}

impl Loaded {
    /// A file that its name tells from others.
    pub fn named(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Loaded {
            key: name.to_owned(),
            name: name.to_owned(),
            bytes: bytes.into(),
        }
    }
}

/// Brings imported files.
pub trait Loader {
    /// The file that `importer` (a key) calls `path`, or why it cannot be had.
    ///
    /// # Errors
    /// A line for the user: not found, not readable.
    fn load(&mut self, importer: &str, path: &str) -> Result<Loaded, String>;

    /// What the FMU that `importer` calls `path` shows to the outside, or why it cannot be had.
    ///
    /// # Errors
    /// A line for the user: not found, no FMU, not possible here.
    fn fmu(&mut self, _importer: &str, _path: &str) -> Result<FmuInterface, String> {
        Err("FMUs are not available here".into())
    }
}

/// What an FMU shows to the outside: names of its variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FmuInterface {
    /// What tells this file from others, however it was named: a canonical path.
    pub key: String,
    /// The name of its model, for messages.
    pub name: String,
    /// What can be given before a run: parameters and start values.
    pub parameters: Vec<String>,
    /// What drives it.
    pub inputs: Vec<String>,
    /// What can be read while it runs.
    pub outputs: Vec<String>,
}

/// A loader for texts that import nothing.
pub struct NoImports;

impl Loader for NoImports {
    fn load(&mut self, _: &str, _: &str) -> Result<Loaded, String> {
        Err("imports are not available here".into())
    }
}

/// What was read: the sources, the model if there is one, and everything found.
#[derive(Debug)]
pub struct Reading<M = Model> {
    /// All texts, to show findings in.
    pub sources: SourceMap,
    /// The model, if no finding is an error.
    pub model: Option<M>,
    /// Findings in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a rigid-body model from a file and what it imports.
pub fn read(main: Loaded, loader: &mut dyn Loader) -> Reading {
    let mut reader = Reader::new();
    let files = reader.read_files(main, Dialect::Bodies, loader);
    let model = reader.lower(&files, |trees, sources, file, has_errors| {
        lower::lower(trees, sources, file, has_errors)
    });
    reader.finish(files.main, model)
}

/// Reads an actor model from a file, what it imports, and the mechanisms, FMUs and tables that it uses.
pub fn read_actors(main: Loaded, loader: &mut dyn Loader) -> Reading<ActorModel> {
    let mut reader = Reader::new();
    let files = reader.read_files(main, Dialect::Actors, loader);
    let externals = reader.externals(&files, loader);
    let model = reader.lower(&files, |trees, sources, file, has_errors| {
        actors::lower(trees, &externals, sources, file, has_errors)
    });
    reader.finish(files.main, model)
}

/// A file and all that it imports, imports first, with the keys under which they were loaded.
pub(crate) struct Files {
    pub(crate) main: FileId,
    pub(crate) trees: Vec<SourceTree>,
    pub(crate) keys: Vec<String>,
}

/// Findings about names that are not there: perhaps the item that declares them was lost.
const ABOUT_NAMES: &[Code] = &[
    codes::L003,
    codes::L004,
    codes::L005,
    codes::L009,
    codes::A006,
    codes::A012,
    codes::A013,
    codes::A014,
    codes::A016,
    codes::A024,
];
/// Findings about what is missing in the whole: perhaps it was lost.
const ABOUT_THE_WHOLE: &[Code] = &[
    codes::L002,
    codes::A001,
    codes::A009,
    codes::A019,
    codes::A020,
    codes::A022,
    codes::A027,
    codes::A028,
];

/// What mistakes reported so far took away, and with it the ground for others.
struct Lost<'r> {
    trees: &'r [SourceTree],
    sources: &'r SourceMap,
    has_errors: bool,
    has_missing_file: bool,
}

impl Lost<'_> {
    /// Whether a finding is only a consequence: a name is not declared because its item or file could not be read, a
    /// field is missing because it did not parse.
    fn explains(&self, finding: &Diagnostic) -> bool {
        let at = finding.primary().origin;
        let code = finding.code();
        let holds =
            |item: &Origin| item.file() == at.file() && item.start() <= at.start() && at.end() <= item.end();
        let damage = || self.trees.iter().map(|tree| &tree.damage);
        if damage().any(|damage| damage.strange.iter().any(holds)) {
            return true;
        }
        if ABOUT_NAMES.contains(&code) {
            self.has_missing_file || damage().any(|damage| damage.words.contains(self.sources.snippet(at)))
        } else if ABOUT_THE_WHOLE.contains(&code) {
            self.has_errors
        } else if [codes::L040, codes::L044, codes::L046, codes::L075].contains(&code) {
            damage().any(|damage| damage.items.iter().any(holds))
        } else {
            false
        }
    }
}

pub(crate) struct Reader {
    sources: SourceMap,
    diagnostics: Vec<Diagnostic>,
    /// The language of the files that are being read.
    dialect: Dialect,
    /// Files by key: whether their imports are all read.
    seen: BTreeMap<String, bool>,
    /// Imports before importers, with their keys.
    trees: Vec<(String, SourceTree)>,
    /// Files and imports so far, of all languages.
    files: usize,
    imports: usize,
}

/// A file whose imports are being read.
struct Open {
    key: String,
    tree: SourceTree,
    imports: Vec<(String, Origin)>,
    next: usize,
}

impl Reader {
    fn new() -> Self {
        Reader {
            sources: SourceMap::new(),
            diagnostics: Vec::new(),
            dialect: Dialect::Bodies,
            seen: BTreeMap::new(),
            trees: Vec::new(),
            files: 0,
            imports: 0,
        }
    }

    /// Reads a file and what it imports.
    pub(crate) fn read_files(&mut self, main: Loaded, dialect: Dialect, loader: &mut dyn Loader) -> Files {
        self.dialect = dialect;
        self.seen.clear();
        self.files += 1;
        let key = main.key.clone();
        let (main, tree) = self.parse(main);
        self.import_all(key, tree, loader);
        let (keys, trees) = std::mem::take(&mut self.trees).into_iter().unzip();
        Files { main, trees, keys }
    }

    /// Lowers files, unless so much of them is lost that nothing can be said; keeps what is found.
    pub(crate) fn lower<M>(
        &mut self,
        files: &Files,
        lower: impl FnOnce(&[SourceTree], &SourceMap, FileId, bool) -> (Option<M>, Vec<Diagnostic>),
    ) -> Option<M> {
        let has_errors = self.diagnostics.iter().any(Diagnostic::is_error);
        if files.trees.iter().any(|tree| tree.damage.is_beyond_use) {
            return None;
        }
        let (model, found) = lower(&files.trees, &self.sources, files.main, has_errors);
        let missing = [codes::S012, codes::S013, codes::L030, codes::L031, codes::L032];
        let lost = Lost {
            trees: &files.trees,
            sources: &self.sources,
            has_errors,
            has_missing_file: self.diagnostics.iter().any(|d| missing.contains(&d.code())),
        };
        let kept: Vec<Diagnostic> = found.into_iter().filter(|d| !lost.explains(d)).collect();
        self.diagnostics.extend(kept);
        model
    }

    fn finish<M>(self, main: FileId, model: Option<M>) -> Reading<M> {
        let mut diagnostics = self.diagnostics;
        diagnostics.sort_by_key(|d| (d.primary().origin.file() != main, d.primary().origin));
        diagnostics.dedup();
        Reading {
            sources: self.sources,
            model,
            diagnostics,
        }
    }

    pub(crate) fn report(&mut self, finding: Diagnostic) {
        if self.diagnostics.len() < MOST_MISTAKES {
            self.diagnostics.push(finding);
        }
    }

    /// Whether another file may be read; says so if not.
    pub(crate) fn may_read(&mut self, origin: Origin) -> bool {
        self.imports += 1;
        if self.files < MOST_FILES && self.imports <= MOST_IMPORTS {
            return true;
        }
        self.diagnostics
            .push(finding!(L032 at origin, "too many files are imported";
                label "the reading stops here";
                note "a model has {MOST_FILES} files and {MOST_IMPORTS} imports at the most";
                help "put the parts into fewer files"));
        false
    }

    fn parse(&mut self, loaded: Loaded) -> (FileId, SourceTree) {
        self.seen.insert(loaded.key, false);
        let (text, mistake) = decode(loaded.bytes);
        let file = self.sources.add(loaded.name, text);
        if let Some((code, at, message, help)) = mistake {
            let origin = Origin::new(file, at, at);
            self.diagnostics.push(
                Diagnostic::error(code, origin, message)
                    .label("cannot be read")
                    .help(help),
            );
            return (file, SourceTree::default());
        }
        let lexed = lex(self.sources.file(file).text(), file, self.dialect);
        let (tree, found) = parse(lexed, &self.sources, self.dialect);
        self.diagnostics.extend(found);
        (file, tree)
    }

    /// Depth first, without recursion: a file's imports come before it.
    fn import_all(&mut self, key: String, tree: SourceTree, loader: &mut dyn Loader) {
        let mut stack = vec![Open::new(key, tree)];
        while let Some(open) = stack.last_mut() {
            let Some((path, origin)) = open.imports.get(open.next).cloned() else {
                if let Some(done) = stack.pop() {
                    self.seen.insert(done.key.clone(), true);
                    self.trees.push((done.key, done.tree));
                }
                continue;
            };
            open.next += 1;
            let importer = open.key.clone();
            // A string that did not end was reported.
            if self.diagnostics.iter().any(|d| d.primary().origin == origin) {
                continue;
            }
            // So many mistakes that more would be noise.
            if self.diagnostics.len() >= MOST_MISTAKES || !self.may_read(origin) {
                stack.iter_mut().for_each(|open| open.next = open.imports.len());
                continue;
            }
            match loader.load(&importer, &path) {
                Err(why) => self
                    .diagnostics
                    .push(finding!(L030 at origin, "cannot read \"{path}\": {why}";
                        label "imported here";
                        help "the path is seen from the folder of the file that imports")),
                Ok(loaded) => match self.seen.get(&loaded.key) {
                    Some(true) => {}
                    Some(false) => self.cycle(&stack, &loaded, origin),
                    None => {
                        self.files += 1;
                        let key = loaded.key.clone();
                        let (_, tree) = self.parse(loaded);
                        stack.push(Open::new(key, tree));
                    }
                },
            }
        }
    }

    fn cycle(&mut self, stack: &[Open], loaded: &Loaded, origin: Origin) {
        let start = stack.iter().position(|open| open.key == loaded.key).unwrap_or(0);
        let names = stack[start..]
            .iter()
            .map(|open| short(&open.key))
            .chain([short(&loaded.key)]);
        let path = names.collect::<Vec<_>>().join(" -> ");
        self.diagnostics
            .push(finding!(L031 at origin, "this import closes a cycle";
                label "imported again";
                note path;
                help "move what both files need into a third one"));
    }
}

fn short(key: &str) -> &str {
    key.rsplit(['/', '\\']).next().unwrap_or(key)
}

impl Open {
    fn new(key: String, tree: SourceTree) -> Self {
        let imports = tree
            .items
            .iter()
            .filter_map(|item| match &item.kind {
                ItemKind::Import { path, path_origin } => Some((path.clone(), *path_origin)),
                _ => None,
            })
            .collect();
        Open {
            key,
            tree,
            imports,
            next: 0,
        }
    }
}

type Mistake = (Code, u32, String, &'static str);

/// Bytes to text; a mistake for what is not text.
fn decode(bytes: Vec<u8>) -> (String, Option<Mistake>) {
    if bytes.len() > LARGEST_FILE {
        let message = format!(
            "this file has {} bytes; {LARGEST_FILE} are read at the most",
            bytes.len()
        );
        return (
            String::new(),
            Some((codes::S012, 0, message, "split it with `import`")),
        );
    }
    let zero = bytes.iter().position(|b| *b == 0);
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let message = format!("this file is not UTF-8 text: byte {at} begins no character");
            return (
                text,
                Some((
                    codes::S013,
                    at as u32,
                    message,
                    "save it as UTF-8; a model is a text file",
                )),
            );
        }
    };
    match zero {
        Some(at) => {
            let message = format!("this file is not text: byte {at} is zero");
            (
                text,
                Some((codes::S013, at as u32, message, "a model is a text file")),
            )
        }
        None => {
            // A byte order mark is no part of the text.
            match text.strip_prefix('\u{feff}') {
                Some(rest) => (rest.to_owned(), None),
                None => (text, None),
            }
        }
    }
}
