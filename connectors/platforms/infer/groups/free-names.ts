/** Names the new columns of a table with several workouts a row, so that none is called as a column beside them: `Mon, Tue, …, Miles`. */
import type { RepeatedColumns } from "../columns/group-tags.ts";
import { foldHeader } from "../words/header-words.ts";

/** Words in front of a name that leave its meaning: `Single km` is a distance in kilometres. */
const FIRST_WORDS = ["", "Single ", "Each "];

/** The new columns, each with a name that no other column of the new table has. @param header that of the table as it is */
export function withFreeNames(repeat: RepeatedColumns, header: readonly string[]): RepeatedColumns {
  const used = new Set([...repeat.values()].flat());
  const taken = new Set(header.filter((name) => !used.has(name)).map(foldHeader));
  return new Map(
    [...repeat].map(([name, of]) => {
      const free = FIRST_WORDS.map((word) => `${word}${name}`).find((each) => !taken.has(foldHeader(each))) ?? name;
      taken.add(foldHeader(free));
      return [free, of];
    }),
  );
}
