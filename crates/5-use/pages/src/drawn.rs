//! The automaton of a model as a drawing, and where in it the places of a run are.

use dyverse_export::{Subject, lights, place_text, write_svg};
use dyverse_generate::{GenerateError, GenerateOptions, Generated, generate};
use dyverse_model::Model;
use dyverse_view::{Graph, Place};

/// A model with its automaton.
pub(super) struct Drawn<'a> {
    model: &'a Model,
    generated: Result<Generated, GenerateError>,
}

impl<'a> Drawn<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        Drawn {
            model,
            generated: generate(model, &GenerateOptions::default()),
        }
    }

    /// The drawing; a note if there is none.
    pub(super) fn graphs(&self, notes: &mut Vec<String>) -> Vec<Graph> {
        let drawn = self.generated.as_ref().map_err(ToString::to_string);
        let drawn = drawn.and_then(|generated| {
            let subject = Subject::new(self.model, &generated.automaton).map_err(|e| e.to_string())?;
            let mut out = Vec::new();
            write_svg(&mut out, subject).map_err(|e| e.to_string())?;
            String::from_utf8(out).map_err(|e| e.to_string())
        });
        match drawn {
            Ok(svg) => vec![Graph {
                title: "automaton".into(),
                svg,
            }],
            Err(error) => {
                notes.push(format!("The automaton is not drawn: {error}."));
                Vec::new()
            }
        }
    }

    /// Says of places what they mean, and where they are in the drawing.
    pub(super) fn explain(&self, places: &mut [Place]) {
        let Ok(Generated { automaton, .. }) = &self.generated else {
            return;
        };
        for place in places {
            place.text = place_text(automaton, &place.name);
            place.lights = lights(automaton, &place.name);
        }
    }
}
