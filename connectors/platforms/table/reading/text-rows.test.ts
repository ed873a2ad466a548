import { expect, test } from "vitest";
import { textRows } from "./text-rows.ts";

test("each reading of a text is closed, wherever somebody stops", async () => {
  const more = "2014-03-07,9,ok\n".repeat(10_000);
  const lines = ["Date,km,Notes", '2014-03-05,10,"good', '2014-03-06,8,"tired"', "2014-03-07,9,ok"];
  const head = `${lines.join("\n")}\n${more}`;
  for (const stopAt of [1, 2, 3, 4]) {
    let open = 0;
    const bytes = async function* () {
      open++;
      try {
        for (let piece = 0; piece < 20; piece++) yield new TextEncoder().encode(piece === 0 ? head : more);
      } finally {
        open--;
      }
    };
    let seen = 0;
    for await (const _row of textRows(bytes(), bytes, { delimiter: "," })) if (++seen === stopAt) break;
    expect([stopAt, open]).toEqual([stopAt, 0]);
  }
});
