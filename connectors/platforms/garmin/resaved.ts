/** Reads the dates of a list that a spreadsheet program saved again: `12/11/20 11:59` instead of `2020-11-12 11:59:07`. */
import { localDate } from "../../../transforms/calendar.ts";
import { fold } from "../table/columns.ts";
import type { RowSource } from "../table/description.ts";

/** Two numbers of one or two digits, the year, and a time of day. */
const RESAVED = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2}),? (\d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?)$/i;

type Order = "day first" | "month first";

/**
 * Rewrites such dates of one column as the platform writes them, if the table shows which number is the day: a 13 or more in one place, in any row,
 * and none in the other. Otherwise they stay, and each row is rejected with its date.
 *
 * @param names the column's names
 */
export function resaved(source: RowSource, names: readonly string[]): RowSource {
  return {
    ...source,
    async find(archive, columns) {
      const found = await source.find(archive, columns);
      if (found === undefined) return undefined;
      const at = found.header.findIndex((name) => names.some((each) => fold(each) === fold(name)));
      return {
        ...found,
        async *rows(session, entry, mapping, report) {
          const texts = new DaysInPlaces();
          for await (const row of found.rows(session, entry, mapping)) if ("fields" in row) texts.add(row.fields[at]);
          const { order } = texts;
          for await (const row of found.rows(session, entry, mapping, report)) {
            if (!("fields" in row) || order === undefined) yield row;
            else
              yield { ...row, fields: row.fields.map((cell, index) => (index === at ? isoDate(cell, order) : cell)) };
          }
        },
      };
    },
  };
}

/** Counts the dates whose first number, or whose second one, can only be a day. */
class DaysInPlaces {
  #first = 0;
  #second = 0;

  add(text: string | undefined): void {
    const [, first = "", , second = ""] = RESAVED.exec(text?.trim() ?? "") ?? [];
    if (Number(first) > 12) this.#first++;
    if (Number(second) > 12) this.#second++;
  }

  /** Undefined if no date shows it, or if dates contradict each other. */
  get order(): Order | undefined {
    if (this.#first > 0 === this.#second > 0) return undefined;
    return this.#first > 0 ? "day first" : "month first";
  }
}

function isoDate(text: string, order: Order): string {
  const [, first = "", , second = "", digits = "", clock] = RESAVED.exec(text.trim()) ?? [];
  const [day, month] = (order === "day first" ? [first, second] : [second, first]).map(Number);
  const year = Number(digits) + (digits.length === 2 ? 2000 : 0);
  const date = localDate(year, month ?? 0, day ?? 0);
  return date === undefined ? text : `${date} ${clock}`;
}
