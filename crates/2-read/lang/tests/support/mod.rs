//! What the tests of the language share: reading texts, the files beside the tests, random numbers, a loader in memory.
#![allow(dead_code, missing_docs, unreachable_pub)]
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

pub mod mutate;

use dyverse_diag::{Diagnostic, RenderOptions, render_all};
use dyverse_lang::{ActorModel, FmuInterface, Loaded, Loader, NoImports, Reading, read, read_actors};
use dyverse_model::Model;
use std::collections::BTreeMap;
use std::path::PathBuf;

pub fn read_bytes(name: &str, bytes: Vec<u8>) -> Reading {
    read(Loaded::named(name, bytes), &mut NoImports)
}

pub fn read_text(name: &str, text: &str) -> Reading {
    read_bytes(name, text.as_bytes().to_vec())
}

/// The model of a text that has no mistake; warnings are allowed.
pub fn model(text: &str) -> Model {
    let reading = read_text("t.drbt", text);
    let shown = render_all(&reading.diagnostics, &reading.sources, RenderOptions::default());
    reading.model.unwrap_or_else(|| panic!("{shown}"))
}

/// The codes of a text's findings.
pub fn codes(text: &str) -> Vec<&'static str> {
    read_text("t.drbt", text)
        .diagnostics
        .iter()
        .map(|d| d.code().id())
        .collect()
}

pub fn shown<M>(reading: &Reading<M>) -> String {
    render_all(&reading.diagnostics, &reading.sources, RenderOptions::default())
}

pub fn errors<M>(reading: &Reading<M>) -> Vec<&Diagnostic> {
    reading.diagnostics.iter().filter(|d| d.is_error()).collect()
}

pub fn folder(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Reads an actor model; imports are files of a folder beside the tests.
pub fn read_dam(name: &str, bytes: Vec<u8>, path: &str) -> Reading<ActorModel> {
    let main = Loaded::named(name, bytes);
    read_actors(main, &mut Folder(folder(path)))
}

/// The graph of a text that has no mistake; warnings are allowed.
pub fn actor_model(text: &str) -> ActorModel {
    let reading = read_dam("t.dam", text.as_bytes().to_vec(), "tests/wrong_dam");
    let shown = shown(&reading);
    reading.model.unwrap_or_else(|| panic!("{shown}"))
}

/// Files of a folder.
pub struct Folder(pub PathBuf);

impl Loader for Folder {
    fn load(&mut self, _: &str, path: &str) -> Result<Loaded, String> {
        let bytes = std::fs::read(self.0.join(path)).map_err(|_| "no such file")?;
        Ok(Loaded::named(path, bytes))
    }

    /// One FMU, which is no file.
    fn fmu(&mut self, _: &str, path: &str) -> Result<FmuInterface, String> {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
        if path != "pump.fmu" {
            return Err("no such file".into());
        }
        Ok(FmuInterface {
            key: "key of pump.fmu".into(),
            name: "Pump".into(),
            parameters: names(&["k", "tank[1].area"]),
            inputs: names(&["u", "valve.open"]),
            outputs: names(&["flow", "tank[1].level", "tank[1].area", "der(flow)"]),
        })
    }
}

fn files_with(path: PathBuf, ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .collect();
    files.sort();
    files
}

/// The actor models that are shipped.
pub fn actor_examples() -> Vec<PathBuf> {
    files_with(folder("../../../examples/actors"), "dam")
}

/// The wrong actor models, by name.
pub fn wrong_actor_files() -> Vec<(String, String)> {
    let files = files_with(folder("tests/wrong_dam"), "dam").into_iter();
    files
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect()
}

fn drbt_files(path: PathBuf) -> Vec<PathBuf> {
    files_with(path, "drbt")
}

/// The models that are shipped.
pub fn examples() -> Vec<PathBuf> {
    drbt_files(folder("../../../examples"))
}

/// The wrong files, by name.
pub fn wrong_files() -> Vec<(String, String)> {
    let files = drbt_files(folder("tests/wrong"));
    files
        .into_iter()
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect()
}

/// Files in memory; counts how often each was asked for.
#[derive(Default)]
pub struct Files {
    pub files: BTreeMap<String, String>,
    pub loads: BTreeMap<String, usize>,
}

impl Files {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let files = files
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
            .collect();
        Files {
            files,
            loads: BTreeMap::new(),
        }
    }

    /// Reads the file called `main.drbt`.
    pub fn read(&mut self) -> Reading {
        let main = Loaded::named("main.drbt", self.files["main.drbt"].clone());
        read(main, self)
    }
}

impl Loader for Files {
    fn load(&mut self, _: &str, path: &str) -> Result<Loaded, String> {
        let key = path.trim_start_matches("./").to_owned();
        *self.loads.entry(key.clone()).or_default() += 1;
        let text = self.files.get(&key).ok_or("no such file")?;
        Ok(Loaded {
            name: path.into(),
            bytes: text.clone().into_bytes(),
            key,
        })
    }
}

/// A small generator of random numbers: the same in every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    /// From 0 to `n` - 1.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 {
            0
        } else {
            (self.bits() >> 16) as usize % n
        }
    }
    /// From -1 to 1.
    pub fn symmetric(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
