//! C sources.

use crate::CommandResult;
use crate::arguments::{Export, Format};
use crate::files::read_any;
use crate::outcome::Outcome;
use crate::output::Batch;
use dyverse::block::AnyModel;
use dyverse::c::{write_actors, write_bodies};
use std::path::{Path, PathBuf};

pub(super) fn run(options: &Export) -> CommandResult {
    let (model, sources) = read_any(&options.file, options.format == Format::Json)?;
    let written = match &model {
        AnyModel::Bodies(model) => write_bodies(model),
        AnyModel::Actors(model) => write_actors(&model.graph),
    };
    let files =
        written.map_err(|error| super::obstacle(options, (error.what, error.origin, None), sources))?;
    let folder = options.output.clone().unwrap_or(PathBuf::from(&files.name));
    if folder == Path::new("-") {
        return Err(wrong!("C is several files, which standard output cannot hold";
            help "--output names a folder for them"));
    }
    let mut batch = Batch::default();
    batch.folder(&folder)?;
    let mut paths = Vec::new();
    for (name, text) in files.files() {
        let path = folder.join(name);
        batch.add(&path, text.as_bytes())?;
        paths.push(path);
    }
    batch.keep()?;
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    super::told(options, "c", &paths)?;
    Ok(Outcome::Done)
}
