/**
 * Counts the values in columns that a person's mapping leaves out: they are in the source alone, and the certificate lists them. Those that only a
 * proposal left keep the old account open.
 */
import type { Issue } from "../../../../transforms/model/issue.ts";
import { LEFT_COLUMNS, leftColumn, UNCONFIRMED_COLUMNS, UNMAPPED_COLUMN } from "../../../../transforms/model/unread.ts";
import { printable } from "../../../../transforms/text/printable.ts";
import { namesInBraces } from "../mapping/braces.ts";
import type { ColumnSpec } from "../mapping/fields.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { Columns } from "./columns.ts";

/** Most characters of a column's name or of the reason. */
const LONGEST = 80;

/** A column that is left. `isProposed`: by a proposal alone. */
interface Left {
  readonly index: number;
  readonly words: string;
  readonly isProposed: boolean;
}

/** The columns of one table that the mapping leaves out, and the number of their values. */
export class LeftColumns {
  readonly #columns: readonly Left[];
  /** The columns that the mapping doesn't name, if they are to be reported. */
  readonly #unmapped: readonly { readonly index: number; readonly name: string }[];
  readonly #values = new Map<number, number>();

  constructor({ columns, unknown, indexOf }: Columns, mapping: Mapping) {
    // What a condition of a row or a joined column reads isn't left out.
    const isRead = new Set(
      [
        ...mapping.rows.flatMap(({ when }) => when.map(({ column }) => column)),
        ...Object.values(mapping.join).flatMap(namesInBraces),
        ...columns.flatMap(({ spec }) => spec.unitColumn ?? []),
      ].map(indexOf),
    );
    const whys = new Map<ColumnSpec, string | undefined>(
      Object.values(mapping.columns).map((spec) => [spec, spec.why] as const),
    );
    const left = columns
      .filter(
        ({ spec, index }) =>
          spec.proposed || (spec.field === "ignore" && spec.split === undefined && !isRead.has(index)),
      )
      .map(({ index, name, spec }) => ({ index, name, why: whys.get(spec), isProposed: spec.proposed === true }));
    const others =
      mapping.unknownColumns === "ignore"
        ? unknown.map((name) => ({ index: indexOf(name) ?? -1, name, why: undefined, isProposed: false }))
        : [];
    this.#unmapped =
      mapping.unknownColumns === "report" ? unknown.map((name) => ({ index: indexOf(name) ?? -1, name })) : [];
    this.#columns = [...left, ...others].map(({ index, name, why, isProposed }) => ({
      index,
      words: [name, ...(why === undefined ? [] : [why])].map((text) => printable(text, LONGEST)).join(", "),
      isProposed,
    }));
  }

  /** Counts the values of a row that is read. */
  add(fields: readonly string[]): void {
    for (const { index } of [...this.#columns, ...this.#unmapped])
      if ((fields[index] ?? "").trim() !== "") this.#values.set(index, (this.#values.get(index) ?? 0) + 1);
  }

  /** The remarks about the columns that have values: those that the mapping leaves out, and those that a proposal left. Also about each that it doesn't name. */
  issues(): readonly Issue[] {
    return [
      ...this.#unmapped.map(({ index, name }): Issue => {
        const values = this.#values.get(index);
        const names = values === undefined ? {} : { names: [leftColumn({ words: printable(name, LONGEST), values })] };
        const expected = "a line with its field there, or with `ignore`";
        return { severity: "warning", rule: UNMAPPED_COLUMN, field: name, expected, ...names };
      }),
      ...this.#remark(false, {
        ...{ severity: "info", rule: LEFT_COLUMNS },
        expected: "nothing to do: the mapping file leaves these columns out",
      }),
      ...this.#remark(true, {
        ...{ severity: "warning", rule: UNCONFIRMED_COLUMNS },
        expected:
          "your word for columns that nobody knows: give each its field in the mapping file, or take `proposed: true` out of its line if it may stay out of the log",
      }),
    ];
  }

  #remark(isProposed: boolean, remark: Pick<Issue, "severity" | "rule" | "expected">): readonly Issue[] {
    const names = this.#columns.flatMap((column) => {
      const values = this.#values.get(column.index);
      return values === undefined || column.isProposed !== isProposed ? [] : [leftColumn({ ...column, values })];
    });
    if (names.length === 0) return [];
    return [{ ...remark, found: names.slice(0, 5).join("; ") + (names.length > 5 ? " ..." : ""), names }];
  }
}
