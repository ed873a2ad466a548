/** How often which shape of a value was met. Holds few shapes, however many there are. */
import { shapeOfValue } from "../../transforms/text/shape.ts";

/** Shapes that are told apart in one place; a hostile file could have millions. */
const MOST_SHAPES = 24;

/** The shapes past that. */
const OTHERS = "other shapes";

/** One shape and its count. */
export interface ShapeCount {
  readonly shape: string;
  readonly count: number;
  /** The least and the most digits of whole numbers, or decimals of the others. */
  readonly digits?: readonly [number, number];
}

interface Counted {
  count: number;
  least: number;
  most: number;
}

/** Counts shapes. */
export class Tally {
  readonly #shapes = new Map<string, Counted>();

  /** Looks at one value. */
  add(value: string): void {
    const shape = shapeOfValue(value);
    const digits = digitsOf(shape, value);
    this.#count(shape, { count: 1, least: digits, most: digits });
  }

  /** Takes over what another counted. */
  merge(other: Tally): void {
    for (const [shape, counted] of other.#shapes) this.#count(shape, counted);
  }

  /** How many of the values have digits for the most part: numbers, dates and times. */
  get numeric(): number {
    return this.#sum((shape) => /#|number|decimal/.test(shape));
  }

  /** How many values are not empty. */
  get filled(): number {
    return this.#sum((shape) => shape !== "empty");
  }

  /** The most frequent first. */
  counts(): readonly ShapeCount[] {
    return [...this.#shapes]
      .map(([shape, { count, least, most }]) => ({
        shape,
        count,
        ...(/number|decimal/.test(shape) && { digits: [least, most] as const }),
      }))
      .sort((a, b) => b.count - a.count);
  }

  #sum(isMeant: (shape: string) => boolean): number {
    let sum = 0;
    for (const [shape, { count }] of this.#shapes) if (isMeant(shape)) sum += count;
    return sum;
  }

  #count(shape: string, more: Counted): void {
    const known = this.#shapes.get(shape);
    if (known !== undefined) {
      known.count += more.count;
      known.least = Math.min(known.least, more.least);
      known.most = Math.max(known.most, more.most);
    } else if (this.#shapes.size < MOST_SHAPES || shape === OTHERS) this.#shapes.set(shape, { ...more });
    else this.#count(OTHERS, more);
  }
}

function digitsOf(shape: string, value: string): number {
  const digits = value.replace(/\D/g, "").length;
  if (shape === "whole number") return digits;
  return shape.startsWith("decimal") ? value.trim().length - value.trim().search(/[.,]/) - 1 : 0;
}
