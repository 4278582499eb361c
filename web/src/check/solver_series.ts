// The solver's figures against simulated time, as rows of bars: calls, iterations, learnt clauses, and clauses by length
// (figures 11 to 13 of the paper on its first implementation).

import type { Figures } from "../data";

export interface Series {
  title: string;
  values: number[];
}

export function solverSeries(solver: Figures["solver"]): Series[] {
  const bins = solver.byTime;
  if (bins.length === 0) return [];
  const lengths = new Set(bins.flatMap((bin) => bin.clausesByLength.map((entry) => entry.length)));
  const ofLength = (length: number): Series => ({
    title: `clauses of length ${length}`,
    values: bins.map((bin) => bin.clausesByLength.find((entry) => entry.length === length)?.count ?? 0),
  });
  return [
    { title: "calls of Satisfy", values: bins.map((bin) => bin.calls) },
    { title: "iterations", values: bins.map((bin) => bin.iterations) },
    { title: "clauses learnt", values: bins.map((bin) => bin.learnt) },
    ...[...lengths].sort((a, b) => a - b).map(ofLength),
  ];
}

/** The largest value, at least 1: something to divide by. */
export function most(values: readonly number[]): number {
  return values.reduce((largest, value) => Math.max(largest, value), 1);
}
