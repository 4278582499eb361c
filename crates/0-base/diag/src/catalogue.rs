//! Every code, with its long form. A code is never given a second meaning, and never used again once retired.

use crate::code::{Code, CodeEntry, Family};

macro_rules! catalogue {
    ($($id:ident $family:ident $title:literal $explanation:literal)*) => {
        /// The codes by name.
        #[allow(missing_docs)]
        pub mod codes {
            use super::{Code, CodeEntry, Family};
            $(
                #[doc = $title]
                pub const $id: Code = {
                    static ENTRY: CodeEntry = CodeEntry {
                        id: stringify!($id),
                        family: Family::$family,
                        title: $title,
                        explanation: $explanation,
                    };
                    Code(&ENTRY)
                };
            )*
        }
        /// All codes in order.
        pub const CATALOGUE: &[Code] = &[$(codes::$id),*];
    };
}

catalogue! {
S001 Malformed "a character has no meaning"
"The text has a character that begins no name, number, string, sign or comment.

    property low: always ball.y ≥ 0        # wrong
    property low: always ball.y >= 0       # right

Signs are plain ASCII: <= >= == != * - and the words and, or, not. Comments begin with #."

S002 Malformed "a string does not end"
"A string ends on the line on which it begins.

    import \"parts.drbt                     # wrong
    import \"parts.drbt\"                    # right"

S003 Malformed "not a number"
"Numbers are decimal: 3, 0.5, .5, 1e-3. Letters right after a number are a slip; a product needs `*`.

    param a = 2pi                          # wrong
    param a = 2 * pi                       # right"

S004 Malformed "a number is too large"
"Numbers are IEEE doubles: the largest is about 1.8e308. Choose units in which the number is smaller."

S005 Malformed "something else was expected"
"The grammar allows only certain things at this place; docs/LANGUAGE.md has it whole. Often a sign or a word is
missing just before the place that is marked."

S006 Malformed "the file ends too early"
"The text ends in the middle of an item: it may have been cut off."

S007 Malformed "a bracket is not closed"
"Every ( [ { needs its ) ] }. The message marks where the closing one was missed and where the bracket was opened;
the right place is somewhere between."

S008 Malformed "a word of the language is used as a name"
"Words such as `and`, `in`, `force` have a meaning of their own and cannot be names.

    param in = 3                           # wrong
    param input_force = 3                  # right"

S009 Malformed "a closing brace without an opening one"
"This `}` closes nothing. Perhaps an earlier block was closed too soon."

S010 Malformed "no item begins like this"
"A model is a list of items, each of which begins with its word: system, import, param, input, let, entity, fixed
entity, contact, no contact, force, moment, gravity, spring, damper, impacts, tolerances, horizon, property."

S011 Malformed "an expression is nested too deeply"
"Brackets, signs and branches can be nested 200 deep. Name a part of the expression:

    let part = …
    force on ball = part * (1, 0, 0)"

S012 Unsupported "the file is too large"
"A model file has 16 MiB at the most. Split it with `import`."

S013 Malformed "the file is not text"
"A model is a text file in UTF-8. The message says at which byte it stops being one."

S014 Unsupported "a name is too long"
"A name has 200 characters at the most."

S015 Malformed "no statement begins like this"
"The body of an actor or a mode is a list of statements: ports (in, out, var), equations `y = …`, integrators `x' = …`,
instances `ball = Ball(…) { … }`, modes, transitions (when … goto …), modal, mechanism, table."

L001 Overspecified "a name is declared twice"
"Entities, parameters, inputs and definitions share one set of names, over all imported files; properties have a set
of their own. Give one of the two another name."

L002 Underspecified "no entity"
"A rigid-body model needs at least one entity.

    entity ball { sphere(radius = 1)  mass = 1 }"

L003 Inconsistent "no such entity"
"An item names an entity that no file declares. The message suggests a name that is spelt alike."

L004 Inconsistent "no such name"
"An expression reads a name that is not declared: no entity, parameter, input or definition. In a load, the members of
the entity it acts on (mass, x, velocity …) need no owner; elsewhere they do: `ball.x`."

L005 Inconsistent "a name is used before it is declared"
"Parameters and definitions use only what is declared above them, so that nothing is defined by itself. Entities can be
named anywhere. An import counts as standing above the file that imports it."

L006 Ambiguous "a name has two meanings"
"In a load, `mass`, `x`, `velocity` and the like are those of the entity it acts on. Something declared under the same name
could be meant as well, and nothing is guessed. Write `ball.mass`, or rename the other."

L007 Inconsistent "no such member"
"Entities have the members position, velocity, angular_velocity, orientation, mass, speed, and the components x y z, vx vy
vz, wx wy wz, qw qx qy qz; vectors have x, y, z; nothing else has members."

L008 Inconsistent "a fixed entity has no mass"
"A fixed entity does not move, whatever acts on it: it has no mass to read."

L009 Inconsistent "no such function"
"Functions are sqrt sin cos tan asin acos atan sinh cosh tanh exp ln abs sign floor, min max atan2 clamp, norm unit dot cross,
quaternion rotation, and in properties gap normal_velocity slip_speed normal_force friction_force touching. A product needs
`*`: `2 * (x + 1)`."

L010 Inconsistent "a value depends on something it may not depend on"
"Sizes, masses, restitution, ranges, initial values and tolerances are constants: numbers and parameters. Friction may also depend on
`slip_speed`. Loads may depend on states, inputs, time and parameters, but not on contact forces, which depend on the
loads. Properties may depend on everything but `slip_speed` alone: write slip_speed(a, b)."

L011 Inconsistent "a constant is not a finite number"
"A constant must be a finite number for every value of the parameters: a division by an interval that holds zero, or the root of one that
is partly negative, is not.

    param p in [-1, 1]
    param q = 1 / p                        # wrong: p may be 0

A friction law must have a value at every slip speed from 0 up."

L012 Inconsistent "an interval is empty"
"The lower end of an interval comes first: [1, 3]."

L013 Inconsistent "a time window is not possible"
"A temporal operator looks from now on: its window lies from 0 up and is finite, as in always [0, 2]. It is the same for all
values of the parameters; what depends on them is said in the formula:

    property p: always [0, 2] (time <= T implies ball.y > 0)"

L014 Inconsistent "no such field"
"The block has no field of this name. The message suggests one that is spelt alike, or lists all."

L015 Overspecified "a field is given twice"
"A field or argument is given once. Several surfaces of one entity are several calls, each with its own arguments."

L016 Inconsistent "a field has the wrong form"
"Most fields are `name = value`; position, velocity and angular_velocity can be sets, `name in ([0, 1], 0, 0)`; surfaces are
calls, `sphere(radius = 1)`; `fixed` stands alone. For a mass or a size in a range, declare a parameter:

    param m in [1, 2]
    entity ball { sphere(radius = 1)  mass = m }"

L017 Inconsistent "a number is out of range"
"Masses, densities, sizes and tolerances are above 0; restitution lies in [0, 1], tangential restitution in [-1, 1]; friction, stiffness
and damping are 0 or above. The number must be in range for every value of the parameters it depends on."

L018 Inconsistent "a set is given with `=`"
"`position = …` is one point. For a set of initial values write `in`:

    position in ([0, 1], 3, 0)"

L019 Inconsistent "a nominal value is outside its range"
"`param K in [1, 3] = 2` says that K is anything from 1 to 3 and that a simulation takes 2. Without `= …` it takes the middle. An
input takes 0."

L020 Inconsistent "types do not fit"
"Expressions are numbers, vectors (x, y, z), orientations, truth values or intervals. Numbers add to numbers, vectors to vectors; a number times a vector
is a vector; vectors multiply with dot(a, b) or cross(a, b); comparisons are between numbers."

L021 Inconsistent "a vector has three components"
"Space has three dimensions: write (x, y, z). For motion in a plane the third component is 0."

L022 Inconsistent "an argument is of the wrong type"
"The function takes something else; the message says what."

L023 Inconsistent "a call has the wrong number of arguments"
"The message shows how the function is called."

L024 Overspecified "a name already has a meaning"
"`time`, `pi` and `slip_speed` mean something everywhere and cannot be declared."

L025 Inconsistent "this cannot be named with `let`"
"`let` names numbers, vectors, truth values and intervals. Temporal formulas belong into properties; an entity already has a
name."

L030 Inconsistent "an import cannot be read"
"The path of an import is seen from the folder of the file that imports."

L031 Inconsistent "imports form a cycle"
"A file imports, through others, itself. Move what both need into a third file."

L032 Unsupported "too many files"
"A model has 256 files at the most."

L033 Unsupported "functions are too big"
"A function that a file declares is written out for every call. All calls together may have ten million operations."

L040 Underspecified "an entity has no surface"
"An entity touches others with its surfaces: sphere, ellipsoid, capsule, rounded_box, box; fixed ones also plane and half_space."

L041 Inconsistent "an unbounded surface on an entity that moves"
"Planes and half-spaces have no end, hence no finite mass. Only fixed entities have them:

    fixed entity floor { plane(normal = (0, 1, 0), offset = 0) }"

L042 Overspecified "a fixed entity has no such quantity"
"A fixed entity does not move: mass, inertia and velocities would have no effect, and are probably a mistake."

L043 Overspecified "mass and density are both given"
"The density and the surfaces give the mass. Give one of the two."

L044 Underspecified "an entity has no mass"
"An entity that moves needs `mass = …` or `density = …`."

L045 Underspecified "products of inertia without moments"
"The inertia tensor is given whole: `inertia = (Ixx, Iyy, Izz)` and, if the axes are not principal ones,
`products_of_inertia = (Ixy, Ixz, Iyz)`, the elements of the tensor."

L046 Underspecified "a surface lacks an argument"
"sphere(radius), ellipsoid(semi_axes), capsule(radius, length), rounded_box(size, radius), box(size), convex(points), plane(normal, offset or point),
half_space(normal, offset or point); bounded ones also take `at` and `orientation`."

L047 Inconsistent "a rounding does not fit into its box"
"`size` is that of the box with its rounding. The radius can be half of the smallest side at the most."

L048 Overspecified "a plane is placed twice"
"A plane is placed by its offset along the unit normal, or by a point on it."

L049 Inconsistent "no such argument"
"The surface has no argument of this name, or has fewer arguments."

L050 Inconsistent "a direction has no length"
"A normal needs a direction: its length may not be 0 for any value of the parameters. It need not be 1."

L051 Inconsistent "points have no convex hull"
"`convex(points = ((x, y, z), …))` is the convex hull of 4 to 256 points that are not all in one plane. It has 32 corners at the most. Points are numbers, not parameters:
which of them are corners, and what faces they make, is found once and for all.

A point belongs to a plane of others if it is within 1e-9 of the size of the solid from it, and not if it is farther than 1e-6. In between nothing is decided: give
coordinates with all their digits, for example (1 + sqrt(5)) / 2.

    convex(points = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)), at = (-0.25, -0.25, -0.25))"

L052 Overspecified "a point is no corner of its hull"
"The point lies in the hull of the others, on one of its faces or edges, or is given twice. The solid is the same without it; corners are numbered without it."

L060 Inconsistent "a contact of an entity with itself"
"A contact is between two entities."

L061 Inconsistent "a contact between two fixed entities"
"Two entities that do not move have no contact: they neither meet nor part."

L062 Inconsistent "friction may be negative"
"A coefficient of friction is 0 or above at every slip speed. The bound is computed with intervals and may be too careful; `max(…, 0)`
makes it certain.

    friction = max(0.3 - 0.1 * slip_speed, 0.1)"

L063 Overspecified "a contact law is given twice"
"A pair has one law, and there is one default. Laws are not added."

L064 Inconsistent "a pair is excluded and has a law"
"`no contact a, b` says that a and b never touch; a law for them contradicts it."

L065 Inconsistent "the energetic law has no tangential restitution"
"By the energetic law (Stronge) friction alone acts along the surfaces in an impact: slip stops, sticks or turns as its course has it. So
`tangential_restitution` must be 0, whatever parameters are. A pair that takes it from `contact default` says it anew:

    contact default { restitution = 0.5  tangential_restitution = 0.3  friction = 0.2 }
    contact rod, floor { law = energetic  tangential_restitution = 0 }"

L066 Inconsistent "no such law of impact"
"law = newton: restitution is a ratio of velocities. law = poisson: of impulses. law = energetic: the root of a ratio of works. A pair without
a law has that of `contact default`, else that of `impacts`."

L070 Overspecified "an entity is named twice in one load"
"A load acts once on each entity of its list."

L071 Inconsistent "a load on a fixed entity"
"A fixed entity does not move, whatever acts on it."

L072 Overspecified "gravity is given twice"
"There is one gravity for the whole model. Other fields of force are written as `force on … = …`."

L073 Inconsistent "both ends on one entity"
"A spring or damper between two points of one rigid entity does nothing."

L074 Inconsistent "neither end can move"
"A spring or damper between fixed points does nothing."

L075 Underspecified "a spring or damper lacks its coefficient"
"spring a, b { stiffness = 100  length = 0.5  damping = 1 }: length and damping are 0 if not given.
damper a, b { coefficient = 1 }."

L076 Unsupported "a load is too long for so many entities"
"A load on several entities is written out for each of them, since `mass`, `x` and the like are each one's own. The formula
times the entities is too much to hold. Name the part that is the same for all with `let`, or split the list."

L080 Overspecified "a setting is given twice"
"A model has one name, one impact policy, one block of tolerances and one horizon, over all imported files."

L081 Inconsistent "a setting must be one number"
"Tolerances and the horizon hold for the whole model: they cannot depend on a parameter in a range."

L082 Inconsistent "no such impact policy"
"impacts simultaneous: all closed contacts together (SORPROX). impacts sequential first | any | random(seed): one collision a
microstep. impacts poisson: compression, then restitution. impacts energetic: restitution by works, contacts that act on each other one
after another."

L083 Inconsistent "this impact policy has no order"
"Only `sequential` takes collisions one by one, in an order."

L084 Underspecified "a random order needs a seed"
"Runs are repeatable: a random order is drawn from a seed that is written in the model, a whole number from 0 to 2^53."

M001 Inconsistent "entities overlap at the start"
"Rigid entities do not penetrate each other. Touching is allowed, up to the gap tolerance. If the pair is never meant to touch, exclude it:

    no contact cart, rail"

M002 Inconsistent "entities may overlap at the start"
"For some values of the parameters or of the initial sets the entities may overlap; such starts mean nothing. The bounds are computed
with intervals and may be wider than the truth."

M003 Underspecified "surfaces are not centred on the centre of mass"
"An entity's position is that of its centre of mass, and its surfaces are placed from there. Without `inertia`, the surfaces are taken as filled
evenly, and then their centre must be the centre of mass. Move the surfaces, or give the inertia."

M004 Inconsistent "no rigid body has this inertia"
"The principal moments of inertia of a body are above 0, and the sum of any two is at least the third."

M005 Underspecified "a pair has no contact law"
"No law is written for a pair of entities that may touch, nor a default. The built-in law is taken: perfectly elastic, no friction. Write
`contact default { restitution = … friction = … }`, or `no contact a, b`."

M006 Unsupported "not all pairs were checked for overlap"
"So many entities are so near each other at the start that looking at every pair would take too long. The pairs that were looked
at are apart; nothing is said about the others."

M007 Unsupported "numbers that doubles cannot hold"
"Masses, sizes, speeds and accelerations must lie between 1e-30 and 1e30, because their squares and cubes are computed; and surfaces must not be thinner
than about 1e-11 of how far from the origin they are, because positions there are rounded to 1e-16 of that. Write the model in
other units, or move it to the origin."

M008 Inconsistent "a tolerance below rounding"
"A tolerance says what counts as zero. One below 1e-15 of the quantities it is about cannot be told from rounding: nothing would ever be closed
or at rest. Tolerances that are not given follow the scales of the model.

    tolerances { gap = 1e-12 }"

A001 Underspecified "a model does nothing"
"An actor model needs at least one signal or instance.

    y' = 1 + y init 0"

A002 Overspecified "an actor is declared twice"
"Actors share one set of names over all imported files. Give one of the two another name."

A003 Overspecified "a name is declared twice in one body"
"Signals, instances, modes and parameters of one body share one set of names; at the top, with the model's parameters, inputs and
definitions. Declaring a signal with `out` or `var` and defining it once is no second declaration."

A004 Overspecified "a signal is defined twice"
"A signal has one definition. In a modal model, each mode may define it once:

    out cont y
    mode up { y = 1 }
    mode down { y = -1 }"

A005 Overspecified "a signal is defined for all modes and in one of them"
"What the body of a modal model defines holds in all modes, so a mode cannot define it again. Define it in every mode instead, and declare it
with `out` or `var` in the body."

A006 Inconsistent "no such actor"
"An instance names an actor that no file declares. Actors may be declared anywhere, also in imported files."

A007 Inconsistent "an actor contains itself"
"Instances are written out when the model is read, so an actor that contains itself, directly or through others, would never end. The message
shows the chain."

A008 Unsupported "a model is too big"
"A model has a million signals and bodies at the most, and actors are nested 100 deep at the most. Each instance counts with all that is in it."

A009 Underspecified "nothing defines a signal"
"A signal that is declared with `out` or `var` needs a definition: an equation, an integrator, definitions in modes, or an output action of a
transition."

A010 Inconsistent "an input port outside of an actor"
"Inputs of an actor are bound by its instances. The whole model has external inputs, `input u in [-1, 1]`; modes read the signals around
them by name."

A011 Inconsistent "an input is defined"
"An input gets its value from outside, where the actor is used. For a value when nothing is bound write `in cont F = 0`."

A012 Inconsistent "no such output"
"`left.x` reads the output `x` of the instance `left`. The message suggests one that is spelt alike, or lists all."

A013 Inconsistent "a signal is not an output"
"From outside, an instance shows its outputs only. Declare the signal with `out` in the actor. (`record` and set actions see inside.)"

A014 Inconsistent "no such parameter of an actor"
"Ball(m = 2) gives the parameter `m` a value; parameters can also be given in the order of the declaration. Inputs are bound in the braces
after it."

A015 Underspecified "a parameter has no value"
"A parameter without a default, actor Ball(m), must be given by every instance: Ball(m = 2)."

A016 Inconsistent "no such input"
"The braces after an instance bind inputs: ball = Ball() { F = 0 }."

A017 Inconsistent "an output is bound"
"Outputs are read, not bound: `ball.x`. The other instance's input is bound to it: { x1 = ball.x }."

A018 Overspecified "an input is bound twice"
"An input has one signal. Join two with an expression, or with `a ?? b`: a where it is present, else b."

A019 Underspecified "an input is not bound"
"A `cont` input is needed at all times. Bind it, or give it a default in the actor: in cont F = 0. An `event` or `any` input that is not bound is
never present."

A020 Inconsistent "no such mode"
"A transition goes to a mode of its own modal model."

A021 Overspecified "two modes are initial"
"A modal model begins in one mode: the one marked `initial`, or else the first."

A022 Inconsistent "a transition without modes"
"`when … goto …` stands in a mode, which it leaves, or beside modes: it then leaves any of them, or the one named with `from`."

A023 Inconsistent "a guard is no truth value"
"A guard is a comparison, a combination of them, a test `present e`, or a signal, which is true when it is present and not 0."

A024 Inconsistent "no such signal"
"A set action, an output action or `record` names a signal by its path: `v`, `ball.v`, `machine.falling.v`. A set action looks in the mode that is
entered first."

A025 Inconsistent "a transition cannot give this signal a value"
"`out y = e` is for a signal that is declared with `out` or `var` beside the modes and has no definition for all of them."

A026 Inconsistent "a set action on something without a state"
"`v := e` sets the state of an integrator, a `hold` or a `post` in the mode that is entered. Other signals follow from what they are defined by."

A027 Underspecified "a continuous signal is not defined in all modes"
"A `cont` signal is present at all times, so every mode must define it. Declare it `any` if it may be absent in some modes."

A028 Underspecified "a mode is never entered"
"No transition goes to the mode, and the modal model does not begin in it."

A029 Ambiguous "two defaults"
"`otherwise` and `default` transitions are taken when no other is. Two that are always true are always both enabled. Give one a guard, or mark both as
`choose`."

A030 Inconsistent "an event gets what is present at all times"
"An `event` is present at single moments. Sample a continuous signal, `x on e`; detect a crossing, `cross(x, 0)`; for no events at all leave the
input unbound."

A031 Inconsistent "a continuous signal gets events"
"A `cont` signal is present at all times. `hold(e, init = 0)` keeps the last event's value; `e ?? 0` is 0 between events."

A032 Inconsistent "an impulse or reset is no event"
"An impulse is the weight of a Dirac delta: it acts at single moments. What acts all the time belongs into the derivative:

    v' = F / m impulse Fi / m"

A033 Inconsistent "a delay of a continuous signal"
"`delay(e, T)` queues events. Sample a continuous signal first: delay(x on clock(0.01), T)."

A034 Inconsistent "a crossing of an event"
"A crossing detector watches a signal that moves. An event is there at single moments and is on no side of a level between them."

A035 Inconsistent "the derivative is an event"
"A derivative acts while time passes; an event has no duration and adds nothing. A jump is an impulse."

A039 Inconsistent "immediate transitions in a circle"
"An immediate transition is taken in the tick in which its mode is entered. A circle of them that are always true never ends."

A040 Inconsistent "a signal is made where there can be none"
"`post`, `hold`, `cross`, `clock`, `at`, `delay`, `present`, `??`, `on` and `unless` make signals. Parameters, initial values, functions and `let` are
values without a time. Name the signal in a body and read the name."

A041 Inconsistent "no such direction"
"cross(x, level, direction, tolerance): the direction is rising, falling or both (the default)."

A042 Malformed "not a table"
"A table is a text with two numbers a line, separated by a comma, a semicolon or blanks; the first column ascends. A heading and lines that begin with #
are skipped. At most 10000 rows."

A050 Inconsistent "no such parameter of a mechanism or FMU"
"mechanism arm = \"arm.drbt\"(K = 2) gives parameters of the rigid-body system values, by name; fmu ball = \"ball.fmu\"(e = 0.7) those of an FMU."

A051 Inconsistent "no such input of a mechanism or FMU"
"The braces after a mechanism bind the `input`s that its file declares, those after an FMU its inputs. What is not bound has its default."

A052 Inconsistent "a pair never touches"
"impact(arm.a, arm.b) is present when the two collide; two fixed entities, or an excluded pair, never do."

A060 Inconsistent "a causality loop"
"At a tick every signal waits for the signals it needs. Round a loop each waits for the next, and none is ever known: the model is not
constructive (paper 004, section 4). An integrator does not wait for its derivative, but for its impulse and reset; `post` waits for
nothing: put one where an effect may come one microstep later."

A061 Inconsistent "a causality loop is possible"
"For some modes or events these signals may wait for each other. A run decides, tick by tick, and stops with the loop's name if it
closes."

A090 Inconsistent "the graph is not well formed"
"The last gate before execution found what no earlier check did."

G001 Unsupported "the automaton is too big to build whole"
"The number of locations and edges grows faster than exponentially with the number of possible contacts (paper 000, Table 2). `--count` states the
size without building; the other commands generate locations only when they are reached. Fewer contacts: `no contact a, b`, `--graph subset`, `--prune`."

G002 Unsupported "too many possible contacts to list"
"The contact list has an entry for each pair of entities that may touch. Simulation does not need it; the automaton's sizes and drawings do."

G003 Unsupported "the pruned automaton is too hard to count"
"With `--prune`, combinations of contacts that the geometry rules out are left out, and counting what is left is a search that has been given up here.
Without `--prune` the size is known in closed form."

G004 Unsupported "the model has something that the format cannot hold"
"C and the files of other checkers hold classes of models: SpaceEx takes affine flows and jumps, dReach formulas in closed form, C no pairs of shapes whose distance is itself the
outcome of a search. The message names what is in the way; the help says what would make the model fit."
}

#[cfg(test)]
mod tests {
    use super::CATALOGUE;
    use crate::find_code;

    #[test]
    fn codes_are_unique_in_order_and_explained() {
        for pair in CATALOGUE.windows(2) {
            let rank = |id: &str| ("SLMAG".find(&id[..1]), id[1..].parse::<u32>().unwrap());
            assert!(rank(pair[0].id()) < rank(pair[1].id()), "{:?}", pair);
        }
        for code in CATALOGUE {
            assert!(code.explanation().len() > 30, "{code:?}");
            assert_eq!(find_code(&code.id().to_lowercase()), Some(*code));
        }
        assert_eq!(find_code("X999"), None);
    }
}
