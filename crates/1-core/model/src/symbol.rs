//! What the symbols of expressions stand for.

use crate::{EntityId, InputId, ParameterId};
use dyverse_expr::SymbolId;
use std::collections::BTreeMap;

/// A component of an entity's state [SPEC §2]: position, velocity, angular velocity (world frame), and
/// orientation as a unit quaternion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum StateComponent {
    X,
    Y,
    Z,
    Vx,
    Vy,
    Vz,
    Wx,
    Wy,
    Wz,
    Qw,
    Qx,
    Qy,
    Qz,
}

impl StateComponent {
    /// All, in the order in which states are listed.
    pub const ALL: [StateComponent; 13] = [
        StateComponent::X,
        StateComponent::Y,
        StateComponent::Z,
        StateComponent::Vx,
        StateComponent::Vy,
        StateComponent::Vz,
        StateComponent::Wx,
        StateComponent::Wy,
        StateComponent::Wz,
        StateComponent::Qw,
        StateComponent::Qx,
        StateComponent::Qy,
        StateComponent::Qz,
    ];
    /// x, y, z.
    pub const POSITION: [StateComponent; 3] = [StateComponent::X, StateComponent::Y, StateComponent::Z];
    /// vx, vy, vz.
    pub const VELOCITY: [StateComponent; 3] = [StateComponent::Vx, StateComponent::Vy, StateComponent::Vz];
    /// wx, wy, wz.
    pub const ANGULAR_VELOCITY: [StateComponent; 3] =
        [StateComponent::Wx, StateComponent::Wy, StateComponent::Wz];
    /// qw, qx, qy, qz.
    pub const ORIENTATION: [StateComponent; 4] = [
        StateComponent::Qw,
        StateComponent::Qx,
        StateComponent::Qy,
        StateComponent::Qz,
    ];

    /// Its place in an entity's part of a state vector: position, orientation, velocity, angular velocity.
    pub fn place(self) -> usize {
        match self {
            StateComponent::X => 0,
            StateComponent::Y => 1,
            StateComponent::Z => 2,
            StateComponent::Qw => 3,
            StateComponent::Qx => 4,
            StateComponent::Qy => 5,
            StateComponent::Qz => 6,
            StateComponent::Vx => 7,
            StateComponent::Vy => 8,
            StateComponent::Vz => 9,
            StateComponent::Wx => 10,
            StateComponent::Wy => 11,
            StateComponent::Wz => 12,
        }
    }

    /// Its unit; empty for components of an orientation.
    pub fn unit(self) -> &'static str {
        match self {
            StateComponent::X | StateComponent::Y | StateComponent::Z => "m",
            StateComponent::Vx | StateComponent::Vy | StateComponent::Vz => "m/s",
            StateComponent::Wx | StateComponent::Wy | StateComponent::Wz => "rad/s",
            StateComponent::Qw | StateComponent::Qx | StateComponent::Qy | StateComponent::Qz => "",
        }
    }

    /// Its name in model files.
    pub fn name(self) -> &'static str {
        match self {
            StateComponent::X => "x",
            StateComponent::Y => "y",
            StateComponent::Z => "z",
            StateComponent::Vx => "vx",
            StateComponent::Vy => "vy",
            StateComponent::Vz => "vz",
            StateComponent::Wx => "wx",
            StateComponent::Wy => "wy",
            StateComponent::Wz => "wz",
            StateComponent::Qw => "qw",
            StateComponent::Qx => "qx",
            StateComponent::Qy => "qy",
            StateComponent::Qz => "qz",
        }
    }
}

/// What a property can ask of a pair of entities. Of several contacts between them: the least gap, the
/// sum of normal forces, the largest of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum ContactQuantity {
    Gap,
    NormalVelocity,
    SlipSpeed,
    NormalForce,
    FrictionForce,
    /// 1 while some contact of the pair is closed, else 0.
    Touching,
}

impl ContactQuantity {
    /// All of them.
    pub const ALL: [ContactQuantity; 6] = [
        ContactQuantity::Gap,
        ContactQuantity::NormalVelocity,
        ContactQuantity::SlipSpeed,
        ContactQuantity::NormalForce,
        ContactQuantity::FrictionForce,
        ContactQuantity::Touching,
    ];
    /// The function's name in model files.
    pub fn name(self) -> &'static str {
        match self {
            ContactQuantity::Gap => "gap",
            ContactQuantity::NormalVelocity => "normal_velocity",
            ContactQuantity::SlipSpeed => "slip_speed",
            ContactQuantity::NormalForce => "normal_force",
            ContactQuantity::FrictionForce => "friction_force",
            ContactQuantity::Touching => "touching",
        }
    }
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Symbol {
    /// A parameter.
    Parameter(ParameterId),
    /// An external input.
    Input(InputId),
    /// Time.
    Time,
    /// A component of an entity's state.
    State(EntityId, StateComponent),
    /// An entity's mass, which may come from its density.
    Mass(EntityId),
    /// The slip speed |dg_T| of the contact at hand, in a friction law.
    SlipSpeed,
    /// Something of a pair of entities, the lower id first.
    Contact(ContactQuantity, EntityId, EntityId),
}

/// All symbols of a model.
#[derive(Clone, Debug, Default)]
pub struct SymbolTable {
    symbols: Vec<Symbol>,
    ids: BTreeMap<Symbol, SymbolId>,
}

impl SymbolTable {
    /// The id of a symbol, which is added if new.
    pub fn id(&mut self, symbol: Symbol) -> SymbolId {
        *self.ids.entry(symbol).or_insert_with(|| {
            self.symbols.push(symbol);
            SymbolId(self.symbols.len() as u32 - 1)
        })
    }
    /// A further id for a symbol, for a table that is made from another one place by place.
    pub fn push(&mut self, symbol: Symbol) -> SymbolId {
        self.symbols.push(symbol);
        let id = SymbolId(self.symbols.len() as u32 - 1);
        *self.ids.entry(symbol).or_insert(id)
    }
    /// What every id stands for, in order.
    pub fn iter(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.symbols.iter().copied()
    }
    /// What an id of this table stands for.
    pub fn symbol(&self, id: SymbolId) -> Symbol {
        self.symbols[id.0 as usize]
    }
}
