import { expect, test } from "vitest";
import { optionsAgain } from "./options-again.ts";
import type { RunOptions } from "./run.ts";

const NUMBERS: RunOptions = { activityIDs: {}, workoutIDs: {}, tracks: true };

test("the options of a run come back as a shell reads them", () => {
  const options: RunOptions = {
    ...NUMBERS,
    zone: "Europe/Vienna",
    sports: [["nordic walking", "walk"]],
    sameGear: [
      { names: ["Nike Pegasus 38", "pegs"], isSame: true },
      { names: ["-old", "pegs"], isSame: false },
    ],
    prefer: [{ field: "notes", source: "/home/me/garmin" }],
    trustClocks: true,
  };
  const shared = ` --zone Europe/Vienna --sport 'nordic walking=walk'`;
  const gear = ` --same-gear 'Nike Pegasus 38=pegs' --same-gear='-old!=pegs' --trust-clocks`;
  expect(optionsAgain(options)).toBe(`${shared} --prefer notes=/home/me/garmin${gear}`);
  expect(optionsAgain(options, true)).toBe(shared + gear);
  expect(optionsAgain(NUMBERS)).toBe("");
});
