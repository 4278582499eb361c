// Which part of the run is seen: moved and scaled within the run, never so far that times cannot be told apart.

export class Window {
  from: number;
  to: number;

  constructor(
    readonly start: number,
    readonly end: number,
  ) {
    // A run that has no length is shown with some room.
    this.from = start;
    this.to = end > start ? end : start + 1;
  }

  get whole(): boolean {
    return this.from <= this.start && this.to >= this.end;
  }

  get span(): number {
    return this.to - this.from;
  }

  /** Returns whether anything changed. */
  set(from: number, to: number): boolean {
    const [start, end] = [this.start, this.end > this.start ? this.end : this.start + 1];
    // Some dozen times that a double can hold must lie in it.
    const least = Math.max(Math.abs(from), Math.abs(to), Number.MIN_VALUE * 1e30) * 2 ** -46;
    const span = Math.min(Math.max(to - from, least), end - start);
    let left = from - (span - (to - from)) / 2;
    left = Math.min(Math.max(left, start), end - span);
    const right = span >= end - start ? end : left + span;
    if (left === this.from && right === this.to) return false;
    [this.from, this.to] = [left, right];
    return true;
  }

  /** About a time that stays where it is. */
  zoom(factor: number, about: number): boolean {
    const share = Math.min(Math.max((about - this.from) / this.span, 0), 1);
    const span = this.span * factor;
    const from = about - share * span;
    return this.set(from, from + span);
  }

  pan(by: number): boolean {
    const span = this.span;
    const from = Math.min(Math.max(this.from + by, this.start), Math.max(this.start, this.end - span));
    return this.set(from, from + span);
  }

  reset(): boolean {
    return this.set(this.start, this.end);
  }
}
