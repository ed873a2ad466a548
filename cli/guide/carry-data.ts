/** "I have data to carry over": look inside, rehearse or plan, carry it into the real log, check it. It can begin anywhere on that way. */
import { join } from "node:path";
import { isZone } from "../../transforms/calendar.ts";
import { suggestZone } from "../wording/zone-suggestions.ts";
import { type AskingWords, askWords } from "./ask-words.ts";
import { askInOrder, BACK } from "./asking.ts";
import { type Choosing, chooseSources } from "./choose-sources.ts";
import { ensureLogin } from "./log-in.ts";
import { CERTIFICATE, type Next, type Standing } from "./standing.ts";
import { isOver, take } from "./steps.ts";

/** What the way needs. */
export interface Carrying extends Choosing, AskingWords {
  readonly standing: () => Promise<Standing>;
  /** The time zone of this computer. */
  readonly zone: string;
}

/** What a person wants with their data. */
interface Wanted {
  readonly sources: readonly string[];
  /** Options that say what a table doesn't. */
  readonly words: readonly string[];
  /** Undefined where the person doesn't know. */
  readonly zone: string | undefined;
  readonly log: "rehearsal" | "real";
}

/** Tables that may lack a mapping file. */
const TABLE = /\.(?:csv|tsv|xlsx|ods)$/i;

/** The exit code of a source that can't be read. */
const UNREADABLE = 5;

/** The exit code of `inspect` when some records of a source can't be used. */
const SOME_REJECTED = 3;

/** Asks for the data and begins with it. @returns the exit code of the last command, or BACK */
export async function carryData(carrying: Carrying): Promise<number | typeof BACK> {
  const { ask } = carrying;
  let failed: number | undefined;
  const wanted = await askInOrder<Wanted>([
    {
      ask: async () => {
        for (;;) {
          const sources = await chooseSources(carrying);
          if (sources === BACK) return BACK;
          const look = await lookInside(carrying, sources);
          if (look === BACK) continue;
          if (!isOver(look.code)) failed = look.code;
          return { sources, words: look.words };
        }
      },
    },
    { isAsked: () => failed === undefined, ask: () => askZone(carrying) },
    {
      isAsked: () => failed === undefined,
      ask: async () => {
        const log = await ask.choose<Wanted["log"]>("Where should it go first?", [
          { value: "rehearsal", label: "Into a private log on this computer", hint: "your real log is not touched" },
          { value: "real", label: "Into my real log", hint: "you see the plan before anything is written" },
        ]);
        return log === BACK ? BACK : { log };
      },
    },
  ]);
  if (failed !== undefined || wanted === BACK) return failed ?? BACK;
  return await begin(carrying, wanted);
}

/** Goes on where a person stopped. @returns the exit code of the last command, or BACK */
export async function goOn(carrying: Carrying, next: Next): Promise<number | typeof BACK> {
  const taken = await takeNext(carrying, next);
  return taken === BACK || !isOver(taken.code) ? codeOf(taken) : await follow(carrying, taken.kind, taken.code);
}

async function begin(carrying: Carrying, { sources = [], words: said = [], zone, log }: Partial<Wanted>) {
  const words = [...sources, ...said, ...(zone === undefined ? [] : ["--zone", zone])];
  if (log === "rehearsal") {
    const code = await take(carrying, REHEARSE, { words: ["rehearse", ...words] });
    return isOver(code) ? await follow(carrying, "rehearse", code) : code;
  }
  const { isLoggedIn } = await carrying.standing();
  const failed = await ensureLogin(carrying, isLoggedIn);
  if (failed !== undefined) return failed;
  const does = "First the plan. Nothing is changed in your log.";
  const code = await take(carrying, does, { words: ["plan", ...words] });
  return isOver(code) ? await follow(carrying, "plan", code) : code;
}

/** Takes one step after the other, until nothing is left, a step fails, or a step left everything as it was. */
async function follow(carrying: Carrying, done: string, code: number): Promise<number | typeof BACK> {
  const { ask } = carrying;
  let last = { done, code };
  for (;;) {
    const { next } = await carrying.standing();
    if (next === undefined) {
      if (last.done === "certify")
        ask.say("All steps are done. The certificate says whether you can close the old account.");
      return last.code;
    }
    // After decisions in its pages, a rehearsal is followed by another one.
    const isDecided = next.kind === "rehearse" && next.isDecided === true;
    if (next.kind === last.done && !isDecided) {
      if (next.kind !== "certify") ask.say("It isn't done yet. Type logferry to go on from here.");
      return last.code;
    }
    const taken = await takeNext(carrying, next, isDecided && next.kind === last.done);
    if (taken === BACK) {
      ask.say("Type logferry to go on from here.");
      return last.code;
    }
    if (!isOver(taken.code)) return taken.code;
    last = { done: taken.kind, code: taken.code };
  }
}

const REHEARSE = "Now the rehearsal. Your real log is not touched. Look at its pages, then press Ctrl-C here.";

/** What each step is, and what a person is asked before it. */
const STEPS: Readonly<
  Record<Exclude<Next["kind"], "rehearse">, { readonly does: string; readonly question: string; readonly yes: string }>
> = {
  promote: {
    does: "It says what it costs and asks once more before it writes.",
    question: "You rehearsed OF. Is everything as it should be?",
    yes: "Yes, do the same in my real log",
  },
  apply: {
    does: "Now the plan is carried out. After a stop it goes on where it was.",
    question: "You planned OF. Carry it into your real log now?",
    yes: "Yes, do what was planned",
  },
  verify: {
    does: "Everything is read back and compared. Nothing is changed.",
    question: "OF is in your log. Read everything back and compare it?",
    yes: "Yes, check it",
  },
  certify: {
    does: "A page and a signed file say what became of every record.",
    question: "OF was checked. Write a certificate: can the old account be closed?",
    yes: "Yes, write it",
  },
};

/** A step that was taken. */
interface Taken {
  readonly kind: Next["kind"];
  readonly code: number;
}

/** Asks for the next step, and takes it. @param asks whether a rehearsal is asked for, too */
async function takeNext(carrying: Carrying, next: Next, asks = false): Promise<Taken | typeof BACK> {
  const { ask } = carrying;
  if (next.kind === "rehearse") {
    ask.say(next.why);
    if (asks && (await ask.choose("Rehearse once more now?", ONCE_MORE)) !== true) return BACK;
    return { kind: "rehearse", code: await take(carrying, REHEARSE, { words: next.words }) };
  }
  const { does, question, yes } = STEPS[next.kind];
  const wanted = await ask.choose<"do" | "again" | "no">(questionOf(next, question), [
    ...(next.again === undefined
      ? []
      : [
          {
            value: "again" as const,
            label: "Rehearse once more, to look at it and decide",
            hint: 'the page "To decide"',
          },
        ]),
    { value: "do", label: yes },
    { value: "no", label: "Not now" },
  ]);
  if (wanted === "again" && next.again !== undefined)
    return { kind: "rehearse", code: await take(carrying, REHEARSE, { words: next.again }) };
  if (wanted !== "do") return BACK;
  const { isLoggedIn } = await carrying.standing();
  const failed = await ensureLogin(carrying, isLoggedIn);
  if (failed === BACK) return BACK;
  const code = failed ?? (await take(carrying, does, { words: wordsOf(next.kind, carrying.home) }));
  return { kind: next.kind, code };
}

const ONCE_MORE = [
  { value: true, label: "Yes" },
  { value: false, label: "Not now" },
] as const;

function questionOf({ of, again }: Exclude<Next, { readonly kind: "rehearse" }>, question: string): string {
  return again === undefined
    ? question.replace("OF", of)
    : `You rehearsed ${of}. Some records need a look: rejected ones stay out, and doubtful ones go in as you saw them. How shall it go on?`;
}

function codeOf(taken: Taken | typeof BACK): number | typeof BACK {
  return taken === BACK ? BACK : taken.code;
}

function wordsOf(kind: Next["kind"], home: string): readonly string[] {
  return kind === "certify" ? [kind, join(home, CERTIFICATE)] : [kind];
}

/** The exit code of inspect at last, and the options that it needed. */
interface LookedInside {
  readonly code: number;
  readonly words: readonly string[];
}

/** Runs inspect. Where a table doesn't say its unit or the order of its dates, a person is asked. */
async function lookInside(carrying: Carrying, sources: readonly string[]): Promise<LookedInside | typeof BACK> {
  const code = await take(carrying, "First a look inside. Nothing is changed.", { words: ["inspect", ...sources] });
  const words = code === SOME_REJECTED || code === UNREADABLE ? await askWords(carrying, sources) : [];
  if (words === BACK) return BACK;
  if (words.length > 0) {
    const step = { words: ["inspect", ...sources, ...words] };
    return { code: await take(carrying, "Once more a look inside.", step), words };
  }
  return { code: await withMappingFile(carrying, sources, code), words };
}

/** Makes a mapping file for a table that can't be read, if the person wants it. @returns the exit code of the last look inside */
async function withMappingFile(carrying: Carrying, sources: readonly string[], code: number): Promise<number> {
  const step = { words: ["inspect", ...sources] };
  const table = sources.find((source) => TABLE.test(source));
  if (code !== UNREADABLE || table === undefined) return code;
  const isWanted = await carrying.ask.choose(
    "A spreadsheet needs a mapping file, which explains its columns. Make one?",
    [
      { value: true, label: "Yes, look at the columns and ask me about the unclear ones" },
      { value: false, label: "No" },
    ],
  );
  if (isWanted !== true) return code;
  const made = await take(carrying, "Now the mapping file.", { words: ["map", "infer", table] });
  return isOver(made) ? await take(carrying, "Once more a look inside.", step) : made;
}

async function askZone({ ask, zone: own }: Carrying): Promise<Partial<Wanted> | typeof BACK> {
  const question = "Some workouts name neither a time zone nor a place. Where were you then?";
  const pick = await ask.choose<"own" | "other" | "none">(question, [
    { value: "own", label: "In the time zone of this computer", hint: own },
    { value: "other", label: "In another time zone" },
    { value: "none", label: "I don't know", hint: "the plan says which workouts it matters for" },
  ]);
  if (pick === BACK) return BACK;
  if (pick !== "other") return { zone: pick === "own" ? own : undefined };
  const typed = await ask.type({ question: "Which time zone?", usual: own, problem: wrongZone });
  return typed === BACK ? await askZone({ ask, zone: own } as Carrying) : { zone: typed };
}

function wrongZone(text: string): string | undefined {
  if (isZone(text)) return undefined;
  return `There is no such time zone: expected a name such as Europe/Vienna${suggestZone(text)}`;
}
