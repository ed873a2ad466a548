/** Counts the values in columns that a person's mapping leaves out: they are in the source alone, and the certificate lists them. */
import type { Issue } from "../../../transforms/model/issue.ts";
import { LEFT_COLUMNS, leftColumn } from "../../../transforms/model/unread.ts";
import { printable } from "../../../transforms/text/printable.ts";
import { namesInBraces } from "./braces.ts";
import type { Columns } from "./columns.ts";
import type { ColumnSpec } from "./fields.ts";
import type { Mapping } from "./mapping.ts";

/** Most characters of a column's name or of the reason. */
const LONGEST = 80;

/** The columns of one table that the mapping leaves out, and the number of their values. */
export class LeftColumns {
  readonly #columns: readonly { readonly index: number; readonly words: string }[];
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
      .filter(({ spec, index }) => spec.field === "ignore" && spec.split === undefined && !isRead.has(index))
      .map(({ index, name, spec }) => ({ index, name, why: whys.get(spec) }));
    const others =
      mapping.unknownColumns === "ignore"
        ? unknown.map((name) => ({ index: indexOf(name) ?? -1, name, why: undefined }))
        : [];
    this.#columns = [...left, ...others].map(({ index, name, why }) => ({
      index,
      words: [name, ...(why === undefined ? [] : [why])].map((text) => printable(text, LONGEST)).join(", "),
    }));
  }

  /** Counts the values of a row that is read. */
  add(fields: readonly string[]): void {
    for (const { index } of this.#columns)
      if ((fields[index] ?? "").trim() !== "") this.#values.set(index, (this.#values.get(index) ?? 0) + 1);
  }

  /** The remark about the columns that have values; undefined without any. */
  issue(): Issue | undefined {
    const names = this.#columns.flatMap(({ index, words }) => {
      const values = this.#values.get(index);
      return values === undefined ? [] : [leftColumn({ words, values })];
    });
    if (names.length === 0) return undefined;
    return {
      severity: "info",
      rule: LEFT_COLUMNS,
      found: names.slice(0, 5).join("; ") + (names.length > 5 ? " ..." : ""),
      expected: "nothing to do: the mapping file leaves these columns out",
      names,
    };
  }
}
