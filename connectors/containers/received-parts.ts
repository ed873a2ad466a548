/** The parts of a file that were received, however often each came. */
export class ReceivedParts {
  /** In no order. No two of them overlap or touch. */
  #parts: readonly Part[] = [];

  /** Bytes of the file that came at least once. */
  get bytes(): number {
    return this.#parts.reduce((sum, { from, to }) => sum + to - from, 0);
  }

  /** Takes a part that came. */
  add(from: number, length: number): void {
    const isNear = (part: Part) => part.from <= from + length && part.to >= from;
    const near = this.#parts.filter(isNear);
    const whole = {
      from: Math.min(from, ...near.map((part) => part.from)),
      to: Math.max(from + length, ...near.map((part) => part.to)),
    };
    this.#parts = [...this.#parts.filter((part) => !isNear(part)), whole];
  }
}

/** From the first byte to the one after the last. */
interface Part {
  readonly from: number;
  readonly to: number;
}
