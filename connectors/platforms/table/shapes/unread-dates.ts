/** Finds the change of a mapping file that would let in rows with unreadable dates, if most rows have such dates. */
import { printable } from "../../../../transforms/text/printable.ts";
import { type Dates, parseDate, parseDateTime } from "../cells/cells.ts";
import type { Column, Columns } from "../columns/columns.ts";
import type { Conventions } from "../mapping/mapping.ts";
import { completed } from "./complete-dates.ts";

/** Another way to read a date. */
interface Way {
  /** The text for the mapping file: `dates.order: mdy`. */
  readonly change: string;
  readonly reads: (text: string) => boolean;
  /** Whether it changes nothing for dates that can be read. */
  readonly isHarmless?: true;
  cells: number;
}

const ORDERS = ["iso", "dmy", "mdy", "ymd", "excel"] as const satisfies readonly Dates["order"][];

/** Any year will do to see whether a date lacks only its year. */
const SOME_YEAR = 2000;

/** Fewer rows without a date are slips of the hand. */
const LEAST_MISSING = 3;

/** Counts the unreadable dates of a table, and which change would read them. */
export class UnreadDates {
  readonly #ways: readonly Way[];
  #read = 0;
  /** A date that can be read as the mapping says. */
  #example: string | undefined;
  #unread = 0;
  /** Rows without a date below one that has one. */
  #missing = 0;
  readonly #name: string;
  readonly #index: number;

  constructor({ columns }: Columns, { dates }: Conventions) {
    const column = columns.find(({ spec }) => spec.field === "date" || spec.field === "datetime");
    this.#name = column?.name ?? "";
    this.#index = column?.index ?? -1;
    this.#ways = column === undefined ? [] : waysOf(column, dates);
  }

  /** @param fields the cells of a row whose date can be read */
  addRead(fields: readonly string[]): void {
    this.#read++;
    this.#example ??= fields[this.#index];
  }

  addUnread(text: string): void {
    this.#unread++;
    for (const way of this.#ways) if (way.reads(text)) way.cells++;
  }

  addMissing(): void {
    if (this.#read > 0) this.#missing++;
  }

  /** The word for tables with a date only at the first workout of a day; undefined if hardly any row lacks its date. */
  adviceForMissing(path: string | undefined): string | undefined {
    if (path === undefined || this.#missing < LEAST_MISSING) return undefined;
    const name = printable(this.#name, 40);
    return `write each row its own date, or, only if an empty cell stands for the date above it, say layout: { asAbove: [${name}] } in ${printable(path, 80)}, and plan again`;
  }

  /** The change that reads most of the dates; undefined if most rows can be read as they are, or no change helps. */
  advice(path: string | undefined): string | undefined {
    if (path === undefined) return undefined;
    const isMost = this.#unread > this.#read;
    // A year for dates without one changes no other date.
    const best = this.#ways.find(({ cells, isHarmless }) => (isMost || isHarmless) && cells * 2 > this.#unread);
    if (best === undefined) return undefined;
    const example = this.#example;
    if (example !== undefined && !best.isHarmless && !best.reads(example))
      return `write all dates in one way: ${best.change} would read ${best.cells} of the ${this.#unread}, and no longer those such as ${JSON.stringify(printable(example, 40))}`;
    const many = this.#unread === 1 ? "this date" : `${best.cells} of the ${this.#unread} dates that can't be read`;
    return `say ${this.#changes(best)} in ${printable(path, 80)}, which reads ${many}, and plan again`;
  }

  /** A date such as 17-01-02 can be read with the year in front as well. Only a person knows. */
  #changes({ change, cells }: Way): string {
    const inFront = this.#ways.find(
      (way) => way.cells >= cells && way.change === change.replace(/\b[dm]{2}y\b/, "ymd"),
    );
    return inFront === undefined || inFront.change === change
      ? change
      : `${change}, or ${inFront.change} if the year stands in front,`;
  }
}

function waysOf({ name, spec }: Column, dates: Dates): readonly Way[] {
  const isTime = spec.field === "datetime";
  const readsAs =
    (order: Dates["order"], withTime: boolean, zone: Dates["zone"] = dates.zone) =>
    (text: string) =>
      (withTime ? parseDateTime : parseDate)(text, { ...dates, order, zone }, ".") !== undefined;
  const others = ORDERS.filter((order) => order !== dates.order);
  const asTime = `field: datetime for columns.${printable(name, 40)}`;
  const withYear = (text: string) => {
    const whole = completed(text, dates, { year: SOME_YEAR });
    return whole !== text && readsAs(dates.order, true)(whole);
  };
  return [
    ...others.map((order) => way(`dates.order: ${order}`, readsAs(order, isTime))),
    ...(isTime ? [] : [way(asTime, readsAs(dates.order, true))]),
    ...(isTime ? [] : others.map((order) => way(`dates.order: ${order} and ${asTime}`, readsAs(order, true)))),
    ...(dates.year === undefined
      ? [{ ...way("dates.year, or layout: { sections: true },", withYear), isHarmless: true as const }]
      : []),
    ...(isTime && dates.zone !== "offset" ? [way("dates.zone: offset", readsAs(dates.order, true, "offset"))] : []),
  ];
}

function way(change: string, reads: Way["reads"]): Way {
  return { change, reads, cells: 0 };
}
