// Least and largest of any stretch of a column in O(log N), and where the column jumps.
//
// Blocks of 16, 32, 64, … samples hold the least and the largest value of theirs and whether something is blank; a
// stretch is put together from the largest blocks that fit and single samples at its ends. The first and last value of
// a block are read from the column itself. Infinite values are blank like absent ones: no line leads to them.

/** log2 of the samples in a block of the lowest level. */
const LOWEST = 4;

export interface Extent {
  /** +∞ and −∞ if all is blank. */
  min: number;
  max: number;
  /** Whether some value is absent or infinite. */
  blank: boolean;
}

interface Level {
  min: Float64Array;
  max: Float64Array;
  blank: Uint8Array;
}

export class Pyramid {
  /** First samples of the instants at which the column has different values, ascending. Empty if it is not `lasting`. */
  readonly jumps: Uint32Array;
  /** Whether it has values over some time: else it is there at single instants only. */
  readonly lasting: boolean;
  readonly #values: Float64Array;
  readonly #levels: Level[] = [];

  constructor(t: Float64Array, values: Float64Array) {
    this.#values = values;
    this.lasting = isLasting(t, values);
    this.jumps = this.lasting ? findJumps(t, values) : new Uint32Array(0);
    for (let level = lowest(values); level.min.length > 0; level = above(level)) this.#levels.push(level);
  }

  /** Of the samples [from, to). */
  extent(from: number, to: number): Extent {
    const values = this.#values;
    let min = Infinity;
    let max = -Infinity;
    let blank = false;
    let k = Math.max(0, from);
    const end = Math.min(to, values.length);
    while (k < end) {
      let level = -1;
      while (level + 1 < this.#levels.length && k % (1 << (LOWEST + level + 1)) === 0 && k + (1 << (LOWEST + level + 1)) <= end) {
        level++;
      }
      const blocks = this.#levels[level];
      if (blocks === undefined) {
        const value = values[k]!;
        if (Number.isFinite(value)) {
          if (value < min) min = value;
          if (value > max) max = value;
        } else blank = true;
        k++;
      } else {
        const block = k >>> (LOWEST + level);
        if (blocks.min[block]! < min) min = blocks.min[block]!;
        if (blocks.max[block]! > max) max = blocks.max[block]!;
        if (blocks.blank[block] === 1) blank = true;
        k += 1 << (LOWEST + level);
      }
    }
    return { min, max, blank };
  }
}

/** Whole blocks only: what is left at the end is read one by one. */
function lowest(values: Float64Array): Level {
  const size = 1 << LOWEST;
  const count = values.length >>> LOWEST;
  const level = { min: new Float64Array(count), max: new Float64Array(count), blank: new Uint8Array(count) };
  for (let block = 0; block < count; block++) {
    let min = Infinity;
    let max = -Infinity;
    const start = block * size;
    for (let k = start; k < start + size; k++) {
      const value = values[k]!;
      if (value - value !== 0) level.blank[block] = 1;
      else {
        if (value < min) min = value;
        if (value > max) max = value;
      }
    }
    level.min[block] = min;
    level.max[block] = max;
  }
  return level;
}

function above(below: Level): Level {
  const count = below.min.length >>> 1;
  const level = { min: new Float64Array(count), max: new Float64Array(count), blank: new Uint8Array(count) };
  for (let block = 0; block < count; block++) {
    level.min[block] = Math.min(below.min[2 * block]!, below.min[2 * block + 1]!);
    level.max[block] = Math.max(below.max[2 * block]!, below.max[2 * block + 1]!);
    level.blank[block] = below.blank[2 * block]! | below.blank[2 * block + 1]!;
  }
  return level;
}

function isLasting(t: Float64Array, values: Float64Array): boolean {
  for (let k = 1; k < values.length; k++) {
    if (t[k] !== t[k - 1] && Number.isFinite(values[k]) && Number.isFinite(values[k - 1])) return true;
  }
  return false;
}

function findJumps(t: Float64Array, values: Float64Array): Uint32Array {
  const jumps: number[] = [];
  for (let start = 0; start < t.length; ) {
    let end = start + 1;
    let seen = values[start]!;
    let jump = false;
    for (; end < t.length && t[end] === t[start]; end++) {
      const value = values[end]!;
      if (!Number.isFinite(value)) continue;
      if (!Number.isFinite(seen)) seen = value;
      else if (value !== seen) jump = true;
    }
    if (jump) jumps.push(start);
    start = end;
  }
  return Uint32Array.from(jumps);
}
