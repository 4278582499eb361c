//! The texts of a model as one pack: the main file and what it imports, each once, with who imports what. So a block can carry its model and read it
//! again anywhere, whatever the files were called.

use crate::instance::{mechanism, session};
use dyverse_component::Description;
use dyverse_diag::{RenderOptions, SourceMap, render_all};
use dyverse_lang::{ActorModel, FmuInterface, Loaded, Loader, Reading, read, read_actors};
use dyverse_model::Model;
use dyverse_simulate::RunOptions;
use dyverse_tick::TickOptions;
use serde_json::{Value, json};

/// The name of the index in a pack.
pub const INDEX: &str = "model.json";

/// The texts of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pack {
    /// Names for messages, and contents; the main file is the first.
    pub files: Vec<(String, Vec<u8>)>,
    /// Importing file, the path it writes, imported file.
    pub imports: Vec<(usize, String, usize)>,
}

impl Pack {
    /// What the file at a place is called inside an archive.
    pub fn stored_name(&self, place: usize) -> String {
        let ending = self.files[place].0.rsplit_once('.').map_or("txt", |(_, e)| e);
        let is_plain = ending.len() <= 8 && ending.chars().all(|c| c.is_ascii_alphanumeric());
        format!("{place}.{}", if is_plain { ending } else { "txt" })
    }

    /// The index of an archive: file names and imports.
    pub fn index(&self) -> String {
        let files = self.files.iter().enumerate();
        let files: Vec<Value> = files
            .map(|(place, (name, _))| json!({ "file": self.stored_name(place), "name": name }))
            .collect();
        let imports: Vec<Value> = self
            .imports
            .iter()
            .map(|(by, path, file)| json!({ "by": by, "path": path, "file": file }))
            .collect();
        format!(
            "{:#}\n",
            json!({ "format": "dyverse-pack/1", "files": files, "imports": imports })
        )
    }

    /// A pack from its index; `load` brings a file by its stored name.
    ///
    /// # Errors
    /// What is wrong with the index, or why a file cannot be had.
    pub fn from_index(
        index: &[u8],
        mut load: impl FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Self, String> {
        let bad = |what: &str| format!("{INDEX}: {what}");
        let index: Value = serde_json::from_slice(index).map_err(|error| bad(&error.to_string()))?;
        if index["format"] != "dyverse-pack/1" {
            return Err(bad("the format is not dyverse-pack/1"));
        }
        let list = |name: &str| {
            index[name]
                .as_array()
                .ok_or_else(|| bad(&format!("no list `{name}`")))
        };
        let mut pack = Pack::default();
        for file in list("files")? {
            let (Some(stored), Some(name)) = (file["file"].as_str(), file["name"].as_str()) else {
                return Err(bad("a file without `file` and `name`"));
            };
            let bytes = load(stored).map_err(|error| format!("{stored}: {error}"))?;
            pack.files.push((name.to_owned(), bytes));
        }
        for import in list("imports")? {
            let place = |name: &str| {
                let place = import[name].as_u64().and_then(|p| usize::try_from(p).ok());
                place.filter(|p| *p < pack.files.len())
            };
            let (Some(by), Some(path), Some(file)) = (place("by"), import["path"].as_str(), place("file"))
            else {
                return Err(bad("an import without `by`, `path` and `file`"));
            };
            pack.imports.push((by, path.to_owned(), file));
        }
        if pack.files.is_empty() {
            return Err(bad("no file"));
        }
        Ok(pack)
    }

    /// A short text that differs where packs differ (FNV-1a, twice 64 bits): what makes a description and its model belong together.
    pub fn token(&self) -> String {
        let mut halves = [0xcbf2_9ce4_8422_2325_u64, 0x8422_2325_cbf2_9ce4];
        let mut feed = |bytes: &[u8]| {
            for (number, half) in halves.iter_mut().enumerate() {
                for byte in bytes.iter().chain(&(bytes.len() as u64).to_le_bytes()) {
                    *half ^= u64::from(*byte).wrapping_add(number as u64);
                    *half = half.wrapping_mul(0x0000_0100_0000_01b3);
                }
            }
        };
        for (name, bytes) in &self.files {
            feed(name.as_bytes());
            feed(bytes);
        }
        for (by, path, file) in &self.imports {
            feed(format!("{by} {file}").as_bytes());
            feed(path.as_bytes());
        }
        let [a, b] = halves;
        format!(
            "{{{:08x}-{:04x}-{:04x}-{:04x}-{:012x}}}",
            a >> 32,
            (a >> 16) & 0xffff,
            a & 0xffff,
            b >> 48,
            b & 0xffff_ffff_ffff
        )
    }
}

/// A loader that remembers what it brought.
struct Recording<'l> {
    loader: &'l mut dyn Loader,
    keys: Vec<String>,
    pack: Pack,
}

impl Recording<'_> {
    fn place(&mut self, loaded: &Loaded) -> usize {
        if let Some(place) = self.keys.iter().position(|key| *key == loaded.key) {
            return place;
        }
        self.keys.push(loaded.key.clone());
        let name = loaded.name.rsplit(['/', '\\']).next().unwrap_or("model");
        self.pack.files.push((name.to_owned(), loaded.bytes.clone()));
        self.keys.len() - 1
    }
}

impl Loader for Recording<'_> {
    fn load(&mut self, importer: &str, path: &str) -> Result<Loaded, String> {
        let loaded = self.loader.load(importer, path)?;
        let file = self.place(&loaded);
        if let Some(by) = self.keys.iter().position(|key| key == importer) {
            let import = (by, path.to_owned(), file);
            if !self.pack.imports.contains(&import) {
                self.pack.imports.push(import);
            }
        }
        Ok(loaded)
    }

    fn fmu(&mut self, _importer: &str, _path: &str) -> Result<FmuInterface, String> {
        Err("a block cannot contain an FMU of another tool".into())
    }
}

/// Brings files out of a pack; keys are their places.
struct Packed<'p>(&'p Pack);

impl Packed<'_> {
    fn file(&self, place: usize) -> Loaded {
        let (name, bytes) = &self.0.files[place];
        Loaded {
            key: place.to_string(),
            name: name.clone(),
            bytes: bytes.clone(),
        }
    }
}

impl Loader for Packed<'_> {
    fn load(&mut self, importer: &str, path: &str) -> Result<Loaded, String> {
        let found = self
            .0
            .imports
            .iter()
            .find(|(by, written, _)| by.to_string() == importer && written == path);
        match found {
            Some((_, _, file)) => Ok(self.file(*file)),
            None => Err("it is not in the archive".into()),
        }
    }
}

/// A model of either kind.
#[derive(Debug)]
pub enum AnyModel {
    /// A rigid-body system.
    Bodies(Box<Model>),
    /// An actor model.
    Actors(Box<ActorModel>),
}

/// A model with its texts and what it shows to the outside.
#[derive(Debug)]
pub struct Source {
    /// Its texts.
    pub pack: Pack,
    /// The model.
    pub model: AnyModel,
    /// What it shows.
    pub description: Description,
}

impl Source {
    /// Reads a model and keeps its texts; `.dam` means an actor model, everything else a rigid-body system.
    ///
    /// # Errors
    /// All findings, or why it cannot be a block, as text for people.
    pub fn read(main: Loaded, loader: &mut dyn Loader) -> Result<Self, String> {
        let mut recording = Recording {
            loader,
            keys: Vec::new(),
            pack: Pack::default(),
        };
        recording.place(&main);
        let model = read_any(main, &mut recording)?;
        Self::new(recording.pack, model)
    }

    /// Reads a pack again.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn from_pack(pack: Pack) -> Result<Self, String> {
        if pack.files.is_empty() {
            return Err("the pack has no file".into());
        }
        let mut packed = Packed(&pack);
        let main = packed.file(0);
        let model = read_any(main, &mut packed)?;
        Self::new(pack, model)
    }

    fn new(pack: Pack, model: AnyModel) -> Result<Self, String> {
        let description = match &model {
            AnyModel::Bodies(model) => mechanism(model, &RunOptions::default())?.description(),
            AnyModel::Actors(model) => session(model, &TickOptions::default())?.description(),
        };
        Ok(Source {
            pack,
            model,
            description,
        })
    }
}

fn read_any(main: Loaded, loader: &mut dyn Loader) -> Result<AnyModel, String> {
    if main.name.ends_with(".dam") {
        let reading = read_actors(main, loader);
        found(reading).map(|model| AnyModel::Actors(Box::new(model)))
    } else {
        let reading = read(main, loader);
        found(reading).map(|model| AnyModel::Bodies(Box::new(model)))
    }
}

fn found<M>(reading: Reading<M>) -> Result<M, String> {
    let Reading {
        sources,
        model,
        diagnostics,
    } = reading;
    model.ok_or_else(|| shown(&diagnostics, &sources))
}

fn shown(diagnostics: &[dyverse_diag::Diagnostic], sources: &SourceMap) -> String {
    render_all(diagnostics, sources, RenderOptions::default())
}
