//! The finished model.

use crate::scales::resolve;
use crate::{
    Contact, ContactLaw, EnergyRule, Entity, EntityId, Feature, FrictionOver, GivenTolerances, ImpactLaw,
    ImpactPolicy, Input, Load, Parameter, ParameterId, ParameterKind, Property, Scales, Setting, Symbol,
    SymbolTable, Tolerances, Unresolved,
};
use dyverse_expr::{NodeId, Pool, Printer, SymbolId};
use dyverse_machine::ContactList;
use dyverse_num::Interval;
use std::collections::{BTreeMap, BTreeSet};

/// The parts of a model, as its reader collects them.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct ModelParts {
    pub name: String,
    pub pool: Pool,
    pub symbols: SymbolTable,
    /// In an order in which each uses only earlier ones.
    pub parameters: Vec<Parameter>,
    pub inputs: Vec<Input>,
    pub entities: Vec<Entity>,
    pub default_law: ContactLaw,
    /// Laws of pairs, the lower id first.
    pub laws: BTreeMap<(EntityId, EntityId), ContactLaw>,
    /// Pairs that never touch, the lower id first.
    pub excluded: BTreeSet<(EntityId, EntityId)>,
    pub loads: Vec<Load>,
    pub impacts: ImpactPolicy,
    pub impact_energy: EnergyRule,
    pub tolerances: GivenTolerances,
    pub horizon: Option<f64>,
    /// The longest step of a run, s.
    pub max_step: Option<f64>,
    pub properties: Vec<Property>,
}

/// A rigid-body model: immutable.
#[derive(Clone, Debug)]
pub struct Model {
    parts: ModelParts,
    scales: Scales,
    tolerances: Tolerances,
    unresolved: Vec<Unresolved>,
    /// What each parameter may be.
    declared: Vec<Interval>,
    /// The laws of impact of all pairs that may touch.
    impact_laws: Vec<ImpactLaw>,
}

impl Model {
    /// Finishes a model. Its reader has checked the parts.
    pub fn new(parts: ModelParts) -> Self {
        let given = parts.tolerances;
        let mut model = Model {
            parts,
            scales: Scales::default(),
            tolerances: Tolerances::default(),
            unresolved: Vec::new(),
            declared: Vec::new(),
            impact_laws: Vec::new(),
        };
        model.impact_laws = model.laws_of_impact();
        let (nominal, enclosing) = (Setting::nominal(&model), Setting::enclosing(&model));
        let found = resolve(&model, &given, &nominal, &enclosing);
        let ids = 0..model.parts.parameters.len() as u32;
        let declared = ids.map(|id| *enclosing.parameter(ParameterId(id))).collect();
        (model.scales, model.tolerances, model.unresolved) = found;
        model.declared = declared;
        model
    }
    /// The system's name.
    pub fn name(&self) -> &str {
        &self.parts.name
    }
    /// All expressions.
    pub fn pool(&self) -> &Pool {
        &self.parts.pool
    }
    /// Parameters, in an order in which each uses only earlier ones.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parts.parameters
    }
    /// A parameter by its name.
    pub fn parameter(&self, name: &str) -> Option<ParameterId> {
        let place = self.parts.parameters.iter().position(|p| p.name == name)?;
        Some(ParameterId(place as u32))
    }
    /// External inputs.
    pub fn inputs(&self) -> &[Input] {
        &self.parts.inputs
    }
    /// Entities, in the order of their declaration.
    pub fn entities(&self) -> &[Entity] {
        &self.parts.entities
    }
    /// One entity.
    pub fn entity(&self, id: EntityId) -> &Entity {
        &self.parts.entities[id.0]
    }
    /// Applied forces and moments.
    pub fn loads(&self) -> &[Load] {
        &self.parts.loads
    }
    /// What happens when several contacts close at once.
    pub fn impacts(&self) -> ImpactPolicy {
        self.parts.impacts
    }
    /// The laws of impact of all pairs that may touch, each once.
    pub fn impact_laws(&self) -> &[ImpactLaw] {
        &self.impact_laws
    }
    fn laws_of_impact(&self) -> Vec<ImpactLaw> {
        let mut found = Vec::new();
        let own = self
            .parts
            .laws
            .iter()
            .filter(|((a, b), _)| self.may_touch(*a, *b));
        let ids = |from: usize| (from..self.parts.entities.len()).map(EntityId);
        let mut pairs = ids(0).flat_map(|a| ids(a.0 + 1).map(move |b| (a, b)));
        let has_other = pairs.any(|(a, b)| self.may_touch(a, b) && !self.parts.laws.contains_key(&(a, b)));
        let default = has_other.then_some(self.parts.default_law.impact);
        for law in default.into_iter().chain(own.map(|(_, law)| law.impact)) {
            if !found.contains(&law) {
                found.push(law);
            }
        }
        found
    }
    /// Whether impacts may add kinetic energy.
    pub fn impact_energy(&self) -> EnergyRule {
        self.parts.impact_energy
    }
    /// Impact policy and energy as a model file writes them.
    pub fn impacts_text(&self) -> String {
        match self.impact_energy() {
            EnergyRule::Capped => self.impacts().text(),
            EnergyRule::Uncapped => format!("{} uncapped", self.impacts().text()),
        }
    }
    /// What counts as zero: as given, or as the scales of the model have it.
    pub fn tolerances(&self) -> Tolerances {
        self.tolerances
    }
    /// The tolerances that the model would have with these parameters, if one of them is none of its declared values; else nothing: then they are
    /// those of the model.
    pub fn tolerances_with(&self, chosen: impl Fn(ParameterId) -> Option<f64>) -> Option<Tolerances> {
        let is_declared = |(id, declared): (usize, &Interval)| {
            chosen(ParameterId(id as u32)).is_none_or(|value| declared.contains(value))
        };
        if self.declared.iter().enumerate().all(is_declared) {
            return None;
        }
        let nominal = Setting::with(self, f64::NAN, |id, kind, value| {
            chosen(id).unwrap_or_else(|| value(kind.nominal()))
        });
        let enclosing = Setting::with(self, Interval::ENTIRE, |id, kind, value| {
            match (chosen(id), kind) {
                (Some(chosen), _) => Interval::point(chosen),
                (None, ParameterKind::Fixed(node)) => value(node),
                (None, ParameterKind::Range { lower, upper, .. }) => value(lower).hull(&value(upper)),
            }
        });
        Some(resolve(self, &self.parts.tolerances, &nominal, &enclosing).1)
    }
    /// The scales of its quantities.
    pub fn scales(&self) -> Scales {
        self.scales
    }
    /// What doubles cannot hold of it: its reader refuses it then.
    pub fn unresolved(&self) -> &[Unresolved] {
        &self.unresolved
    }
    /// The same model with other doubles for its decimals ([`Pool::nudged`]); scales and tolerances stay.
    #[must_use]
    pub fn nudged(&self, is_up: impl Fn(usize) -> bool) -> Self {
        let mut model = self.clone();
        model.parts.pool = self.parts.pool.nudged(is_up);
        model
    }
    /// The same model with other tolerances.
    #[must_use]
    pub fn with_tolerances(&self, tolerances: Tolerances) -> Self {
        let mut model = self.clone();
        model.tolerances = tolerances;
        model
    }
    /// How long the model is meant to run, s.
    pub fn horizon(&self) -> Option<f64> {
        self.parts.horizon
    }
    /// The longest step that a run of it may make, s.
    pub fn max_step(&self) -> Option<f64> {
        self.parts.max_step
    }
    /// What must hold.
    pub fn properties(&self) -> &[Property] {
        &self.parts.properties
    }
    /// What every symbol stands for, in the order of their ids.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.parts.symbols.iter()
    }
    /// What a symbol stands for.
    pub fn symbol(&self, id: SymbolId) -> Symbol {
        self.parts.symbols.symbol(id)
    }

    /// The law of a pair of entities, in either order.
    pub fn law(&self, a: EntityId, b: EntityId) -> &ContactLaw {
        self.parts
            .laws
            .get(&(a.min(b), a.max(b)))
            .unwrap_or(&self.parts.default_law)
    }
    /// Of what the friction of a law is a function.
    pub fn friction_over(&self, law: &ContactLaw) -> FrictionOver {
        let read = self.pool().symbols(&[law.friction]);
        let mut read = read.into_iter().map(|id| self.symbol(id));
        if read.clone().any(|symbol| symbol == Symbol::SlipSpeed) {
            FrictionOver::SlipSpeed
        } else if read.all(|symbol| matches!(symbol, Symbol::Parameter(_))) {
            FrictionOver::Nothing
        } else {
            FrictionOver::States
        }
    }
    /// The law of pairs that have none of their own.
    pub fn default_law(&self) -> &ContactLaw {
        &self.parts.default_law
    }
    /// The frictions over states, and for each the pair that has it; none: all that have no other.
    pub fn frictions_over_states(&self) -> impl Iterator<Item = (NodeId, Option<(EntityId, EntityId)>)> {
        let own = self.parts.laws.iter().map(|(pair, law)| (law, Some(*pair)));
        let all = own.chain([(&self.parts.default_law, None)]);
        all.filter(|(law, _)| self.friction_over(law) == FrictionOver::States)
            .map(|(law, pair)| (law.friction, pair))
    }
    /// Whether two entities can touch: one of them moves, and they are not excluded.
    pub fn may_touch(&self, a: EntityId, b: EntityId) -> bool {
        let both_fixed = self.entity(a).is_fixed && self.entity(b).is_fixed;
        a != b && !both_fixed && !self.parts.excluded.contains(&(a.min(b), a.max(b)))
    }

    /// The contacts of a pair of entities: one for each pair of their surfaces, or of features of them.
    pub fn contacts_between(&self, a: EntityId, b: EntityId) -> Vec<Contact> {
        if !self.may_touch(a, b) {
            return Vec::new();
        }
        let entities = (a.min(b), a.max(b));
        let surfaces = |id: EntityId| self.entity(id).surfaces.iter().enumerate();
        let mut contacts = Vec::new();
        for (i, first) in surfaces(entities.0) {
            for (j, second) in surfaces(entities.1) {
                let touching = Feature::touching(&first.shape, &second.shape);
                contacts.extend(touching.into_iter().map(|features| Contact {
                    entities,
                    surfaces: (i as u32, j as u32),
                    features,
                }));
            }
        }
        contacts
    }

    /// The contact list: every contact of every pair, in the order of the entities' declaration.
    pub fn contacts(&self) -> impl Iterator<Item = Contact> + '_ {
        let ids = |from: usize| (from..self.parts.entities.len()).map(EntityId);
        ids(0).flat_map(move |a| ids(a.0 + 1).flat_map(move |b| self.contacts_between(a, b)))
    }

    /// The contact list I of the automaton, with the contacts it lists; none where there are more than `most`.
    pub fn contact_list(&self, most: usize) -> Option<(Vec<Contact>, ContactList)> {
        let contacts: Vec<Contact> = self.contacts().take(most.saturating_add(1)).collect();
        let name = |id: EntityId| self.entity(id).name.as_str();
        let listed = |c: &Contact| {
            let (first, second) = (name(c.entities.0), name(c.entities.1));
            dyverse_machine::Contact::new(self.contact_label(c), first, second)
        };
        (contacts.len() <= most).then(|| {
            let list = ContactList::new(contacts.iter().map(listed).collect());
            (contacts, list)
        })
    }

    /// The label of a contact: `ab` where all names are single letters, else `ball-floor`; `.2` names a
    /// surface where there are several, `#3` an end or corner, `#e5` an edge, `#f2` a face.
    pub fn contact_label(&self, contact: &Contact) -> String {
        let end = |id: EntityId, surface: u32, feature: Feature| {
            let entity = self.entity(id);
            let mut text = entity.name.clone();
            if entity.surfaces.len() > 1 {
                text.push_str(&format!(".{}", surface + 1));
            }
            match feature {
                Feature::Whole => {}
                Feature::End(n) | Feature::Corner(n) => text.push_str(&format!("#{}", n + 1)),
                Feature::Edge(n) => text.push_str(&format!("#e{}", n + 1)),
                Feature::Face(n) => text.push_str(&format!("#f{}", n + 1)),
            }
            text
        };
        let first = end(contact.entities.0, contact.surfaces.0, contact.features.0);
        let second = end(contact.entities.1, contact.surfaces.1, contact.features.1);
        let is_short = self
            .parts
            .entities
            .iter()
            .all(|e| e.name.chars().count() == 1 && e.surfaces.len() == 1);
        let is_plain = contact.features == (Feature::Whole, Feature::Whole);
        if is_short && is_plain {
            format!("{first}{second}")
        } else {
            format!("{first}-{second}")
        }
    }

    /// The name of a symbol as a model file would write it.
    pub fn symbol_name(&self, id: SymbolId) -> String {
        match self.symbol(id) {
            Symbol::Parameter(p) => self.parts.parameters[p.0 as usize].name.clone(),
            Symbol::Input(i) => self.parts.inputs[i.0 as usize].name.clone(),
            Symbol::Time => "time".into(),
            Symbol::State(e, component) => format!("{}.{}", self.entity(e).name, component.name()),
            Symbol::Mass(e) => format!("{}.mass", self.entity(e).name),
            Symbol::SlipSpeed => "slip_speed".into(),
            Symbol::Contact(quantity, a, b) => {
                format!(
                    "{}({}, {})",
                    quantity.name(),
                    self.entity(a).name,
                    self.entity(b).name
                )
            }
        }
    }

    /// An expression as a model file would write it.
    pub fn text(&self, node: NodeId) -> String {
        Printer::new(self.pool(), |symbol| self.symbol_name(symbol)).print(node)
    }
}
