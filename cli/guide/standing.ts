/** Where a person stopped: what the rehearsal and the journal say comes next. It only reads. */
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isShortened, nameOfSource } from "../../connectors/containers/address.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import type { OptionValues } from "../arguments/options.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { credentialsPath, readLogin } from "../login/credentials.ts";
import { JOURNAL_FILE, type KeptRehearsal, readKept, rehearsalFolder } from "../rehearsal/kept.ts";
import { openRehearsed } from "../rehearsal/rehearsed.ts";
import { journalPath, openOwnJournalToRead } from "../session/own-journal.ts";
import { optionWords } from "./steps.ts";

/** The step that comes next. */
export type Next =
  | {
      readonly kind: "rehearse";
      readonly words: readonly string[];
      readonly of: string;
      readonly why: string /** True after decisions, whose result nobody has seen. */;
      readonly isDecided?: true;
    }
  | {
      readonly kind: "promote" | "apply" | "verify" | "certify";
      readonly of: string;
      /** For a rehearsal with something to look at: the words that rehearse once more. */
      readonly again?: readonly string[];
    };

/** The name of a certificate, in the person's home folder. */
export const CERTIFICATE = "logferry-certificate.json";

/** Where a person stands. */
export interface Standing {
  /** Undefined where nothing was begun, or everything is done. */
  readonly next: Next | undefined;
  /** Whether there is a journal, so that `logferry status` has something to show. */
  readonly hasJournal: boolean;
  /** Whether a login is there, stored or in the settings. */
  readonly isLoggedIn: boolean;
  /** The repository of the settings. */
  readonly repository: string | undefined;
}

/** The settings of a person, and where the guide was started. */
export interface StandingOptions {
  readonly options: OptionValues & { readonly profile: string };
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folders where a certificate may be. */
  readonly folders: readonly string[];
}

/** Reads where a person stands. */
export async function readStanding({ options, environment, folders }: StandingOptions): Promise<Standing> {
  const { url, tokenFile, tokenCommand, repository } = options;
  const isGiven = (tokenFile ?? tokenCommand ?? environment.LOGFERRY_TOKEN ?? "") !== "" && url !== undefined;
  const hasJournal = existsSync(journalPath(options));
  const run = hasJournal ? await readRun(options) : undefined;
  const rehearsal = await readRehearsal({ options });
  return {
    next: run === undefined || isNewer(rehearsal, run.run) ? rehearsal?.next : await nextOf(run, folders),
    hasJournal,
    isLoggedIn: isGiven || (await readLogin(credentialsPath(options.profile))) !== undefined,
    repository,
  };
}

/** The last run of the journal. */
interface LastRun {
  readonly run: Run;
  readonly verifiedAt: number | undefined;
}

async function readRun(options: StandingOptions["options"]): Promise<LastRun | undefined> {
  await using journal = await openOwnJournalToRead(options);
  const run = await journal.run();
  return run && { run, verifiedAt: (await journal.verified(run.id))?.at };
}

/** The rehearsal, and what comes after it while no run of the real log is newer. */
interface Rehearsal {
  readonly next: Next | undefined;
  readonly at: number;
}

async function readRehearsal({ options }: Pick<StandingOptions, "options">): Promise<Rehearsal | undefined> {
  const folder = rehearsalFolder({ options });
  const kept = await readKept(folder);
  if (kept === undefined) return undefined;
  const { mtimeMs: at } = await stat(join(folder, "rehearsed.json"));
  const of = namesIn(kept.sources);
  if (kept.sources.some((source) => !source.startsWith("@") && isShortened(source))) return { at, next: undefined };
  const words = wordsAgain(kept);
  const isWhole = kept.exit === "done" || kept.exit === "setAside" || kept.exit === "differs";
  if (!isWhole || !existsSync(join(folder, JOURNAL_FILE)))
    return { at, next: { kind: "rehearse", words, of, why: "The rehearsal stopped before its end." } };
  try {
    await using _rehearsed = await openRehearsed(folder);
    return { at, next: { kind: "promote", of, ...(kept.exit !== "done" && { again: words }) } };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { at, next: { kind: "rehearse", words, of, why: CHANGED, isDecided: true } };
  }
}

const CHANGED = "You decided something after the rehearsal, so it is done once more, and you see the result.";

function wordsAgain({ sources, options }: KeptRehearsal): readonly string[] {
  return ["rehearse", ...sources, ...optionWords(options)];
}

/** Whether the rehearsal comes after the last run. The run of its own promotion is newer than it. */
function isNewer(rehearsal: Rehearsal | undefined, run: Run): boolean {
  return rehearsal !== undefined && rehearsal.at > run.createdAt;
}

async function nextOf({ run, verifiedAt }: LastRun, folders: readonly string[]): Promise<Next | undefined> {
  // A run has a source for each export in a folder. The person named the folder, and a rehearsal keeps what was named.
  const { promotes } = run.options;
  const named = promotes === undefined ? undefined : (await readKept(promotes.folder))?.sources;
  const of = namesIn(named ?? run.sources.map(({ path }) => path));
  if (run.state === "planning" || run.state === "superseded") return undefined;
  if (run.state !== "finished") return { kind: run.options.promotes === undefined ? "apply" : "promote", of };
  if (verifiedAt === undefined) return { kind: "verify", of };
  const paths = folders.map((folder) => join(folder, CERTIFICATE));
  const states = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return states.some((state) => state !== undefined && state.mtimeMs >= run.createdAt)
    ? undefined
    : { kind: "certify", of };
}

/** `export_123.zip and 2 more`. */
function namesIn(sources: readonly string[]): string {
  const [first = "", ...others] = sources;
  const name = first.startsWith("@") ? "a link" : basename(nameOfSource(first));
  return others.length === 0 ? name : `${name} and ${others.length} more`;
}
