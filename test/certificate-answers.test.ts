/**
 * A certificate gives one answer, in whatever form a person or a program reads it: the terminal, the exit code, the JSON lines, the signed file, the
 * page, and a later check of the file. And it is no yes while the log has a value that nobody was told of.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { jsonOf, openWorld, SAVES, type World } from "./matrix/world.ts";
import { certified, edit, pathOf, type Read, told } from "./support/certified.ts";
import { someRuns, writeSheet } from "./support/small-sources.ts";

/** What happened before the certificate, and its answer. */
interface Case {
  readonly title: string;
  readonly before: (world: World) => Promise<void>;
  readonly exit: number;
  /** What is in the way, by its code; none for a yes. */
  readonly codes: readonly string[];
  /** What the terminal and the page say of it. */
  readonly says?: RegExp;
  readonly classes: Readonly<Record<string, number>>;
}

const BAD = { details: { distance: { value: 1, unit: "km" }, duration: 99 } };

const CASES: readonly Case[] = [
  {
    title: "everything is as planned",
    before: async (world) => done(await world.import()),
    exit: 0,
    codes: [],
    classes: { created: 3 },
  },
  {
    title: "more was dropped than the person's rule allows",
    before: async (world) => {
      writeFileSync(world.sheet, readFileSync(world.sheet, "utf8").replace("2020-01-01,", "2020-13-01,"));
      done(await world.import({ flags: ["--accept", "dropped=0"] }), 3);
      const rejected = (await certified(world)).read.records.find((record) => record.class === "rejected");
      done(await world.run(["quarantine", "drop", rejected?.id ?? ""]));
    },
    exit: 3,
    codes: ["own-rule"],
    says: /1 of 3 records stays out because you said so, and your rule allows 0/,
    classes: { created: 2, dropped: 1 },
  },
  {
    title: "the person's rule asks for a restored backup, and there is none",
    before: async (world) => done(await world.import({ flags: ["--accept", "level=restored"] })),
    exit: 3,
    codes: ["own-rule"],
    says: /your rule asks for the level (?:"|&quot;|&#34;)restored(?:"|&quot;|&#34;), and it was not reached/,
    classes: { created: 3 },
  },
  {
    title: "two rows are rejected, and the rule allows one",
    before: async (world) => {
      const sheet = readFileSync(world.sheet, "utf8");
      writeFileSync(world.sheet, sheet.replace("2020-01-01,", "2020-13-01,").replace("2020-01-02,", "2020-13-02,"));
      done(await world.import({ flags: ["--accept", "rejected=1", "--accept", "losses=none"] }), 3);
    },
    exit: 3,
    codes: ["rejected"],
    says: /2 records were rejected, and your rule allows 1/,
    classes: { created: 1, rejected: 2 },
  },
  {
    title: "a workout was changed in the log after a second import, which nobody was told of",
    before: async (world) => {
      done(await world.import());
      done(await world.import());
      await edit(world, await firstId(world), BAD);
    },
    exit: 7,
    codes: ["differs"],
    says: /1 record is not in the log as planned/,
    classes: { unchanged: 2, differs: 1 },
  },
  {
    title: "a workout was changed before a second import, which reads no workout that it leaves alone",
    before: async (world) => {
      done(await world.import());
      await edit(world, await firstId(world), { details: { distance: { value: 9.9, unit: "km" } } });
      done(await world.import());
    },
    exit: 7,
    codes: ["differs"],
    says: /1 record is not in the log as planned/,
    classes: { unchanged: 2, differs: 1 },
  },
  {
    title: "a check named the change, and a later import left it so",
    before: async (world) => {
      done(await world.import());
      await edit(world, await firstId(world), BAD);
      done(await world.run(["verify"]), 7);
      done(await world.import());
    },
    exit: 0,
    codes: [],
    says: /edited(?: in your log, and kept)?: details\.distance, details\.duration/,
    classes: { unchanged: 2, edited: 1 },
  },
  {
    title: "a check named one change, and another one came after the import that left it",
    before: async (world) => {
      done(await world.import());
      const id = await firstId(world);
      await edit(world, id, BAD);
      done(await world.run(["verify"]), 7);
      done(await world.import());
      await edit(world, id, { details: { distance: { value: 2, unit: "km" }, duration: 99 } });
    },
    exit: 7,
    codes: ["differs"],
    classes: { unchanged: 2, differs: 1 },
  },
  {
    title: "the run changed a workout, and was undone",
    before: async (world) => {
      const runs = someRuns(3).map((run, index) => ({ ...run, id: String(index) }));
      writeSheet(dirname(world.sheet), runs, basename(world.sheet, ".csv"));
      done(await world.import());
      const changed = runs.map((run) => (run.id === "1" ? { ...run, km: 6.5 } : run));
      writeSheet(dirname(world.sheet), changed, basename(world.sheet, ".csv"));
      done(await world.import());
      done(await world.run(["undo", "2"]));
    },
    exit: 3,
    codes: ["undone"],
    says: /1 record that the run wrote over was put back as before/,
    classes: { unchanged: 2, undone: 1 },
  },
  {
    title: "the run made workouts, and was undone: they are still there, and are to go",
    before: async (world) => {
      done(await world.import());
      done(await world.run(["undo", "1"]));
    },
    exit: 3,
    codes: ["undone"],
    says: /you undid this run, and 3 records that it made are yours to take out of the log/,
    classes: { created: 3 },
  },
  {
    title: "such workouts stay, because a later import read the same sources",
    before: async (world) => {
      done(await world.import());
      done(await world.run(["undo", "1"]));
      done(await world.import());
    },
    exit: 0,
    codes: [],
    classes: { unchanged: 3 },
  },
  {
    title: "a workout that another source had loaded was changed after the run that found it there",
    before: async (world) => {
      done(await world.import());
      const later = someRuns(3).map((run) => ({ ...run, seconds: run.seconds + 1 }));
      done(await world.import({ sources: [writeSheet(join(world.folder, "other"), later, "diary")] }));
      await edit(world, await firstId(world), BAD);
    },
    exit: 7,
    codes: ["differs"],
    classes: { unchanged: 2, differs: 1 },
  },
];

test.for(CASES)("one answer in all forms: $title", async ({ before, exit, codes, says = /./, classes }) => {
  await using world = await openWorld({ runs: someRuns(3) });
  await before(world);
  const isYes = codes.length === 0;
  const answer = isYes ? "Yes" : "Not yet";
  const inJson = jsonOf((await world.run(["certify", pathOf(world), "--json"])).out);
  expect(inJson.find(({ type }) => type === "certificate")).toMatchObject({ canClose: isYes });

  const { ran, read } = await certified(world);
  expect(ran.code, told(ran)).toBe(exit);
  expect(ran.out).toContain(`Can the old account be closed? ${answer}`);
  expect(ran.out).toMatch(says);
  const { verdict } = read as Read & { readonly verdict: { sentence: string; obstacles: { code: string }[] } };
  expect(verdict).toMatchObject({ canClose: isYes, sentence: expect.stringMatching(new RegExp(`^${answer}`)) });
  expect(verdict.obstacles.map(({ code }) => code)).toEqual(codes);
  expect(Object.fromEntries(read.classes.map((row) => [row.class, row.count]))).toEqual(classes);
  const page = readFileSync(pathOf(world).replace(".json", ".html"), "utf8");
  expect(/<p class="word (?:good|wait)">(Yes|Not yet)/.exec(page)?.[1]).toBe(answer);
  expect(page).toMatch(says);

  // The log is as the certificate says, so this exit code is 0. The answer is named, so nobody takes the code for a yes.
  const held = await world.run(["certify", "--check", pathOf(world)]);
  expect([held.code, held.out]).toEqual([0, expect.stringContaining(`: ${verdict.sentence}`)]);
  // What says yes without a certificate would be taken for one.
  if (!isYes) expect((await world.run(["status"])).out).not.toMatch(/old account be closed\? Yes/);
});

test("a copy of a record that the log refused is out with it, and a rule that lets one stay out is not met by two", async () => {
  await using world = await openWorld({ runs: someRuns(3), armed: [`code-before-commit:${SAVES}:code=17,nth=2`] });
  const copies = someRuns(3).map((run) => ({ ...run, seconds: run.seconds + 1 }));
  const other = writeSheet(join(world.folder, "other"), copies, "diary");
  done(
    await world.import({ sources: [world.sheet, other], flags: ["--accept", "refused=1", "--concurrency", "1"] }),
    3,
  );
  const { ran, read } = await certified(world);
  expect(Object.fromEntries(read.classes.map((row) => [row.class, row.count]))).toEqual({
    created: 2,
    merged: 2,
    refused: 2,
  });
  expect(read.verdict.canClose, told(ran)).toBe(false);
});

function done(ran: { readonly code: number | null; readonly out: string; readonly err: string }, code = 0): void {
  expect(ran.code, ran.out + ran.err).toBe(code);
}

/** The id of the first workout in the log's list. */
async function firstId(world: World): Promise<string> {
  const [first] = await world.listed("/rest/logs/me/workouts");
  return String(first?.id);
}
