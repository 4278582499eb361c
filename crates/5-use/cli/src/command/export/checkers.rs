//! Files for other checkers.

use crate::CommandResult;
use crate::arguments::{Export, Format};
use crate::command::check::{choices, range};
use crate::command::simulate::choices::split;
use crate::files::read_any;
use crate::outcome::{Failure, Outcome};
use crate::output::{Batch, write_output};
use dyverse::block::AnyModel;
use dyverse::check::Checkable;
use dyverse::diag::SourceMap;
use dyverse::interchange::{Hindrance, InterchangeOptions, Source, write_dreach, write_spaceex};
use std::path::{Path, PathBuf};

pub(super) fn dreach(options: &Export) -> CommandResult {
    let text = written(options, write_dreach)?;
    write_output(options.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
    if let Some(path) = &options.output {
        super::told(options, "dreach", &[path])?;
    }
    Ok(Outcome::Done)
}

pub(super) fn spaceex(options: &Export) -> CommandResult {
    let files = written(options, write_spaceex)?;
    let stem = options.file.file_stem().map_or("model".into(), |s| s.to_owned());
    let model = options
        .output
        .clone()
        .unwrap_or(PathBuf::from(stem).with_extension("xml"));
    let configuration = model.with_extension("cfg");
    if model == Path::new("-") {
        return Err(
            wrong!("a model for SpaceEx is two files, which standard output cannot hold";
            help "write for example --output model.xml"),
        );
    }
    if model == configuration {
        return Err(
            wrong!("--output names the model; the configuration is written beside it with the ending .cfg";
            help "write for example --output model.xml"),
        );
    }
    let mut batch = Batch::default();
    batch.add(&model, files.model.as_bytes())?;
    batch.add(&configuration, files.configuration.as_bytes())?;
    batch.keep()?;
    super::told(options, "spaceex", &[&model, &configuration])?;
    Ok(Outcome::Done)
}

fn written<T>(
    options: &Export,
    write: impl Fn(Source<'_>, &InterchangeOptions) -> Result<T, Hindrance>,
) -> Result<T, Failure> {
    let (model, sources): (AnyModel, SourceMap) = read_any(&options.file, options.format == Format::Json)?;
    let (subject, source) = match &model {
        AnyModel::Bodies(model) => (Checkable::Bodies(model), Source::Bodies(model)),
        AnyModel::Actors(model) => (Checkable::Actors(model), Source::Actors(&model.graph)),
    };
    let mut bounds = Vec::new();
    for text in &options.bound {
        let (name, value) = split("--bound", "ball.x=[-10,10]", text)?;
        let (low, high) = range("--bound", name, value)?;
        bounds.push((name.to_owned(), low, high));
    }
    let asked = InterchangeOptions {
        property: options.property.clone(),
        choices: choices(subject, &options.set)?,
        bounds,
        most_locations: options.max_locations,
        takes_nominal: options.nominal,
        ..InterchangeOptions::default()
    };
    write(source, &asked).map_err(|hindrance| {
        super::obstacle(
            options,
            (hindrance.what, hindrance.origin, hindrance.help),
            sources,
        )
    })
}
