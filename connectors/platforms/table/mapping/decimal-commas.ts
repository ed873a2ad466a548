/**
 * Reads the numbers of a platform's table that a spreadsheet program saved again in a country with decimal commas: `8,05` instead of `8.05`. Commas
 * count as decimal marks only where nothing else can be meant.
 */
import type { Issue } from "../../../../transforms/model/issue.ts";
import { printable } from "../../../../transforms/text/printable.ts";
import { fold } from "./fold.ts";

/** A number with one comma: `8,05`, `1234,5`, `1.234,5`, and `12,345`, which may be thousands. */
const WITH_COMMA = /^[-+]?(?:\d{1,9}|\d{1,3}(?:\.\d{3}){1,3}),\d{1,17}$/;

/** A comma before three digits may stand between thousands. */
const MAY_BE_THOUSANDS = /^[-+]?[1-9]\d{0,2},\d{3}$/;

/** A number with a decimal point, or with a point between thousands. Which of the two doesn't matter: it shows that a comma may mean anything. */
const WITH_POINT = /^[-+]?\d{1,9}(?:[.,]\d{3}){0,3}\.\d{1,17}$/;

/** A column by its name, or by its place in a table that is read by places: there several have one name. */
export type NumberColumn = string | number;

/** The columns of numbers of a table. */
export interface NumberColumns {
  /** Columns that are read. A point in one of them forbids commas. */
  readonly read: readonly NumberColumn[];
  /** Columns that count only together with others. */
  readonly beside: readonly NumberColumn[];
  /** Those whose numbers never reach a thousand, such as heart rates. There a comma before three digits is a decimal one. */
  readonly small?: readonly NumberColumn[];
  /** Those whose numbers reach no thousand on foot or by bike, such as kilometres. Beside a column that shows decimal commas they have them, too. */
  readonly lengths?: readonly NumberColumn[];
  /** The program writes the commas itself, and quotes such a number where commas separate its columns. */
  readonly areQuoted?: boolean;
}

/** What all rows of a file show. */
interface Shown {
  /** The places of the columns with decimal commas. */
  readonly places: readonly number[];
  readonly issue: Issue | undefined;
}

/** The rows of a file once more, and its header, which is known from the first row on. */
export interface FileOfRows<R> {
  readonly rows: AsyncIterable<R>;
  readonly header: () => readonly string[];
}

const NONE: Shown = { places: [], issue: undefined };

/** The decimal commas of a platform's table, in all of its files. */
export class DecimalCommas {
  readonly #read: ReadonlySet<NumberColumn>;
  readonly #all: ReadonlySet<NumberColumn>;
  readonly #small: ReadonlySet<NumberColumn>;
  readonly #lengths: ReadonlySet<NumberColumn>;
  /** Whether a number with a decimal comma may stand in quotes, where commas separate the columns. */
  readonly areQuoted: boolean;
  readonly #seen = new Map<string, Promise<Shown>>();

  constructor({ read, beside, small = [], lengths = [], areQuoted = false }: NumberColumns) {
    const folded = (column: NumberColumn) => (typeof column === "string" ? fold(column) : column);
    this.#read = new Set(read.map(folded));
    this.#all = new Set([...read, ...beside].map(folded));
    this.#small = new Set(small.map(folded));
    this.#lengths = new Set(lengths.map(folded));
    this.areQuoted = areQuoted;
  }

  /**
   * Gives the rows of a file with a point in the place of each decimal comma.
   *
   * @param path identifies the file
   * @param again opens the file once more; undefined if commas separate its columns. It is asked only if a cell has a comma
   * @param report receives what was assumed, each time the rows are read
   */
  async *rows<R extends object>(
    path: string,
    { rows, header }: FileOfRows<R>,
    again: () => Promise<FileOfRows<R> | undefined>,
    report: (issue: Issue) => void,
  ): AsyncGenerator<R> {
    let places: readonly number[] | undefined;
    let told = false;
    for await (const row of rows) {
      const fields = fieldsOf(row);
      places ??= placesOf(header(), this.#all);
      if (fields === undefined || !places.some((place) => WITH_COMMA.test(textAt(fields, place)))) {
        yield row;
        continue;
      }
      const known = this.#seen.get(path) ?? again().then((file) => (file === undefined ? NONE : this.#look(file)));
      this.#seen.set(path, known);
      const shown = await known;
      if (!told && shown.issue !== undefined) report(shown.issue);
      told = true;
      yield shown.places.length === 0 ? row : { ...row, fields: withPoints(fields, shown.places) };
    }
  }

  async #look<R extends object>({ rows, header }: FileOfRows<R>): Promise<Shown> {
    const sure = new Map<number, string>();
    const unsure = new Map<number, string>();
    let places: readonly number[] | undefined;
    let read: readonly number[] = [];
    let small: readonly number[] = [];
    for await (const row of rows) {
      const fields = fieldsOf(row);
      if (fields === undefined) continue;
      if (places === undefined) {
        places = placesOf(header(), this.#all);
        read = placesOf(header(), this.#read);
        small = placesOf(header(), this.#small);
      }
      if (read.some((place) => WITH_POINT.test(textAt(fields, place)))) return NONE;
      for (const place of places) {
        const text = textAt(fields, place);
        const isSure = WITH_COMMA.test(text) && (small.includes(place) || !MAY_BE_THOUSANDS.test(text));
        if (!sure.has(place) && isSure) sure.set(place, text);
        else if (WITH_COMMA.test(text)) unsure.set(place, text);
      }
    }
    const [example] = read.flatMap((place) => sure.get(place) ?? []);
    if (example === undefined) return NONE;
    const lengths = placesOf(header(), this.#lengths);
    for (const [place, text] of unsure) if (!sure.has(place) && lengths.includes(place)) sure.set(place, text);
    const names = [...sure.keys()]
      .filter((place) => read.includes(place))
      .map((place) => printable(header()[place] ?? "", 40));
    return {
      places: [...sure.keys()],
      issue: {
        severity: "warning",
        rule: "table/decimal-comma",
        found: `numbers like ${example} in ${names.join(", ")}`,
        expected: "a decimal point; the comma was read as one, because no number of the table has a point",
      },
    };
  }
}

function fieldsOf(row: object): readonly string[] | undefined {
  return "fields" in row && Array.isArray(row.fields) ? row.fields : undefined;
}

function placesOf(header: readonly string[], columns: ReadonlySet<NumberColumn>): readonly number[] {
  return header.flatMap((name, place) => (columns.has(fold(name)) || columns.has(place) ? [place] : []));
}

function textAt(fields: readonly string[], place: number): string {
  return (fields[place] ?? "").trim();
}

function withPoints(fields: readonly string[], places: readonly number[]): readonly string[] {
  const mended = [...fields];
  for (const place of places) {
    const text = textAt(fields, place);
    if (WITH_COMMA.test(text)) mended[place] = text.replaceAll(".", "").replace(",", ".");
  }
  return mended;
}
