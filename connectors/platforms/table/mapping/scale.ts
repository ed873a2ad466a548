/** A scale of a person's own, such as 1 to 5, and how it becomes the log's 1 to 10. */

/** Two ends of a scale, and what each becomes: `5..1 -> 1..10` makes 5 a 1, and 1 a 10. */
export interface Scale {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

const ENDS = /^(-?\d{1,4}(?:\.\d{1,3})?) ?\.\. ?(-?\d{1,4}(?:\.\d{1,3})?)$/;

/** Reads `1..5 -> 1..10`; undefined for any other text, and for a scale with two equal ends. */
export function parseScale(text: string): Scale | undefined {
  const [from = "", to = "", ...more] = text.split("->").map((ends) => ends.trim());
  const [a, b] = endsOf(from);
  const [c, d] = endsOf(to);
  if (more.length > 0 || a === undefined || b === undefined || c === undefined || d === undefined || a === b)
    return undefined;
  return { from: [a, b], to: [c, d] };
}

function endsOf(text: string): readonly number[] {
  return ENDS.exec(text)?.slice(1).map(Number) ?? [];
}

/** Moves a value to the other scale, and rounds it to a whole number; undefined outside the scale. */
export function onScale(value: number, { from: [a, b], to: [c, d] }: Scale): number | undefined {
  if (value < Math.min(a, b) || value > Math.max(a, b)) return undefined;
  return Math.round(c + ((value - a) / (b - a)) * (d - c));
}
