//! Files that are read: models and their imports, traces, tables.

use crate::outcome::{Failure, say_diagnostics};
use crate::output::was_read;
#[cfg(feature = "png")]
use crate::output::write_output;
use dyverse::block::AnyModel;
#[cfg(feature = "parquet")]
use dyverse::export::read_trace_parquet;
use dyverse::export::{read_trace_csv, read_trace_json};
use dyverse::model::Model;
use dyverse::pages::SourceText;
use dyverse::time::Trace;
use dyverse::{ActorModel, FmuInterface, Loaded, Loader, Reading, fmu_interface, read, read_actors};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A model file read and checked; its sources, to place later findings.
pub(crate) struct ModelFile {
    pub(crate) model: Model,
    pub(crate) sources: dyverse::diag::SourceMap,
}

/// Whether a file holds an actor model, by the ending of its name; standard input has none, there the text tells.
pub(crate) fn is_actor_model(path: &Path) -> bool {
    if path == Path::new("-") {
        return stdin().is_ok_and(|bytes| is_actor_text(&bytes));
    }
    path.extension().is_some_and(|ending| ending == "dam")
}

/// Whether a text is an actor model: by its first word, `model` or `system`; without one, if it can be read as an actor model and not as one of bodies.
fn is_actor_text(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut lines = text.lines().map(str::trim_start);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    match first.and_then(|line| line.split_whitespace().next()) {
        Some("model") => return true,
        Some("system") => return false,
        _ => {}
    }
    let loaded = || Loaded {
        key: "./-".to_owned(),
        name: "standard input".to_owned(),
        bytes: bytes.to_vec(),
    };
    read(loaded(), &mut DiskLoader).model.is_none() && read_actors(loaded(), &mut DiskLoader).model.is_some()
}

/// Standard input, which can be read once: one byte more than the largest model at the most.
fn stdin() -> std::io::Result<Vec<u8>> {
    static READ: Mutex<Option<Vec<u8>>> = Mutex::new(None);
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bytes) = &*read {
        return Ok(bytes.clone());
    }
    was_read(Path::new("-"));
    let mut bytes = Vec::new();
    let most = dyverse::LARGEST_FILE as u64 + 1;
    std::io::stdin().lock().take(most).read_to_end(&mut bytes)?;
    *read = Some(bytes.clone());
    Ok(bytes)
}

/// Whether a file is an FMU, by the ending of its name.
pub(crate) fn is_fmu(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("fmu"))
}

/// Reads a model; `-` is standard input. Warnings are said; errors are the failure.
pub(crate) fn read_model(path: &Path, as_json: bool) -> Result<ModelFile, Failure> {
    let reading = read(load_main(path)?, &mut DiskLoader);
    let (model, sources) = said(reading, as_json)?;
    Ok(ModelFile { model, sources })
}

/// Reads an actor model, likewise.
pub(crate) fn read_actor_model(path: &Path, as_json: bool) -> Result<ActorModel, Failure> {
    let reading = read_actors(load_main(path)?, &mut DiskLoader);
    Ok(said(reading, as_json)?.0)
}

/// The sources of a model that was read, to place what is found later.
pub(crate) fn read_any(path: &Path, as_json: bool) -> Result<(AnyModel, dyverse::diag::SourceMap), Failure> {
    if is_actor_model(path) {
        let reading = read_actors(load_main(path)?, &mut DiskLoader);
        let (model, sources) = said(reading, as_json)?;
        Ok((AnyModel::Actors(Box::new(model)), sources))
    } else {
        let file = read_model(path, as_json)?;
        Ok((AnyModel::Bodies(Box::new(file.model)), file.sources))
    }
}

/// Reads a model of either kind as a block, likewise.
pub(crate) fn read_source(path: &Path, as_json: bool) -> Result<dyverse::block::Source, Failure> {
    // Read once for its findings, which are shown with their places, and once more as a block.
    read_any(path, as_json)?;
    dyverse::block::Source::read(load_main(path)?, &mut DiskLoader).map_err(Failure::call)
}

/// The text of a model, to show beside what it does.
pub(crate) fn source_text(path: &Path) -> Result<Option<SourceText>, Failure> {
    let name = if path == Path::new("-") {
        "standard input".into()
    } else {
        path.file_name().unwrap_or(path.as_os_str()).to_string_lossy()
    };
    Ok(Some(SourceText {
        name: name.into_owned(),
        text: String::from_utf8_lossy(&read_bytes(path)?).into_owned(),
    }))
}

fn load_main(path: &Path) -> Result<Loaded, Failure> {
    let bytes = read_bytes(path)?;
    let (key, name) = if path == Path::new("-") {
        (PathBuf::from("./-"), "standard input".to_owned())
    } else {
        (canonical(path), path.display().to_string())
    };
    Ok(Loaded {
        key: key.display().to_string(),
        name,
        bytes,
    })
}

/// The model, its warnings said; or why there is none.
fn said<M>(reading: Reading<M>, as_json: bool) -> Result<(M, dyverse::diag::SourceMap), Failure> {
    let Reading {
        sources,
        model,
        diagnostics,
    } = reading;
    match model {
        Some(model) => {
            say_diagnostics(&diagnostics, &sources, as_json);
            Ok((model, sources))
        }
        None => Err(Failure::Model {
            diagnostics,
            sources,
            as_json,
        }),
    }
}

/// The bytes of a file, one more than the largest model at the most; `-` is standard input.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let explain = |error: std::io::Error| Failure::call(format!("cannot read {}: {error}", path.display()));
    if path == Path::new("-") {
        return stdin().map_err(explain);
    }
    if path.is_dir() {
        return Err(wrong!("cannot read {}: it is a folder", path.display();
            help "name a model file, such as game.drbt"));
    }
    let file = std::fs::File::open(path).map_err(|error| {
        explain(error).with_help("`dyverse examples --write examples` writes models to start from")
    })?;
    let mut bytes = Vec::new();
    let most = dyverse::LARGEST_FILE as u64 + 1;
    file.take(most).read_to_end(&mut bytes).map_err(explain)?;
    was_read(path);
    Ok(bytes)
}

/// A trace that was kept.
pub(crate) fn read_trace(path: &Path) -> Result<Trace, Failure> {
    /// 4 GiB.
    const LARGEST_TRACE: u64 = 1 << 32;
    let explain = |what: &dyn std::fmt::Display| unreadable(path, what);
    let bytes = read_at_most(path, LARGEST_TRACE)?;
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let read = match ending.as_deref() {
        Some("csv") => read_trace_csv(&bytes),
        #[cfg(feature = "parquet")]
        Some("parquet") => read_trace_parquet(&bytes),
        #[cfg(not(feature = "parquet"))]
        Some("parquet") => return Err(explain(&"this dyverse was built without Parquet")),
        _ => read_trace_json(&bytes),
    };
    let mut trace = read.map_err(|error| {
        explain(&error).with_help("traces are written by `dyverse simulate FILE --output run.json`")
    })?;
    if trace.system.is_empty() {
        trace.system = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
    }
    Ok(trace)
}

/// The text of a table of numbers.
pub(crate) fn read_table_text(path: &Path) -> Result<String, Failure> {
    /// 1 GiB: thirty million rows.
    const LARGEST_TABLE: u64 = 1 << 30;
    String::from_utf8(read_at_most(path, LARGEST_TABLE)?).map_err(|_| unreadable(path, &"it is not UTF-8"))
}

/// The bytes of a file that has no more than so many: whole GiB.
fn read_at_most(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let file = std::fs::File::open(path).map_err(|error| unreadable(path, &error))?;
    let mut bytes = Vec::new();
    let read = file.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(path, &error))?;
    was_read(path);
    if bytes.len() as u64 > most {
        return Err(unreadable(path, &format!("it has more than {} GiB", most >> 30)));
    }
    Ok(bytes)
}

fn unreadable(path: &Path, what: &dyn std::fmt::Display) -> Failure {
    Failure::call(format!("cannot read {}: {what}", path.display()))
}

fn canonical(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Imports from the folder of the importing file.
struct DiskLoader;

impl Loader for DiskLoader {
    fn load(&mut self, importer: &str, path: &str) -> Result<Loaded, String> {
        let folder = Path::new(importer).parent().unwrap_or(Path::new("."));
        let full = folder.join(path);
        if full.is_dir() {
            return Err("it is a folder".into());
        }
        let mut bytes = Vec::new();
        let file = std::fs::File::open(&full).map_err(|error| error.to_string())?;
        let most = dyverse::LARGEST_FILE as u64 + 1;
        file.take(most)
            .read_to_end(&mut bytes)
            .map_err(|error| error.to_string())?;
        was_read(&full);
        Ok(Loaded {
            key: canonical(&full).display().to_string(),
            name: path.to_owned(),
            bytes,
        })
    }

    fn fmu(&mut self, importer: &str, path: &str) -> Result<FmuInterface, String> {
        let folder = Path::new(importer).parent().unwrap_or(Path::new("."));
        let full = folder.join(path);
        let key = canonical(&full).display().to_string();
        was_read(&full);
        fmu_interface(&full, key).map_err(|error| error.to_string())
    }
}

/// Writes a drawing as a PNG file: two pixels for each unit, sharp on most screens.
#[cfg(feature = "png")]
pub(crate) fn write_png(path: &Path, svg: &str) -> Result<(), Failure> {
    let png = dyverse::export::svg_to_png(svg, 2.0);
    let png = png.map_err(|error| Failure::call(format!("cannot draw {}: {error}", path.display())))?;
    write_output(Some(path), |out| out.write_all(&png))
}

/// Refuses to.
#[cfg(not(feature = "png"))]
pub(crate) fn write_png(_: &Path, _: &str) -> Result<(), Failure> {
    Err(Failure::call("this dyverse was built without PNG")
        .with_help("write a .svg file, or build it with the feature `png`"))
}
