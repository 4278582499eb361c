// Numbers and counts in words.

/** All digits: what reads back as the same double. */
export function exact(x: number): string {
  return String(x);
}

/** Six digits: for people. */
export function short(x: number): string {
  if (!Number.isFinite(x)) return String(x);
  return String(Number(x.toPrecision(6)));
}

export function interval(lower: number, upper: number): string {
  return `[${exact(lower)}, ${exact(upper)}]`;
}

export function shortInterval(lower: number, upper: number): string {
  return `[${short(lower)}, ${short(upper)}]`;
}

export function count(many: number, one: string, more: string): string {
  return `${many.toLocaleString("en-US").replaceAll(",", "\u202f")} ${many === 1 ? one : more}`;
}

/** A share in per cent. What is not all must not look like all, what is something not like nothing. */
export function percent(share: number): string {
  const value = 100 * share;
  if (value > 0 && value < 0.01) return "less than 0.01 %";
  const shown = value < 100 ? Math.floor(value * 100) / 100 : 100;
  return `${shown} %`;
}
