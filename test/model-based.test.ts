import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { markOf, openWorld, summaryOf, type World } from "./matrix/world.ts";
import { deleteWorkout } from "./support/delete-workout.ts";
import { runHere } from "./support/here.ts";
import { SEED } from "./support/random.ts";
import type { Ran } from "./support/rehearsal.ts";
import { copyDeviceFiles, ONE_RUN, someRuns, writeSheet } from "./support/small-sources.ts";

// Random archives, random edits in the log and in the sources between the runs, and a model in a few lines of what must be true then. A second import
// does nothing. Edits survive, nothing is doubled, and deleted records stay deleted. A plan that was made before an edit doesn't undo the edit. Undo
// puts back records that were not edited since. LOGFERRY_TEST_MODEL_RUNS asks for more runs.

const RUNS = Number(process.env.LOGFERRY_TEST_MODEL_RUNS ?? 12);

/** Rows of the sheet, then device files. What a log shows of the files is typed from their expected.jsonl. */
const ROWS = someRuns(4).map((run, index) => ({ ...run, id: `row ${index}` }));
const FILES = [ONE_RUN];
const MARKS = [...ROWS.map(markOf), "2019-05-04 07:10 4.20 km 1500 s"];

/** The actions of an owner between two runs. */
type Edit = { readonly kind: "add" | "remove" | "change" | "type" | "note" | "delete"; readonly which: number };

type Step =
  | Edit
  | { readonly kind: "import" | "undo" }
  | { readonly kind: "plan, edit, apply"; readonly edits: readonly Edit[] };

const which = fc.nat({ max: MARKS.length - 1 });
const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom("add", "remove", "change", "change", "change", "type", "note", "note", "note", "delete"),
  which,
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: edit },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("import" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("undo" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("plan, edit, apply" as const), edits: fc.array(edit, { maxLength: 4 }) }),
  },
);
const beginning = fc.uniqueArray(which, { minLength: 2 });

/** A record of the log. */
interface LogRecord {
  readonly id: string;
  notes: string | undefined;
}

/** The model's knowledge of one workout of the archive. */
interface Known {
  /** Its notes in the source; undefined while the workout isn't in the source. A device file has no notes. */
  source: { readonly notes: string | undefined } | undefined;
  /** The record that stands for it, and the notes that were last sent. */
  ours: (LogRecord & { sent: string | undefined; isOurs: boolean }) | undefined;
  /** It stood in the log once, and its owner deleted it. */
  isDeleted: boolean;
  /** An undo took back a run's update of it. From then on runs leave it as it is. */
  isFrozen: boolean;
  /** Equal records that its owner typed. */
  readonly theirs: LogRecord[];
}

/** The last run's updates, which undo puts back. */
interface Update {
  readonly known: Known;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

class Model {
  readonly known: readonly Known[] = MARKS.map(() => ({
    source: undefined,
    ours: undefined,
    isDeleted: false,
    isFrozen: false,
    theirs: [],
  }));
  lastRun: number | undefined;
  updates: readonly Update[] = [];
  #texts = 0;

  text(): string {
    return `text ${++this.#texts}`;
  }

  /** Applies a run to the model, with the archive as it was then. */
  load(sources: readonly Known["source"][]): void {
    const updates: Update[] = [];
    for (const [index, known] of this.known.entries()) {
      const source = sources[index];
      if (source === undefined) continue;
      if (known.ours !== undefined) {
        const { ours } = known;
        if (!ours.isOurs || known.isFrozen || source.notes === ours.sent) continue;
        const after = ours.notes === ours.sent ? source.notes : ours.notes;
        meet(ours.notes === ours.sent ? "an update" : "an update over an edit");
        updates.push({ known, before: ours.notes, after });
        ours.notes = after;
        ours.sent = source.notes;
      } else if (!known.isDeleted) {
        const [typed] = known.theirs;
        if (typed === undefined) known.ours = { id: "", notes: source.notes, sent: source.notes, isOurs: true };
        else {
          meet("an equal record recognised");
          known.ours = Object.assign(known.theirs.shift() as LogRecord, { sent: undefined, isOurs: false });
        }
      }
    }
    this.updates = updates;
  }
}

/** Writes the sources as the model has them. */
function writeSources(world: World, model: Model): string[] {
  const rows = ROWS.flatMap((row, index) => {
    const { source } = model.known[index] as Known;
    return source === undefined ? [] : [{ ...row, notes: source.notes ?? "" }];
  });
  const watch = join(world.folder, "watch");
  const files = FILES.filter((_file, index) => model.known[ROWS.length + index]?.source !== undefined);
  return [
    ...(rows.length > 0 ? [writeSheet(world.folder, rows)] : []),
    ...(files.length > 0
      ? [copyDeviceFiles(join(watch, String(files.map((file) => FILES.indexOf(file)))), files)]
      : []),
  ];
}

async function play(start: readonly number[], steps: readonly Step[]): Promise<void> {
  const model = new Model();
  await using world = await openWorld({ runs: [], databaseFile: true });
  const run = (...words: readonly string[]) => runHere(world, [...words, "--json", "--settle", "0"]);
  const planning = () => [...writeSources(world, model), "--zone", "Europe/Vienna"];
  for (const index of start) await doEdit(world, model, { kind: "add", which: index });

  for (const one of [{ kind: "import" } as const, ...steps, { kind: "import" } as const]) {
    if (one.kind === "import") {
      const words = planning();
      if (words.length === 2) continue;
      expectEnded(await run("import", ...words), model);
      model.load(model.known.map(({ source }) => source));
      await compare(world, model, one);
      const writes = world.asked.writes().length;
      const again = await run("import", ...words);
      // Undo has no run to take back, since this one did nothing.
      expectEnded(again, undefined);
      expect(world.asked.writes(), "an import again").toHaveLength(writes);
    } else if (one.kind === "undo") {
      if (model.lastRun === undefined) continue;
      const ran = await run("undo", String(model.lastRun));
      expect(ran.code, ran.out).toBeLessThan(4);
      for (const { known, before, after } of model.updates) {
        meet(known.ours?.notes === after ? "an update taken back" : "an edit not taken back");
        if (known.ours === undefined || known.ours.notes !== after) continue;
        known.ours.notes = before;
        known.isFrozen = true;
      }
      model.updates = [];
    } else if (one.kind === "plan, edit, apply") {
      const words = planning();
      if (words.length === 2) continue;
      expectEnded(await run("plan", ...words), undefined);
      const planned = model.known.map(({ source }) => source);
      for (const edit of one.edits) {
        // The sources of the plan stay in place.
        if (!["type", "note", "delete"].includes(edit.kind)) continue;
        await doEdit(world, model, edit);
        meet("an old plan over an edit");
      }
      expectEnded(await run("apply"), model);
      model.load(planned);
    } else if ("which" in one) await doEdit(world, model, one);
    await compare(world, model, one);
  }
}

function expectEnded(ran: Ran, model: Model | undefined): void {
  expect([0, 3, 7], `${ran.out.slice(-2000)}${ran.err}`).toContain(ran.code);
  // The import reports two things as a difference: records that the owner deleted, and records that the owner typed again with the same values.
  if (ran.code === 7) expect(ran.out).toMatch(/"gone":[1-9]|"surplus":\[\{/);
  if (model === undefined) return;
  const { balanced, run, ledger } = summaryOf(ran);
  expect({ balanced, left: ledger.left, inDoubt: ledger.inDoubt }).toEqual({ balanced: true, left: 0, inDoubt: 0 });
  model.lastRun = run;
}

async function doEdit(world: World, model: Model, { kind, which: index }: Edit): Promise<void> {
  const { store } = world.service;
  const known = model.known[index] as Known;
  const isRow = index < ROWS.length;
  if (kind === "add") known.source ??= { notes: isRow ? model.text() : undefined };
  else if (kind === "remove") known.source = undefined;
  else if (kind === "change" && known.source !== undefined && isRow) known.source = { notes: model.text() };
  else if (kind === "type" && isRow && known.theirs.length === 0) {
    const { date, time, km, seconds } = ROWS[index] as (typeof ROWS)[number];
    const notes = model.text();
    const details = { distance: { unit: "km", value: km }, duration: seconds } as const;
    const id = await store.addWorkout(world.userId, { activityID: 10, date, time: `${time}:00`, details, notes });
    known.theirs.push({ id, notes });
    meet("an equal record typed");
  } else if (kind === "note" && known.ours !== undefined) {
    const notes = model.text();
    const found = await store.workout(world.userId, known.ours.id);
    if (found === undefined) throw new Error(`the log lost ${known.ours.id}`);
    await store.replaceWorkout(world.userId, known.ours.id, { ...found.workout, notes });
    known.ours.notes = notes;
    meet("a note in the log");
  } else if (kind === "delete" && known.ours?.isOurs === true) {
    deleteWorkout(join(world.folder, "service.db"), known.ours.id);
    known.ours = undefined;
    known.isDeleted = true;
    meet("a deletion");
  }
}

/** Compares the log with the model. The model learns from the log the ids of records that a run made. */
async function compare(world: World, model: Model, after: Step): Promise<void> {
  const { store } = world.service;
  const { entries } = await store.workouts(world.userId, { limit: 1000, offset: 0 }, [], true);
  const found = new Map<string, { id: string; notes: string | undefined }[]>();
  for (const { id, date, time = "", details, workout } of entries) {
    const km = details?.distance?.value ?? 0;
    const mark = markOf({ date, time: time.slice(0, 5), km, seconds: details?.duration ?? 0 });
    found.set(mark, [...(found.get(mark) ?? []), { id, notes: workout?.notes }]);
  }
  const expected: Record<string, unknown> = {};
  const actual: Record<string, unknown> = {};
  for (const [index, mark] of MARKS.entries()) {
    const { ours, theirs } = model.known[index] as Known;
    const here = found.get(mark) ?? [];
    if (ours?.id === "") {
      const made = here.filter(({ id }) => !theirs.some((one) => one.id === id));
      Object.assign(ours, { id: made[0]?.id ?? "none" });
    }
    const byId = (one: { id: string; notes: string | undefined }, other: { id: string }) =>
      one.id < other.id ? -1 : 1;
    const records = [...(ours === undefined ? [] : [ours]), ...theirs].map(({ id, notes }) => ({ id, notes }));
    expected[mark] = records.toSorted(byId);
    actual[mark] = here.toSorted(byId);
    found.delete(mark);
  }
  expect(actual, `after ${JSON.stringify(after)}`).toEqual(expected);
  expect([...found.keys()]).toEqual([]);
}

/** The events of all runs: a model that never meets an edit would agree with anything. */
const met = new Map<string, number>();

function meet(what: string): void {
  met.set(what, (met.get(what) ?? 0) + 1);
}

/** The runs must meet each of these. If random steps don't, these steps do. */
const EVENTS = [
  "a note in the log",
  "a deletion",
  "an equal record typed",
  "an equal record recognised",
  "an update",
  "an update over an edit",
  "an update taken back",
  "an edit not taken back",
  "an old plan over an edit",
];

const note = (index: number): Edit => ({ kind: "note", which: index });
const change = (index: number): Edit => ({ kind: "change", which: index });
const EXAMPLES: [number[], Step[]][] = [
  [
    [0, 1, 2, 4],
    [
      note(0),
      note(4),
      change(0),
      change(1),
      { kind: "import" },
      { kind: "delete", which: 2 },
      change(2),
      { kind: "import" },
    ],
  ],
  [
    [0, 1, 2],
    [
      change(0),
      change(1),
      { kind: "import" },
      note(1),
      { kind: "undo" },
      change(0),
      { kind: "import" },
      { kind: "undo" },
    ],
  ],
  [
    [0, 4],
    [
      { kind: "type", which: 1 },
      { kind: "add", which: 1 },
      change(0),
      {
        kind: "plan, edit, apply",
        edits: [note(0), { kind: "type", which: 0 }, { kind: "delete", which: 4 }],
      },
      { kind: "add", which: 2 },
      { kind: "add", which: 3 },
      { kind: "plan, edit, apply", edits: [{ kind: "type", which: 2 }] },
    ],
  ],
];

test(`random archives, edits and runs come to what a model of them says (LOGFERRY_TEST_SEED=${SEED}, ${RUNS} of them)`, async () => {
  await fc.assert(fc.asyncProperty(beginning, fc.array(step, { minLength: 5, maxLength: 14 }), play), {
    seed: SEED,
    numRuns: RUNS,
    examples: EXAMPLES,
    endOnFailure: RUNS < 50,
  });
  expect(EVENTS.filter((event) => !met.has(event))).toEqual([]);
});
