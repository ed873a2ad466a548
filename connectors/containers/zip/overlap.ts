/**
 * Finds entries that share bytes. No honest program writes such entries. With them, 40 KB can unpack to gigabytes although each single
 * entry looks normal (D. Fifield, "A better zip bomb", 2019).
 */

/** The place of an entry: from its local header to the end of its packed data, in bytes of the file. */
export interface Span {
  readonly start: number;
  /** The least possible end, because the length of the local extra field is unknown before the local header is read. */
  readonly end: number;
}

/**
 * Finds the end of each span's own bytes: the start of the next span, or of the directory. Results are in the order of the spans. A span
 * that shares bytes with another, or reaches into the directory, gets undefined.
 *
 * @param spans in any order
 * @param directory where the directory of the zip starts
 */
export function roomOf(spans: readonly Span[], directory: number): (number | undefined)[] {
  const order = spans.map((_, index) => index).sort((a, b) => (spans[a] as Span).start - (spans[b] as Span).start);
  const room = new Array<number | undefined>(spans.length).fill(directory);
  let furthest: number | undefined;
  let previous: number | undefined;
  for (const index of order) {
    const span = spans[index] as Span;
    const reach = furthest === undefined ? undefined : (spans[furthest] as Span);
    if (span.end > directory) room[index] = undefined;
    if (reach !== undefined && span.start < reach.end) {
      room[index] = undefined;
      room[furthest as number] = undefined;
    }
    if (previous !== undefined && room[previous] !== undefined) room[previous] = span.start;
    if (reach === undefined || span.end > reach.end) furthest = index;
    previous = index;
  }
  return room;
}
