/**
 * `--report FOLDER`: an overview for the coach, and a folder for each athlete with their report and their summary. The load matters more: a
 * file that can't be written is reported, and changes nothing else.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { TransferError } from "../../connectors/errors.ts";
import { summariseAthlete } from "../../pipelines/batch/athlete-summary.ts";
import { summaryPage, summaryText } from "../../pipelines/batch/athlete-summary-page.ts";
import type { Outcome } from "../../pipelines/batch/outcome.ts";
import { isDone } from "../../pipelines/batch/outcome.ts";
import {
  type BatchCertificate,
  OVERVIEW_MARK,
  type OverviewAthlete,
  overviewJson,
  overviewPage,
} from "../../pipelines/batch/overview.ts";
import { createReport } from "../../pipelines/report/report.ts";
import type { Report } from "../../pipelines/report/schema.ts";
import { ReportError, writeReport, writeWhole } from "../../pipelines/report/write.ts";
import { printable } from "../../transforms/text/printable.ts";
import { asSentence } from "../../transforms/text/sentence.ts";
import type { CommandContext } from "../arguments/command.ts";
import { isOfFleet } from "../arguments/journal-name.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { describeSystemError, isOfSystem, onSystemError } from "../errors/system-errors.ts";
import { asPrinted, withTypedOptions } from "../suggested-commands.ts";
import { packageVersion } from "../system/version.ts";
import { count } from "../terminal/output.ts";
import { causesAmong, openRecordsIn } from "./causes.ts";
import { whyOf } from "./print.ts";
import type { AthleteResult } from "./run.ts";
import type { BatchStore } from "./store.ts";

/**
 * The requested folder, which is created if it doesn't exist.
 *
 * @returns undefined without the option
 * @throws UsageError when there are two, it can't be created, or it contains something other than a batch's reports
 */
export async function checkedFolder({ options }: CommandContext): Promise<string | undefined> {
  const [folder, second] = options.report ?? [];
  if (folder === undefined) return undefined;
  if (second !== undefined) throw new UsageError("Cannot use --report twice: a batch writes one folder");
  const refuse = (problem: string) => new UsageError(`Cannot write reports to ${folder}: ${problem}`);
  const check = async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!(await stat(folder)).isDirectory()) throw refuse("it is not a folder");
    if ((await readdir(folder)).length === 0 || (await holdsOverview(folder))) return folder;
    throw refuse("something is in it that is no batch's. Name another folder, or an empty one");
  };
  return check().catch(onSystemError(refuse));
}

/** @param folder the result of `checkedFolder` @throws UsageError when certificates are asked for and have no place */
export function checkCertify({ certify }: CommandContext["options"], folder: string | undefined): void {
  if (certify === true && folder === undefined)
    throw new UsageError("Cannot use --certify without --report FOLDER: the certificates go beside the reports");
}

async function holdsOverview(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, "overview.json"), "utf8").catch(() => "");
  return text.startsWith(OVERVIEW_MARK);
}

/** The contents of the report. */
export interface BatchReport {
  readonly folder: string;
  readonly roster: string;
  readonly results: readonly AthleteResult[];
  readonly store: BatchStore;
  /** True for a plan. Nothing was loaded, so no athlete gets a summary. */
  readonly isPlan: boolean;
  /** Writes the certificate of an athlete into a folder; absent when none was asked for. */
  readonly certify?: ((result: AthleteResult, folder: string) => Promise<BatchCertificate | undefined>) | undefined;
}

/** Writes all of it, one athlete after the other. */
export async function writeBatch(
  context: CommandContext,
  { folder, roster, results, store, isPlan, certify }: BatchReport,
): Promise<void> {
  const { output, now } = context;
  const athletes: OverviewAthlete[] = [];
  const tried = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      // A journal that can't be read was already reported.
      if (!(error instanceof ReportError || error instanceof TransferError) && !isOfSystem(error)) throw error;
      const message = isOfSystem(error) ? `Cannot write to ${folder}: ${describeSystemError(error)}` : error.message;
      output.warn(`${message}. What was carried over is not touched by that.`);
      return false;
    }
  };
  const common = { roster: basename(roster), now: now(), version: packageVersion(), isPlan };
  await tried(() => claimFolder(folder, overviewJson({ ...common, athletes, causes: [] })));
  for (const result of results) {
    const { athlete, outcome, isOther } = result;
    const own = join(folder, "athletes", athlete.key);
    const files: { report?: string; summary?: string; certificate?: string } = {};
    if (isOther === true) {
      Object.assign(files, pagesIn(own, athlete.key));
      athletes.push({ outcome, why: isDone(outcome) ? undefined : whyOf({ athlete, outcome }), files });
      continue;
    }
    let report: Report | undefined;
    await tried(async () => void (await mkdir(own, { recursive: true, mode: 0o700 })));
    // The records of a held athlete may be somebody else's, so they stay out of this athlete's folder.
    const isReported =
      outcome.status !== "held" &&
      (await tried(async () => {
        report = await writeReports(context, outcome, own, store);
      }));
    if (isReported && report !== undefined) files.report = `athletes/${athlete.key}/report.html`;
    const isSummarised =
      !isPlan &&
      (await tried(async () => {
        const open = await openRecordsIn(outcome, store);
        const { status, log } = outcome;
        const summary = summariseAthlete({ athlete: athlete.name, status, url: log?.url, report, open });
        await writeWhole(join(own, "summary.html"), once(summaryPage(summary)));
        await writeWhole(join(own, "summary.txt"), once(summaryText(summary)));
      }));
    if (isSummarised) files.summary = `athletes/${athlete.key}/summary.html`;
    const certificate = isPlan ? undefined : await certify?.(result, own);
    if (certificate?.isWritten === true) files.certificate = `athletes/${athlete.key}/certificate.html`;
    athletes.push({
      outcome,
      ...(certificate !== undefined && { certificate }),
      why: isDone(outcome) || outcome.status === "ready" ? undefined : whyOf({ athlete, outcome }),
      files,
    });
  }
  if (certify !== undefined && !isPlan) sayCertificates(context, athletes);
  const causes = await causesAmong(results, roster, store);
  const facts = { ...common, athletes, causes, now: now() };
  const isDoneWell = await tried(async () => {
    await writeWhole(join(folder, "overview.json"), once(overviewJson(facts)));
    await writeWhole(join(folder, "overview.html"), once(overviewPage(facts)));
  });
  if (!isDoneWell) return;
  output.emit("report", { path: join(folder, "overview.html") });
  output.say(`Overview: ${join(folder, "overview.html")}`);
}

/** Makes a folder known as a batch's. Certificates may take hours, and the next batch goes on in the folder of one that was cut off. */
async function claimFolder(folder: string, overview: string): Promise<void> {
  const path = join(folder, "overview.json");
  if (!existsSync(path)) await writeWhole(path, once(overview));
}

/** The pages of an athlete that an earlier batch wrote, by their paths in the overview. */
function pagesIn(own: string, key: string): Readonly<Record<string, string>> {
  const names = ["report", "summary", "certificate"].filter((name) => existsSync(join(own, `${name}.html`)));
  return Object.fromEntries(names.map((name) => [name, `athletes/${key}/${name}.html`]));
}

/** Says what became of the certificates: how many were written, how many of them say yes, and whose don't. */
function sayCertificates({ output }: CommandContext, athletes: readonly OverviewAthlete[]): void {
  const asked = athletes.flatMap(({ outcome, certificate }) =>
    certificate === undefined ? [] : [{ name: outcome.athlete, ...certificate }],
  );
  const written = asked.filter(({ isWritten }) => isWritten === true).length;
  const canClose = asked.filter((one) => one.canClose).length;
  const others = athletes.length - asked.length;
  const rest =
    others === 0 ? "" : `; ${count(others)} got none this time, because they are not done or were not chosen`;
  const were = written === 1 ? "certificate was" : "certificates were";
  output.say(
    `${count(written)} ${were} written, and ${count(canClose)} ${canClose === 1 ? "says" : "say"} yes${rest}.`,
  );
  for (const { name, says, canClose: isYes } of asked)
    if (!isYes) output.remark(`${printable(name, 28)}: ${asSentence(says)}`);
}

/** Writes an athlete's own report into a folder, as a page and as JSON. @returns undefined if they have no run @throws ReportError */
export async function writeReports(
  context: CommandContext,
  { journal: path, run: id }: Outcome,
  folder: string,
  store: BatchStore,
): Promise<Report | undefined> {
  if (path === undefined || id === undefined) return undefined;
  const { now, options } = context;
  await using journal = await store.readJournal(path);
  const run = await journal.run(id);
  if (run === undefined) return undefined;
  const places = options.noPlaces !== true;
  // A fleet's journals have no profile, so each command of a report names its journal.
  const output = isOfFleet(path) ? withTypedOptions(context.output, { journal: path }) : context.output;
  const facts = await createReport(journal, run, { now: now(), version: packageVersion(), places });
  const report = asPrinted(facts, output);
  for (const name of ["report.html", "report.json"])
    await writeReport(journal, run, report, join(folder, name), output.completes);
  return report;
}

async function* once(text: string): AsyncIterable<string> {
  yield text;
}
