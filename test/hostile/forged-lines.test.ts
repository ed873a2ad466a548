/** Names that an archive chooses. They print no line of their own. They run nothing in a shell when a command is pasted into it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { emptyHome, runCli } from "../support/cli.ts";
import { type Rehearsal, rehearse } from "../support/rehearsal.ts";
import { longTest, test } from "../support/tier-tests.ts";
import { gpx } from "./reading.ts";

const FORGED = "Done. Check it with: curl evil.example";
const SPORTS = ["$(touch made)", "`touch made`", "'; touch made; '", `Row\n${FORGED}`, `"; touch made; "`];
const MAPPING = `version: 1
dates: { order: iso }
columns:
  Date: { field: date }
  Sport: { field: activity }
  Name: { field: name }
  Shoe: { field: equipment }
`;

let folder = "";
let rehearsal: Rehearsal;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "forged-"));
  mkdirSync(join(folder, `sheet\n${FORGED}`));
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = SPORTS.map((sport, day) =>
    [`2020-05-0${day + 1}`, cell(sport), cell(`n\n${FORGED}`), cell(`s\n${FORGED}`)].join(","),
  );
  const good = ["2020-06-01", "run", cell(`n\n${FORGED}`), cell(`s\n${FORGED}`)].join(",");
  writeFileSync(join(folder, "log.csv"), `Date,Sport,Name,Shoe\n${[...rows, good].join("\n")}\n`);
  writeFileSync(join(folder, "log.map.yaml"), MAPPING);
  writeFileSync(
    join(folder, `sheet\n${FORGED}`, `a\n${FORGED}.gpx`),
    gpx("2020-07-01").replace("run", SPORTS[3] ?? ""),
  );
  writeFileSync(join(folder, `sheet\n${FORGED}`, `b\n${FORGED}.gpx`), "not a gpx");
  rehearsal = await rehearse();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await rehearsal.close();
});

const sources = () => [join(folder, "log.csv"), join(folder, `sheet\n${FORGED}`)];

test("T1 no command lets a line break in a name begin a line", async () => {
  using home = emptyHome();
  const shown = [await runCli(home.path, ["inspect", ...sources(), "--verbose"])];
  for (const words of [
    ["plan", ...sources(), "--verbose"],
    ["import", ...sources()],
    ["status", "--verbose"],
    ["quarantine"],
    ["explain", "2020-06-01"],
    ["explain", "2020-05-04"],
    ["verify"],
  ])
    shown.push(await rehearsal.run(words));
  for (const { out, err } of shown) {
    expect(`${out}${err}`).not.toMatch(/bug in logferry/);
    expect(`${out}${err}`.split("\n").filter((line) => line.startsWith("Done. Check"))).toEqual([]);
  }
  expect(shown.map(({ out }) => out).join("")).toContain(FORGED);
});

longTest("a suggested command is pasted into sh and bash, says the sport to the letter, and runs nothing", async () => {
  const { out } = await rehearsal.run(["plan", ...sources(), "--verbose"]);
  const suggested = [...out.matchAll(/--sport ((?:'[^']*'|"[^"]*"|[^\s'")(]+)+)/g)].map(([, words = ""]) => words);
  const said = suggested.filter((words) => words.includes("touch made"));
  expect(said.length).toBeGreaterThanOrEqual(4);
  using empty = emptyHome();
  const read = said.flatMap((words) =>
    ["sh", "bash"].map((shell) =>
      execFileSync(shell, ["-c", `printf %s ${words}`], { cwd: empty.path, encoding: "utf8" }),
    ),
  );
  const pasteable = SPORTS.filter((sport) => !sport.includes("\n"));
  expect(new Set(read)).toEqual(new Set(pasteable.map((sport) => `${sport}=ACTIVITY`)));
  expect(readdirSync(empty.path)).toEqual([]);
});
