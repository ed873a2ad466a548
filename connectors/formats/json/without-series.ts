/**
 * Takes the recorded series out of JSON text. A sports session may hold a million measurements, and logferry reads none of them one by one.
 * The filter looks at each character once, and holds no measurement.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const NEWLINE = 0x0a;

/** The longest name of a member that is looked at, and the most names that are kept of a series. */
const LONGEST = 60;
const MOST = 50;

/** A series that is being passed over. */
interface Series {
  depth: number;
  /** The depth of its outermost objects; 0 before the first object. Their members are the parts of the series. */
  parts: number;
  part: string;
  /** Its parts with a number, each with a summary of its numbers. */
  readonly found: Map<string, Summary>;
  /** The characters of the number that is being read. */
  number: string;
}

/** The summary of the numbers of a part. The mean counts the numbers above 0, because 0 stands for a value that was not measured. */
interface Summary {
  last: number;
  max: number;
  sum: number;
  count: number;
}

/** Members to leave out. */
export interface SeriesMembers {
  /** Members that keep only the names of their parts. */
  readonly named: readonly string[];
  /** Members that keep each name with the last, the largest and the mean of its numbers: `{"HR":{"last":140,"max":171,"mean":152.5}}`. */
  readonly summarised?: readonly string[];
}

/**
 * Replaces the lists and objects that these members hold, at any depth. The new value has the names of the parts that have numbers, such as
 * `["heartRate","speed"]`, or is null if there are no numbers. Line ends stay, so that messages name the right line.
 */
export async function* withoutSeries(texts: AsyncIterable<string>, members: SeriesMembers): AsyncGenerator<string> {
  const filter = new SeriesFilter(members);
  for await (const text of texts) yield filter.write(text);
}

class SeriesFilter {
  readonly #members: ReadonlySet<string>;
  readonly #summarised: ReadonlySet<string>;
  #series: Series | undefined;
  #inText = false;
  #escaped = false;
  /** The latest text, if it is short enough to be the name of a member. */
  #text = "";
  /** The name of the member whose value comes next. */
  #name: string | undefined;

  constructor({ named, summarised = [] }: SeriesMembers) {
    this.#members = new Set([...named, ...summarised]);
    this.#summarised = new Set(summarised);
  }

  write(chunk: string): string {
    const out: string[] = [];
    /** The start of the part of this chunk that stays. */
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (this.#series !== undefined && code === NEWLINE) out.push("\n");
      if (this.#isOfText(code, chunk, at)) continue;
      const isOpen = code === 0x7b || code === 0x5b;
      if (this.#series === undefined) {
        if (isOpen && this.#name !== undefined && this.#members.has(this.#name)) {
          out.push(chunk.slice(from, at));
          this.#series = { depth: 0, parts: 0, part: this.#name, found: new Map(), number: "" };
        } else {
          if (code === COLON) this.#name = this.#text;
          else if (code > 0x20) this.#name = undefined;
          continue;
        }
      }
      if (!this.#isEndOfSeries(this.#series, code, isOpen)) continue;
      out.push(replacementOf(this.#series, this.#summarised.has(this.#name ?? "")));
      this.#series = undefined;
      this.#name = undefined;
      from = at + 1;
    }
    if (this.#series === undefined) out.push(chunk.slice(from));
    return out.join("");
  }

  /** Whether a character belongs to a text, its quotes included. */
  #isOfText(code: number, chunk: string, at: number): boolean {
    if (!this.#inText) {
      if (code !== QUOTE) return false;
      this.#inText = true;
      this.#text = "";
      return true;
    }
    if (this.#escaped) this.#escaped = false;
    else if (code === BACKSLASH) this.#escaped = true;
    else if (code === QUOTE) {
      this.#inText = false;
      return true;
    }
    if (this.#text.length < LONGEST) this.#text += chunk[at];
    return true;
  }

  /** Goes past one character of a series. True for the last character. */
  #isEndOfSeries(series: Series, code: number, isOpen: boolean): boolean {
    if (isOfNumber(code)) {
      if (series.number.length < LONGEST) series.number += String.fromCharCode(code);
      return false;
    }
    if (series.number !== "") addNumber(series);
    if (isOpen) {
      series.depth++;
      if (code === 0x7b && series.parts === 0) series.parts = series.depth;
    } else if (code === 0x7d || code === 0x5d) series.depth--;
    else if (code === COLON && series.depth === series.parts) series.part = this.#text;
    return series.depth === 0;
  }
}

/** Digits, signs, a point, and the letter of an exponent. */
function isOfNumber(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e || code === 0x65 || code === 0x45
  );
}

/** Ends the number that is being read. A word such as `true` leaves its `e`, which is not a number. */
function addNumber(series: Series): void {
  const { found, part } = series;
  const value = /\d/.test(series.number) ? Number(series.number) : Number.NaN;
  series.number = "";
  if (!Number.isFinite(value)) return;
  const known = found.get(part);
  if (known === undefined && found.size >= MOST) return;
  const summary = known ?? { last: value, max: value, sum: 0, count: 0 };
  summary.last = value;
  summary.max = Math.max(summary.max, value);
  if (value > 0) [summary.sum, summary.count] = [summary.sum + value, summary.count + 1];
  found.set(part, summary);
}

function replacementOf({ found }: Series, isSummarised: boolean): string {
  if (found.size === 0) return "null";
  if (!isSummarised) return JSON.stringify([...found.keys()]);
  const summaries = [...found].map(([name, { last, max, sum, count }]) => {
    return [name, { last, max, mean: count === 0 ? null : sum / count }];
  });
  return JSON.stringify(Object.fromEntries(summaries));
}
