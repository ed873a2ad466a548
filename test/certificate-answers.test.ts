/**
 * A certificate gives one answer, in whatever form a person or a program reads it: the terminal, the exit code, the JSON lines, the signed file, the
 * page, and a later check of the file. And it is no yes while the log has a value that nobody was told of.
 */
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { FatalError } from "../connectors/errors.ts";
import { settleVerdict } from "../pipelines/certificate/answer.ts";
import { checkAgainstLog } from "../pipelines/certificate/check.ts";
import { openCertificate } from "../pipelines/certificate/read.ts";
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
    says: /1 record of the run was put back as before/,
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

const STRANGER = generateKeyPairSync("ed25519");

/** The text of a certificate with another head, signed by a key that nobody knows. */
function signedAnew(text: string, head: unknown): string {
  const [begins, ends] = ['  "records": [', "\n  ],\n"];
  const own = JSON.stringify(head, undefined, 2).replace(/\n\}$/, ",\n");
  const covered = own + text.slice(text.indexOf(begins), text.lastIndexOf(ends) + ends.length);
  const digest = createHash("sha256").update(covered).digest();
  const signature = {
    algorithm: "Ed25519",
    publicKey: STRANGER.publicKey.export({ type: "spki", format: "der" }).toString("base64"),
    sha256: digest.toString("hex"),
    value: sign(null, digest, STRANGER.privateKey).toString("base64"),
  };
  return `${covered}  "signature": ${JSON.stringify(signature)}\n}\n`;
}

/** No check reads what is in these. */
const UNREAD = new Set(["log", "totals", "byYear", "byMonth", "byActivity", "sinceThen", "reasons", "gear"]);

/** The same value with each of its members, and those within, once null, once a text, and once not there. Of a list, the first one. */
function* changesOf(value: unknown, depth = 3): Iterable<unknown> {
  yield null;
  yield "x";
  if (depth === 0 || typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value).slice(0, Array.isArray(value) ? 1 : undefined)) {
    const change = (one: unknown) =>
      Array.isArray(value) ? value.toSpliced(Number(name), 1, one) : { ...value, [name]: one };
    yield change(undefined);
    for (const one of changesOf(member, UNREAD.has(name) ? 0 : depth - 1)) yield change(one);
  }
}

test("a certificate of any other shape is answered with a sentence, whoever signed it", async () => {
  await using world = await openWorld({ runs: someRuns(2) });
  done(await world.import({ flags: ["--accept", "rejected=1"] }));
  await certified(world);
  const path = pathOf(world);
  const text = readFileSync(path, "utf8");
  const { records: _records, signature, ...head } = JSON.parse(text);
  const calm = { concurrency: 1, signal: new AbortController().signal, onProgress: () => undefined };
  const answer = async (written: string) => {
    writeFileSync(path, written);
    try {
      const opened = await openCertificate(path);
      if (!opened.isSigned) return "changed";
      await checkAgainstLog(opened, { read: async () => ({}) }, calm);
      return settleVerdict(opened.certificate).canClose ? "yes" : "no";
    } catch (error) {
      if (error instanceof FatalError && error.code === "certificate/unreadable") return "unreadable";
      throw error;
    }
  };
  expect(await answer(signedAnew(text, head))).toBe("yes");
  const answers = new Map<string, number>();
  for (const change of changesOf(head)) {
    if (typeof change !== "object" || change === null) continue;
    const its = await answer(signedAnew(text, change));
    answers.set(its, (answers.get(its) ?? 0) + 1);
  }
  expect(answers.get("unreadable")).toBeGreaterThan(40);
  expect(answers.get("changed")).toBeUndefined();

  const line = `"signature": ${JSON.stringify(signature)}`;
  for (const change of changesOf(signature, 1)) {
    const its = await answer(text.replace(line, `"signature": ${JSON.stringify(change)}`));
    expect(its, JSON.stringify(change)).toBeOneOf(["unreadable", "changed"]);
  }
  expect(await answer(text.replace('"Ed25519"', '"none"'))).toBe("unreadable");
  expect(await answer(`${text.replace(/\n\}\n$/, "")},\n  "verdict": {}\n}\n`)).toBe("unreadable");
  expect(await answer(text.replace(/"logId":"[^"]+"/, '"logId":null'))).toBe("changed");
  writeFileSync(path, text.replace('"run":', '"xrun":'));
  const held = await world.run(["certify", "--check", path]);
  expect([held.code, held.out]).toEqual([7, expect.stringContaining("was changed after it was issued")]);
});

test("a damaged key, and one that others can read, is named with what to do, and nothing is issued", async () => {
  await using world = await openWorld({ runs: someRuns(1) });
  done(await world.import());
  await certified(world);
  const key = join(world.folder, ".local", "share", "logferry", "certificate-key.pem");
  const sound = readFileSync(key, "utf8");
  writeFileSync(key, "garbage");
  rmSync(pathOf(world));
  const damaged = await world.run(["certify", pathOf(world)]);
  expect([damaged.code, damaged.err]).toEqual([
    2,
    expect.stringContaining("and is damaged. Put it back from a backup"),
  ]);
  writeFileSync(key, sound);
  chmodSync(key, 0o644);
  const open = await world.run(["certify", pathOf(world)]);
  expect([open.code, open.err]).toEqual([2, expect.stringContaining(`others can read it. Run: chmod 600 ${key}`)]);
  expect(existsSync(pathOf(world))).toBe(false);
});

function done(ran: { readonly code: number | null; readonly out: string; readonly err: string }, code = 0): void {
  expect(ran.code, ran.out + ran.err).toBe(code);
}

/** The id of the first workout in the log's list. */
async function firstId(world: World): Promise<string> {
  const [first] = await world.listed("/rest/logs/me/workouts");
  return String(first?.id);
}
