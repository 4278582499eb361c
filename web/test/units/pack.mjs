// Packs columns as dyverse-view does, and makes documents of them: what columns/unpack.ts has to undo, written apart
// from it and as plainly as possible.

import { deflateRawSync } from "node:zlib";

export function packFloats(values) {
  const view = new DataView(new ArrayBuffer(8));
  let previous = 0n;
  const words = Array.from(values, (value) => {
    view.setFloat64(0, value);
    const bits = view.getBigUint64(0);
    const word = bits ^ previous;
    previous = bits;
    return word;
  });
  const bytes = Buffer.alloc(8 * words.length);
  words.forEach((word, k) => {
    for (let plane = 0; plane < 8; plane++) bytes[plane * words.length + k] = Number((word >> BigInt(8 * plane)) & 0xffn);
  });
  return deflateRawSync(bytes).toString("base64");
}

export function packWords(values) {
  let previous = 0;
  const words = Array.from(values, (value) => {
    const word = (value - previous) >>> 0;
    previous = value;
    return word;
  });
  const bytes = Buffer.alloc(4 * words.length);
  words.forEach((word, k) => {
    for (let plane = 0; plane < 4; plane++) bytes[plane * words.length + k] = (word >>> (8 * plane)) & 0xff;
  });
  return deflateRawSync(bytes).toString("base64");
}

/** A document of one run. `signals`: { name, unit, kind, shown, values }; `transitions` may leave out most of theirs. */
export function makeSource({ system = "made", t, n, signals, transitions = [], contacts = [] }) {
  const blobs = [];
  const floats = (values) => ({ blob: blobs.push(packFloats(values)) - 1, count: values.length, kind: "f64" });
  const run = {
    title: "run",
    parameters: [],
    seed: 0,
    from: t[0] ?? 0,
    to: t[t.length - 1] ?? 0,
    stop: { reason: "horizon", text: "the end was reached", t: t[t.length - 1] ?? 0, n: n[n.length - 1] ?? 0 },
    t: floats(t),
    n: { blob: blobs.push(packWords(n)) - 1, count: n.length, kind: "u32" },
    signals: signals.map(({ name, unit = "", kind = "signal", shown = true, values }) => ({
      name,
      unit,
      kind,
      shown,
      column: floats(values),
    })),
    transitions: transitions.map((transition) => ({
      kind: "event",
      machine: null,
      from: "",
      to: "",
      rule: "",
      contacts: [],
      guard: "",
      reset: "",
      forces: [],
      changes: [],
      ...transition,
    })),
    machines: [],
    places: [],
    bodies: [],
    contacts: contacts.map(({ label, point, force }) => ({
      label,
      first: 0,
      second: 1,
      point: point.map(floats),
      force: force.map(floats),
    })),
    balance: null,
    statistics: [],
    mark: null,
  };
  const page = {
    format: "dyverse-page-1",
    system,
    kind: "trace",
    version: "0",
    source: null,
    runs: [run],
    graphs: [],
    check: null,
    notes: [],
  };
  return { page, blobs, blob: (place) => blobs[place] };
}
