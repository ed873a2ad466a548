import { expect, test } from "vitest";
import { optionsAgain, withOptionsOf } from "./options-again.ts";
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

test("what a run lacks comes from the earlier runs of its sources, but for their days", () => {
  const earlier: RunOptions[] = [
    { ...NUMBERS, zone: "Europe/Berlin", distanceUnits: ["km"], since: "2024-01-01" },
    { ...NUMBERS, zone: "America/Lima", sports: [["tri", "other"]] },
  ];
  const own: RunOptions = { ...NUMBERS, sports: [["tri", "run"]] };
  expect(optionsAgain(withOptionsOf(own, earlier))).toBe(" --zone Europe/Berlin --sport tri=run --distance-unit km");
  expect(optionsAgain(withOptionsOf({ ...own, zone: "Asia/Tokyo" }, earlier))).toContain("--zone Asia/Tokyo");
});
