//! What of a model no parameter changes: which entities, surfaces and contacts there are, tolerances, the impact policy.

use super::Bodies;
use crate::text::{CText, number, quoted};
use dyverse_mech::ShapeKind;
use dyverse_model::{EnergyRule, Feature, ImpactLaw, ImpactOrder, Inertia, Mass, StateComponent};

impl Bodies<'_> {
    pub(super) fn tables(&self) -> String {
        let mut out = CText::new();
        self.choices(&mut out);
        let tolerances = self.model.tolerances();
        for (name, value) in [
            ("GAP", tolerances.gap),
            ("VELOCITY", tolerances.velocity),
            ("SIMULTANEITY", tolerances.simultaneity),
        ] {
            out.line(format!(
                "static const double TOLERANCE_{name} = {};",
                number(value)
            ));
        }
        out.line("");
        out.line(format!(
            "enum {{ ENTITIES = {}, BODIES = {}, SURFACES = {}, CONTACTS = {} }};",
            self.places.len(),
            self.free().count(),
            self.surfaces,
            self.contacts.len()
        ));
        out.line("");
        self.entities(&mut out);
        self.contact_list(&mut out);
        self.variable_places(&mut out);
        out.finish()
    }

    /// Which parts of the runtime are compiled.
    fn choices(&self, out: &mut CText) {
        out.line("#define POLICY_SIMULTANEOUS 0");
        out.line("#define POLICY_POISSON 1");
        out.line("#define POLICY_SEQUENTIAL 2");
        // Other laws were refused.
        let is_poisson = self.model.impact_laws().contains(&ImpactLaw::Poisson);
        let (policy, seed) = match self.model.impacts().order() {
            None if is_poisson => ("POISSON", None),
            None => ("SIMULTANEOUS", None),
            Some(ImpactOrder::Random(seed)) => ("SEQUENTIAL", Some(seed)),
            // A simulation picks the first.
            Some(ImpactOrder::First | ImpactOrder::Any) => ("SEQUENTIAL", None),
        };
        out.line(format!("#define POLICY POLICY_{policy}"));
        out.line(format!("#define IS_RANDOM {}", u8::from(seed.is_some())));
        out.line(format!("#define RANDOM_SEED {}ULL", seed.unwrap_or(0)));
        let is_capped = self.model.impact_energy() == EnergyRule::Capped;
        out.line(format!("#define IS_CAPPED {}", u8::from(is_capped)));
        let scales = self.model.scales();
        for (name, value) in [
            ("LENGTH", scales.length),
            ("VELOCITY", scales.velocity),
            ("ACCELERATION", scales.acceleration),
            ("FORCE", scales.force),
            ("TIME", scales.time),
        ] {
            out.line(format!("#define SCALE_{name} {}", number(value)));
        }
        out.line("/* Components 0 to 2 of an entity's state are lengths, 3 to 6 its orientation, 7 to 9 velocities, then angular velocities. */");
        out.line("#define FLOW_SCALE(i) ((i) % 13 < 3 ? SCALE_LENGTH : (i) % 13 < 7 ? 1.0 : (i) % 13 < 10 ? SCALE_VELOCITY : 1.0 / SCALE_TIME)");
        out.line(format!("#define HAS_SOLIDS {}", u8::from(self.has_solids())));
        out.line(format!("#define IS_NUMBERED {}", u8::from(self.is_numbered())));
        out.line("");
    }

    fn entities(&self, out: &mut CText) {
        out.line("/* An entity: its place among those that move (-1: it is fixed), its surfaces, where mass and inertia come from. */");
        out.open("typedef struct {");
        out.line("const char *name;");
        out.line("int place, surface, surfaces, mass_kind, has_inertia;");
        out.close("} entity_data;");
        out.line("");
        let rows = self.model.entities().iter().enumerate().map(|(e, entity)| {
            let mass = match entity.mass {
                Mass::Immovable => 0,
                Mass::Given(_) => 1,
                Mass::Density(_) => 2,
            };
            let place = self.places[e].map_or(-1, |place| place as i64);
            format!(
                "{{{}, {place}, {}, {}, {mass}, {}}}",
                quoted(&entity.name),
                self.first_surface[e],
                entity.surfaces.len(),
                u8::from(entity.inertia != Inertia::FromSurfaces)
            )
        });
        out.table(
            "static const entity_data ENTITY[]",
            or_one(rows, "{\"\", -1, 0, 0, 0, 0}"),
        );
        out.line("");
        out.line("/* The entities that move. */");
        out.table(
            "static const int BODY[]",
            or_one(self.free().map(|e| e.to_string()), "0"),
        );
        let kinds = self.model.entities().iter().flat_map(|e| &e.surfaces).map(|s| {
            let kind = match s.shape.kind() {
                ShapeKind::Sphere => 0,
                ShapeKind::Ellipsoid => 1,
                ShapeKind::Capsule => 2,
                // A box is a rounded one with a radius of zero; two of them are refused.
                ShapeKind::RoundedBox | ShapeKind::Box => 3,
                // Refused.
                ShapeKind::Convex | ShapeKind::RoundedConvex => 3,
                ShapeKind::Plane => 4,
                ShapeKind::HalfSpace => 5,
            };
            kind.to_string()
        });
        out.line("/* Sphere, ellipsoid, capsule, rounded box, plane, half-space: 0 ... 5. */");
        out.table("static const int SURFACE_KIND[]", or_one(kinds, "0"));
        out.line("");
    }

    fn contact_list(&self, out: &mut CText) {
        out.line("/* A contact: its entities, its surfaces, the features of them that touch (0: the whole, 1 and 2: ends, 8 ... 15: corners, 16 ... 27: edges). */");
        out.open("typedef struct {");
        out.line("int a, b, surface_a, surface_b, feature_a, feature_b;");
        out.line("const char *label;");
        out.close("} contact_data;");
        out.line("");
        let rows = self.contacts.iter().map(|c| {
            let (a, b) = (c.entities.0.0, c.entities.1.0);
            format!(
                "{{{a}, {b}, {}, {}, {}, {}, {}}}",
                self.first_surface[a] + c.surfaces.0 as usize,
                self.first_surface[b] + c.surfaces.1 as usize,
                feature(c.features.0),
                feature(c.features.1),
                quoted(&self.model.contact_label(c))
            )
        });
        out.table(
            "static const contact_data CONTACT[]",
            or_one(rows, "{0, 0, 0, 0, 0, 0, \"\"}"),
        );
        out.line("");
    }

    /// Where the variables of the interface are: the number of a parameter or input, or the place of a state among those of all entities.
    fn variable_places(&self, out: &mut CText) {
        let parameters = (0..self.model.parameters().len()).map(|p| p.to_string());
        let inputs = (0..self.model.inputs().len()).map(|i| i.to_string());
        let states = self
            .free()
            .flat_map(|e| StateComponent::ALL.map(|c| (13 * e + c.place()).to_string()));
        let all = parameters.chain(inputs).chain(states);
        out.table("static const int VARIABLE_PLACE[]", or_one(all, "0"));
        out.line("");
    }
}

/// The items, or one in their place: C has no empty array.
fn or_one(items: impl Iterator<Item = String>, one: &str) -> Vec<String> {
    let mut all: Vec<String> = items.collect();
    if all.is_empty() {
        all.push(one.to_owned());
    }
    all
}

fn feature(feature: Feature) -> u32 {
    match feature {
        Feature::Whole => 0,
        Feature::End(n) => 1 + u32::from(n),
        Feature::Corner(n) => 8 + u32::from(n),
        Feature::Edge(n) => 16 + u32::from(n),
        Feature::Face(n) => 32 + u32::from(n),
    }
}
