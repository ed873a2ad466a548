import { expect, test } from "vitest";
import { memoryArchive } from "../../containers/memory.ts";
import { platform } from "./platform.ts";
import { json } from "./sources/json-source.ts";

test("a row that an earlier file of its table has is left; a row of another table is compared later, as one of another export", async () => {
  const tableOf = (files: RegExp, member: string) => ({
    from: json({ files, knownBy: [member], lists: [["*"]] }),
    ...{ dates: { order: "iso", zone: "local" } as const, sport: "run" as const },
    sameBy: (cellOf: (column: string) => string) => cellOf(member),
    columns: [
      [member, "datetime"],
      ["m", "distance", { unit: "m" }],
    ] as const,
  });
  const moves = platform({
    ...{ name: "moves", title: "Moves", howToGet: "-", leaves: {} },
    workouts: [tableOf(/^a[^/]*\.json$/, "start"), tableOf(/^b[^/]*\.json$/, "begun")],
  });
  const at = "2024-07-01 06:00:00";
  const archive = memoryArchive("m.zip", {
    "a1.json": JSON.stringify([{ start: at, m: 5000 }]),
    "a2.json": JSON.stringify([{ start: at, m: 5000 }]),
    "a3.json": JSON.stringify([{ start: at, m: 5100 }]),
    "b1.json": JSON.stringify([{ begun: at, m: 5001 }]),
  });
  const context = { signal: new AbortController().signal, report: () => undefined, sports: new Map() };
  const read: unknown[] = [];
  for await (const reading of moves.read(archive, context))
    read.push(reading.kind === "set-aside" ? [reading.as, reading.issue.rule] : [reading.kind]);
  expect(read).toEqual([["workout"], ["skipped", "table/same-row"], ["quarantined", "table/changed-row"], ["workout"]]);
});
