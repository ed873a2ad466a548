/** Takes the text of a cell apart by a regular expression. Its named groups become columns of their own: `Workout/distance`. */
import type { Issue } from "../../../../transforms/model/issue.ts";
import { PATTERN_CHARACTERS } from "../mapping/limits.ts";
import { compileWhole, groupsOf, partName } from "../mapping/pattern.ts";
import { RULES } from "../mapping/rule-names.ts";
import { eachRow, indexesOf, type Shape } from "./shape.ts";

/** The patterns of each column that is taken apart. The first one that fits a cell counts. */
export type Splits = Readonly<Record<string, readonly string[]>>;

/** Receives the column of a cell that was taken apart, and the place of its pattern. */
export type SplitUsed = (column: string, index: number) => void;

/** Adds the columns of the groups. A cell that no pattern fits is reported, and its columns stay empty. Missing columns are left to the mapping. */
export function splitCells(splits: Splits, nulls: readonly string[] = [], used: SplitUsed = () => {}): Shape {
  const ready = Object.entries(splits).map(([column, sources]) => ({
    column,
    patterns: sources.map((source) => ({ source, pattern: compileWhole(source) })),
    groups: [...new Set(sources.flatMap(groupsOf))],
  }));
  return (header) => {
    const indexOf = indexesOf(header);
    const found = ready.map((split) => ({ ...split, index: indexOf(split.column) }));
    return {
      header: [...header, ...found.flatMap(({ column, groups }) => groups.map((group) => partName(column, group)))],
      rows: eachRow((row) => {
        const remarks: Issue[] = [...(row.remarks ?? [])];
        const parts = found.flatMap(({ column, patterns, groups, index }) => {
          const text = (row.fields[index ?? -1] ?? "").trim();
          if (text === "" || nulls.includes(text)) return groups.map(() => "");
          const match = matchOf(text, patterns);
          if (match === undefined) remarks.push(noMatch(column, text));
          else used(column, match.index);
          // A text that nobody can take apart still belongs to its workout.
          const values = match?.values ?? { notes: text };
          return groups.map((group) => values[group] ?? "");
        });
        const own = header.map((_, at) => row.fields[at] ?? "");
        const extra = row.fields.slice(header.length);
        return [{ ...row, fields: [...own, ...parts, ...extra], ...(remarks.length > 0 && { remarks }) }];
      }),
    };
  };
}

/** The first pattern that fits, and the texts of its groups; undefined if none does, or the cell is too long. */
function matchOf(
  text: string,
  patterns: readonly { readonly pattern: ReturnType<typeof compileWhole> }[],
): { readonly index: number; readonly values: Readonly<Record<string, string>> } | undefined {
  if (text.length > LONGEST) return undefined;
  for (const [index, { pattern }] of patterns.entries()) {
    const matcher = pattern.matcher(text);
    if (!matcher.matches()) continue;
    const names = Object.keys(pattern.namedGroups());
    const values = Object.fromEntries(names.map((name) => [name, (matcher.group(name) ?? "").trim()]));
    return { index, values };
  }
  return undefined;
}

/** Longest cell that is taken apart, in characters. The time grows with this and the pattern, and notes may be long. */
const LONGEST = 10 * PATTERN_CHARACTERS;

function noMatch(field: string, found: string): Issue {
  const expected = `a text that the split of ${JSON.stringify(field)} fits`;
  return { severity: "warning", rule: RULES.csv["no-match"], field, found: found.slice(0, 100), expected };
}
