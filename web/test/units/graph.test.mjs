// Which parts of a drawing are lit, and what of a drawing is let in.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./bundle.mjs";

const { Lights, visitsOf, isHarmless } = await load("graph/lights.ts", "graph/drawing.ts");

const places = [
  { name: "S_0", text: "", lights: ["S_0", "V_0", "closed:0"] },
  { name: "I_6,1", text: "", lights: ["I_6,1", "I_6", "V_6", "closed:2"] },
  { name: "I_6,2", text: "", lights: ["I_6,2", "I_6", "V_6", "closed:2"] },
  { name: "s_1,1", text: "", lights: ["s_1,1", "V_1", "closed:1"] },
];
const transition = (t, n, from, to, guard = "") => ({ t, n, from, to, guard, machine: 0 });
const run = {
  from: 0,
  to: 3,
  places,
  transitions: [
    transition(1, 0, "S_0", "I_6,1"),
    transition(1, 1, "I_6,1", "I_6,2"),
    transition(1, 2, "I_6,2", "S_0"),
    transition(2, 0, "S_0", "I_6,1"),
  ],
  machines: [
    {
      name: "",
      initial: "S_0",
      moves: [
        { t: 1, n: 0, place: "I_6,1" },
        { t: 1, n: 1, place: "I_6,2" },
        { t: 1, n: 2, place: "S_0" },
        { t: 2, n: 0, place: "I_6,1" },
      ],
    },
  ],
};
const drawing = (lights, edges) =>
  new Lights(run, new Map(lights.map((key) => [key, [key]])), new Map(edges.map((key) => [key, [key]])), (element) => element);

test("the most exact key that is drawn is lit", () => {
  assert.equal(drawing(["S_0", "I_6", "I_6,1"], []).light("I_6,1"), "I_6,1");
  assert.equal(drawing(["V_0", "V_6"], []).light("I_6,1"), "V_6");
  assert.equal(drawing(["closed:0"], []).light("I_6,1"), null);
  assert.equal(drawing(["elsewhere"], []).light("elsewhere"), "elsewhere");
});

test("edges are those between the keys of both ends, the most exact first", () => {
  const exact = drawing([], ["S_0→I_6,1", "V_0→V_6"]);
  assert.equal(exact.edge(run.transitions[0]), "S_0→I_6,1");
  const coarse = drawing([], ["V_0→V_6", "V_6→V_0"]);
  assert.equal(coarse.edge(run.transitions[0]), "V_0→V_6");
  assert.equal(coarse.edge(run.transitions[1]), null);
  assert.deepEqual(
    [...coarse.taken],
    [
      ["V_0→V_6", 0],
      ["V_6→V_0", 2],
    ],
  );
});

test("of several edges between two places the one with the guard is taken", () => {
  const twice = new Map([["m.a→m.b", ["m.a → m.b, guard: x > 1", "m.a → m.b, guard: y"]]]);
  const lit = (guard) =>
    new Lights({ ...run, transitions: [transition(1, 0, "m.a", "m.b", guard)] }, new Map(), twice, (text) => text);
  assert.deepEqual([...lit("x > 1").taken.keys()], ["m.a → m.b, guard: x > 1"]);
  assert.equal(lit("").taken.size, 2);
  assert.equal(lit("something else").taken.size, 2);
});

test("a visit begins where the run comes from elsewhere in the drawing", () => {
  const coarse = drawing(["V_0", "V_6"], []);
  assert.deepEqual(visitsOf(run, coarse, "V_6"), [
    { t: 1, n: 1, place: "I_6,1" },
    { t: 2, n: 1, place: "I_6,1" },
  ]);
  assert.deepEqual(visitsOf(run, coarse, "V_0"), [
    { t: 0, n: 0, place: "S_0" },
    { t: 1, n: 3, place: "S_0" },
  ]);
});

test("nothing of a drawing runs, links or loads", () => {
  for (const [name, value] of [
    ["onload", "alert(1)"],
    ["onclick", "x"],
    ["href", "https://example.org"],
    ["xlink:href", "javascript:x"],
    ["style", "background:url(x)"],
    ["fill", "url(https://example.org/x.svg#a)"],
    ["fill", "url( 'x' )"],
    ["src", "x"],
  ])
    assert.equal(isHarmless(name, value), false, `${name}=${value}`);
  for (const [name, value] of [
    ["marker-end", "url(#tip-inner)"],
    ["d", "M0 0L1 1"],
    ["data-light", "I_6,1"],
    ["class", "edge"],
    ["fill", "none"],
  ]) {
    assert.equal(isHarmless(name, value), true, `${name}=${value}`);
  }
});
