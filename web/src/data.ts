// What a page shows, as `dyverse-view` writes it (crates/4-write/view/src/document.rs): the two files say the same.
//
// Large tables of numbers are not in the document but in blobs beside it, by number: in a page each blob is a
// <script type="text/plain" id="blob-N">, from the studio they come with the document. How one is packed: columns.ts.

/** The whole of a page. */
export interface PageData {
  format: "dyverse-page-1";
  /** The model's name. */
  system: string;
  kind: "bodies" | "actors" | "trace";
  /** The version of dyverse that wrote the page. */
  version: string;
  /** The model's text, if known. */
  source: { name: string; text: string } | null;
  /** Runs: of a simulation one, of a check one for each counterexample. */
  runs: Run[];
  /** Drawings of the automaton, or of actors and modes. */
  graphs: Graph[];
  check: Check | null;
  /** What the reader must know: limits that were reached while the page was made. */
  notes: string[];
}

/** Where a document's blobs are. */
export interface PageSource {
  page: PageData;
  /** The base64 text of a blob. */
  blob(place: number): string;
}

/** A column of numbers: which blob, how many. NaN where a signal is absent. */
export interface Column {
  blob: number;
  count: number;
  kind: "f64" | "u32";
}

export interface Run {
  /** Such as "run", or "counterexample to kept". */
  title: string;
  parameters: { name: string; value: number }[];
  seed: number;
  from: number;
  to: number;
  stop: { reason: string; text: string; t: number; n: number };
  /** Superdense times of the samples, ascending: (t, n). */
  t: Column;
  n: Column;
  signals: Signal[];
  /** In order of time. A transition at (t, n) leads from microstep n to n + 1. */
  transitions: Transition[];
  /** Automata that move by themselves: of bodies one with the name "", of actors one for each modal model. */
  machines: Machine[];
  /** What the names of places mean, for those that occur in this run. */
  places: Place[];
  bodies: Body[];
  /** Contacts that are closed at some time of the run, with the forces along it. */
  contacts: ContactTrack[];
  /** Where the energy went over the run; null if no bodies move. */
  balance: { name: string; value: number }[] | null;
  statistics: { name: string; value: number }[];
  /** A moment to show first, such as where a property is broken. */
  mark: { t: number; text: string } | null;
}

export interface Signal {
  name: string;
  unit: string;
  kind: "state" | "gap" | "force" | "energy" | "input" | "signal";
  column: Column;
  /** Whether a plot shows it before anyone chooses: what changes, a few of them. */
  shown: boolean;
}

export interface Transition {
  t: number;
  n: number;
  kind:
    | "impact"
    | "compute"
    | "after_impact"
    | "contact"
    | "settle"
    | "open"
    | "slip"
    | "zeno"
    | "mode"
    | "event";
  /** Which machine moves: its place in `machines`, or null for an event that moves none. */
  machine: number | null;
  from: string;
  to: string;
  rule: string;
  contacts: string[];
  guard: string;
  reset: string;
  forces: Force[];
  changes: { signal: string; before: number | null; after: number | null }[];
}

/** Of an impact node an impulse in N s, of a contact node a force in N. */
export interface Force {
  contact: string;
  normal: number;
  tangential: [number, number];
  /** Where it acts in the world, and what acts on the second entity there (the opposite on the first). Null without a model. */
  point: [number, number, number] | null;
  vector: [number, number, number] | null;
}

export interface Machine {
  /** "" for the automaton of bodies. */
  name: string;
  /** The place at the start of the run; null for a machine inside a mode that is not active. */
  initial: string | null;
  /** Where it goes, ascending: a move at (t, n) holds from (t, n + 1) on. Null: the mode that it lies in is left. */
  moves: { t: number; n: number; place: string | null }[];
}

export interface Place {
  name: string;
  /** For people: closed contacts with their modes, or nothing. */
  text: string;
  /** Keys of `data-light` in the graphs, the most exact first. Edges there have `data-edge="A→B"` with the same keys. */
  lights: string[];
}

export interface Body {
  name: string;
  fixed: boolean;
  /** Names of the signals x, y, z, qw, qx, qy, qz; null where there is none: then `placement` holds. */
  signals: (string | null)[];
  /** x, y, z, qw, qx, qy, qz at the start. */
  placement: number[];
  /** Empty if shapes are not known (a trace without its model). */
  surfaces: Surface[];
}

export interface Surface {
  shape: Shape;
  /** x, y, z, qw, qx, qy, qz in the body's frame. */
  placement: number[];
}

export type Shape =
  | { kind: "sphere"; radius: number }
  | { kind: "ellipsoid"; semiAxes: [number, number, number] }
  /** Along z. */
  | { kind: "capsule"; radius: number; halfLength: number }
  /** halfExtents are of the inner box, before a ball of the radius is swept over it. */
  | { kind: "rounded_box"; halfExtents: [number, number, number]; radius: number }
  /** A hull: for each face its corners, counterclockwise seen from outside. */
  | { kind: "convex"; corners: [number, number, number][]; faces: number[][] }
  /** n·x = offset, solid from both sides; n·x ≤ offset is inside of a half space. */
  | { kind: "plane" | "half_space"; normal: [number, number, number]; offset: number };

export interface ContactTrack {
  label: string;
  /** Places in `bodies`. */
  first: number;
  second: number;
  /** Where it acts, and the force on the second body: columns as long as the samples, NaN while the contact is open. */
  point: [Column, Column, Column];
  force: [Column, Column, Column];
}

export interface Graph {
  /** Such as "automaton", "contact combination graph", "actors", "modes of masses". */
  title: string;
  /** An SVG document; elements with data-light and data-edge can be lit. */
  svg: string;
}

// A check.

export interface Check {
  seed: number;
  answers: Answer[];
}

export interface Range {
  name: string;
  lower: number;
  upper: number;
}

export interface Answer {
  property: string;
  /** What it asks, as in the model. */
  formula: string;
  verdict: "SAFE" | "UNSAFE" | "UNKNOWN" | "PARTITION";
  /** The verdict and its evidence in a sentence. */
  text: string;
  horizon: number;
  unknowns: Range[];
  /** The box of unknowns (or of one or two of them) in parts; null if nothing was split. */
  partition: Partition | null;
  witness: Witness | null;
  left: { reasons: { boxes: number; kind: string; reason: string }[]; notes: string[]; stopped: boolean } | null;
  tubes: Tube[];
  /** Tubes that were left out because there are too many. */
  tubesLeftOut: number;
  figures: Figures;
}

export interface Partition {
  /** The axes: one or two of the unknowns; with more, the first two, and parts lie over each other. */
  axes: Range[];
  cells: { sides: [number, number][]; outcome: "safe" | "unsafe" | "undecided"; reason: string }[];
  /** Of the whole, for a partition that was asked for. */
  undecidedWidth: number | null;
  stopped: boolean;
}

export interface Witness {
  values: { name: string; value: number; initial: boolean }[];
  time: number;
  worstTime: number;
  robustness: number;
  evidence: "enclosed" | "replayed";
  notEnclosedBecause: string | null;
  /** Its run, as a place in `runs`; null if it could not be replayed here. */
  run: number | null;
  /** The call of `dyverse simulate` that replays it. */
  call: string;
}

/** All trajectories from a box of unknowns: enclosures step by step, with outward rounding. */
export interface Tube {
  box: Range[];
  outcome: "safe" | "unsafe" | "undecided";
  /** Names of what is enclosed. */
  names: string[];
  /** Each: from when to when, where, and for each name [least, largest]. */
  steps: { from: number; to: number; place: string; bounds: [number, number][] }[];
  /** The run of its middle, in `runs`, to draw beside it; null if there is none. */
  run: number | null;
}

export interface Figures {
  simulations: number;
  failedSimulations: number;
  leastRobustness: number | null;
  boxes: number;
  steps: number;
  crossings: number;
  jumps: number;
  evolutions: number;
  solver: {
    calls: number;
    satCalls: number;
    theoryCalls: number;
    iterations: number;
    conflictsByLength: { length: number; count: number }[];
    /** Even parts of [0, horizon]. */
    byTime: { calls: number; iterations: number; learnt: number; clausesByLength: { length: number; count: number }[] }[];
  };
}
