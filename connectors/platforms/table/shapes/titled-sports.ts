/** A table whose titles say the sport of the rows below: `WALKING` in a line of its own, and the walks. */
import { activityNamed } from "../../../../transforms/activities.ts";
import { fold } from "../mapping/fold.ts";
import { indexesOf, type Shape } from "./shape.ts";

/**
 * Makes a column of the titles, and leaves out their rows. Rows above the first title have an empty cell.
 *
 * @param name the new column
 * @param words the person's own words for sports: such a word is a title, too
 */
export function titledSports(name: string, words: readonly string[]): Shape {
  const own = new Set(words.map(fold));
  return (header) => {
    if (indexesOf(header)(name) !== undefined) return { errors: [ALREADY_THERE] };
    return {
      header: [...header, name],
      async *rows(rows) {
        let sport = "";
        for await (const row of rows) {
          if (!("fields" in row)) {
            yield row;
            continue;
          }
          const title = row.cut === undefined ? titleOf(row.fields, own) : undefined;
          if (title !== undefined) {
            sport = title;
            continue;
          }
          const cells = header.map((_, index) => row.fields[index] ?? "");
          yield { ...row, fields: [...cells, sport, ...row.fields.slice(header.length)] };
        }
      },
    };
  };
}

const ALREADY_THERE = {
  path: ["layout", "sports"],
  message: "layout.sports: the table has a column of this name already",
};

/** The only filled cell of a row, if it says a sport. A number is no word for one. */
function titleOf(fields: readonly string[], own: ReadonlySet<string>): string | undefined {
  const filled = fields.flatMap((cell) => (cell.trim() === "" ? [] : [cell.trim()]));
  const [only = ""] = filled;
  if (filled.length !== 1 || /^\d+$/.test(only)) return undefined;
  return own.has(fold(only)) || activityNamed(only) !== undefined ? only : undefined;
}
