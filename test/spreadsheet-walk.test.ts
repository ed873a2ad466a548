import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MadeCell, packed, xlsxParts } from "../fixtures/make/workbook.ts";
import { COMPILED } from "./support/compiled.ts";
import { type Rehearsal, ROOT, rehearse } from "./support/rehearsal.ts";

// docs/spreadsheets.md follows Priya. This is her workbook, and the page shows what logferry prints about it.

const DAY_SECONDS = 86_400;

const date = (shown: string): MadeCell => ({
  days: (Date.parse(`${shown}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / 1000 / DAY_SECONDS,
  format: "yyyy-mm-dd",
  shown,
});

const time = (shown: string): MadeCell => {
  const [hours = 0, minutes = 0, seconds = 0] = shown.split(":").map(Number);
  return { days: (hours * 3600 + minutes * 60 + seconds) / DAY_SECONDS, format: "h:mm:ss", shown };
};

type Run = readonly [day: string, miles: number, time: string, route: string, shoes: string, hr: number, felt: number];

const run = ([day, miles, duration, ...rest]: Run, notes?: string): readonly MadeCell[] => {
  const weekday = new Date(`${day}T00:00:00Z`).toLocaleDateString("en", { weekday: "short", timeZone: "UTC" });
  return [date(day), weekday, miles, time(duration), ...rest, notes];
};

const ROWS: readonly (readonly MadeCell[])[] = [
  ["Running 2014"],
  ["Date", "Day", "Miles", "Time", "Route", "Shoes", "HR", "How it felt", "Notes"],
  run(["2014-03-03", 5.2, "0:45:12", "River loop", "Pegasus", 142, 4], "easy, cold"),
  run(["2014-03-05", 6.1, "0:49:10", "Track", "Racer", 161, 3], "8 x 400"),
  run(["2014-03-07", 7, "1:01:15", "Park", "Pegasus", 144, 4]),
  run(["2014-03-09", 5, "0:43:45", "River loop", "Pegasus", 140, 5]),
  [date("2014-03-10"), "Mon", "off"],
  run(["2014-03-12", 10, "1:27:30", "Canal", "Pegasus", 148, 4], "long"),
  run(["2014-03-14", 4.4, "0:38:30", "Hill", "Racer", 150, 3]),
  run(["2014-03-16", 8, "1:10:00", "Canal", "Pegasus", 146, 4]),
  run(["2014-03-19", 6, "0:52:30", "Park", "Pegasus", 143, 2], "tired"),
  run(["2014-03-21", 9, "1:18:45", "Canal", "Pegasus", 147, 4]),
  run(["2014-03-24", 5, "0:43:45", "River loop", "Racer", 141, 5]),
  run(["2014-03-28", 9, "1:18:45", "Canal", "Pegasus", 149, 4], "wind"),
  ["Total", undefined, 74.7],
];

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await rehearse("miles", { database: ":memory:" });
  writeFileSync(join(rehearsal.folder, "running.xlsx"), packed(xlsxParts([{ name: "2014", rows: ROWS }])));
});
afterAll(() => rehearsal.close());

/** The commands of the page, each with the parts of its output that the page shows. `...` stands for lines that it leaves out. */
const shown = [...readFileSync(join(ROOT, "docs", "spreadsheets.md"), "utf8").matchAll(/^```\w*\n([\s\S]*?)^```$/gm)]
  .flatMap(([, block = ""]) => block.split(/^\$ /m).slice(1))
  .map((text) => {
    const [command = "", ...lines] = text.trimEnd().split("\n");
    const parts = `\n${lines.join("\n")}\n`.split(/^\s*\.\.\.$/m).map((part) => part.trim());
    return { command, parts: parts.filter((part) => part !== "") };
  });

async function typed(command: string): Promise<string> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "").slice(1);
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: join(rehearsal.folder, "home"),
    LOGFERRY_URL: rehearsal.service.url,
    LOGFERRY_TOKEN: rehearsal.token,
    ...COMPILED,
  };
  const cli = [join(ROOT, "bin", "logferry.js"), ...words];
  const ran = promisify(execFile)(process.execPath, cli, { cwd: rehearsal.folder, env });
  // With an open question, map infer has another exit code, and prints as much.
  return (await ran.catch((error: { readonly stdout: string }) => error)).stdout;
}

test("what docs/spreadsheets.md shows of Priya's way is what logferry prints", async () => {
  expect(shown.map(({ command }) => command.split(" ").slice(0, 2).join(" "))).toEqual([
    "logferry map",
    "logferry plan",
    "logferry import",
    "logferry verify",
  ]);
  for (const { command, parts } of shown) {
    const printed = await typed(command);
    let from = 0;
    for (const part of parts) {
      const at = printed.indexOf(part, from);
      expect(at === -1 ? printed : part, `${command} prints what the page shows`).toBe(part);
      from = at + part.length;
    }
    // The page says in words that she answers the question.
    const answer = /^ {2}(logferry map infer .* --set .*)$/m.exec(printed)?.[1];
    if (answer !== undefined) await typed(answer);
  }
});
