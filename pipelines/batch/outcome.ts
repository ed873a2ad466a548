/**
 * What became of an athlete: how they stand in a word, and for the coach why. Remembered between two batches, in a file an athlete, so
 * that the next one goes on where each stood, and asks nothing for those who are done.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, TEMPORARY, writeWhole } from "../../connectors/repository/files.ts";
import type { Ledger } from "../journal/summary.ts";

/** How an athlete stands, in the words of the table below. */
export type Standing = keyof typeof STANDINGS;

/** Every standing: in a word, in a sentence for the coach, and whether somebody has to look. */
export const STANDINGS = {
  verified: { word: "verified", means: "everything is in the log and was read back", isGood: true },
  loaded: { word: "loaded", means: "everything is in the log; nothing was read back", isGood: true },
  partly: { word: "partly", means: "done, with records set aside, refused or not sent", isGood: false },
  differs: { word: "differs", means: "what was read back is not all as planned", isGood: false },
  unbegun: { word: "not begun", means: "not looked at yet", isGood: false },
  ready: { word: "ready", means: "planned, and not begun", isGood: true },
  stopped: { word: "stopped", means: "stopped early; the same command goes on", isGood: false },
  held: { word: "held", means: "something contradicts that this is the athlete's: nothing was written", isGood: false },
  login: { word: "login", means: "the log can't be opened with this token: log in again", isGood: false },
  source: { word: "source", means: "an archive can't be read", isGood: false },
  service: { word: "service", means: "the log's service refused, or didn't answer as it should", isGood: false },
  locked: { word: "locked", means: "another run works on this log", isGood: false },
  setup: { word: "setup", means: "a setting of the athlete can't be used", isGood: false },
  bug: { word: "bug", means: "a bug in logferry: please report it", isGood: false },
} as const satisfies Record<string, { readonly word: string; readonly means: string; readonly isGood: boolean }>;

/** What a plan costs. */
export interface PlannedCost {
  readonly requests: number;
  /** At the athlete's own pace; undefined where there is none. */
  readonly seconds?: number;
}

/** An athlete's outcome. It holds no token, and nothing of any other athlete. */
export interface Outcome {
  /** As the roster says it. */
  readonly athlete: string;
  readonly standing: Standing;
  /** For the coach: what was met, and what to do. */
  readonly why?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The log, where it was opened. */
  readonly log?: { readonly url: string; readonly account: string };
  /** The journal that holds the run. */
  readonly journal?: string;
  readonly run?: number;
  readonly ledger?: Ledger;
  readonly cost?: PlannedCost;
  /** Records read back, where they were. */
  readonly checked?: number;
  /** Requests that left for this athlete, the preflight included. */
  readonly requests: number;
  /** What it was done with: archives, options. Another mark, and it is done anew. */
  readonly mark: string;
  /** Marks of whose log it is meant for: the athlete is known again by them when the roster calls them otherwise. */
  readonly knownBy?: readonly string[];
}

/** Whether everything of an athlete is in the log. */
export function isDone({ standing }: Pick<Outcome, "standing">): boolean {
  return standing === "verified" || standing === "loaded";
}

/** Whether an outcome ended what there was to do, also where something was left to look at. */
export function isOver({ standing }: Pick<Outcome, "standing">): boolean {
  return isDone({ standing }) || standing === "partly" || standing === "differs";
}

/** Remembers an outcome. */
export async function keepOutcome(folder: string, key: string, outcome: Outcome): Promise<void> {
  await makeFolder(join(folder, TEMPORARY));
  await writeWhole(folder, fileOf(key), Buffer.from(`${JSON.stringify(outcome, null, 2)}\n`));
}

/** The last outcome of an athlete; undefined where there is none that can be used: then everything is looked at anew. */
export async function readOutcome(folder: string, key: string): Promise<Outcome | undefined> {
  try {
    const read = JSON.parse(await readFile(join(folder, fileOf(key)), "utf8")) as Partial<Outcome>;
    const isWhole =
      typeof read.athlete === "string" &&
      typeof read.mark === "string" &&
      typeof read.at === "number" &&
      read.standing !== undefined &&
      read.standing in STANDINGS;
    return isWhole ? ({ requests: 0, ...read } as Outcome) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function fileOf(key: string): string {
  return `${key}.json`;
}
