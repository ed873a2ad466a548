/** Issues a certificate: reads every record of a run back from the log, puts each record of the sources into its class, and sums up. */
import { createHash } from "node:crypto";
import { defined } from "../../transforms/model/defined.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { Journal } from "../journal/journal.ts";
import { dayOf, type Line, type RecordLine } from "../journal/line.ts";
import { importAgain } from "../journal/options-again.ts";
import type { Run } from "../journal/run.ts";
import { shortId } from "../journal/short-id.ts";
import { madeByUndone } from "../journal/undone-run.ts";
import { isGone } from "../log/describe-difference.ts";
import { RemoteIds } from "../plan/compare/references.ts";
import { createEncoder } from "../plan/log/encode.ts";
import { surplusOf } from "../plan/records/last-look.ts";
import { runsOfOtherSources } from "../plan/records/open-lines.ts";
import { createReport } from "../report/report.ts";
import { inventoryOf, type SourceChanges } from "../sources/inventory.ts";
import { keepVerification } from "../verify/keep.ts";
import { LeftAlone, NotAddedTally } from "../verify/not-in-log.ts";
import { type Compared, differencesOf, type Verification, type VerifyContext, verify } from "../verify/verify.ts";
import { readAcceptance, settleVerdict } from "./answer.ts";
import { CLASS_NAMES, CLASSES, type ClassName, classOfOther, classOfRead, type Found } from "./classes.ts";
import { hashRecord } from "./record-hash.ts";
import type { Certificate, CertifiedRecord, Level, OtherRun, SourceInventory } from "./schema.ts";
import { readSettled } from "./settled.ts";

/** What issuing a certificate needs. */
export interface IssueContext extends Omit<VerifyContext, "onRead"> {
  readonly journal: Journal;
  readonly now: () => number;
  /** The version of logferry. */
  readonly version: string;
  readonly sinceThen: SourceChanges;
  /** Finds the last level, whether a backup of these records was restored. It is asked once all of them were written. */
  readonly restored: () => Promise<Level>;
  /** Takes the records one by one, in no order. */
  readonly write: (record: CertifiedRecord) => Promise<void>;
}

/**
 * Issues the certificate of a run. It is a new verification, too, and the run keeps it.
 *
 * @returns undefined when a person stopped it
 * @throws the errors of reading the log
 */
export async function issueCertificate(run: Run, context: IssueContext): Promise<Certificate | undefined> {
  const { journal, now, version, signal } = context;
  const counts = new Map<ClassName, number>();
  const notAdded = new NotAddedTally();
  const write = async (record: CertifiedRecord) => {
    notAdded.add({ lacking: record.lacks ?? [], differing: record.keeps ?? [] });
    counts.set(record.class, (counts.get(record.class) ?? 0) + 1);
    await context.write(record);
  };
  const read = new Set<number>();
  const result = await verify(run, {
    ...context,
    onRead: async (line, { found, differences, edits, refused, beside }) => {
      read.add(line.seq);
      const isPutBack = await wasPutBack(journal, line);
      await write(readRecord(line, found, { list: differences, edits, beside, isPutBack }, refused));
    },
  });
  if (signal.aborted) return undefined;
  await keepVerification(journal, run, result, now());
  await writeOthers(run, read, context, write);
  const newestWorkout = await newestDay(run, journal);
  const report = await createReport(journal, (await journal.run(run.id)) ?? run, {
    now: now(),
    version,
    places: false,
    certificate: { changedFiles: context.sinceThen.changed },
  });
  const takenAt = await journal.inventoryTakenAt(run.id);
  const sources = await Promise.all(run.sources.map((_, index) => sourceInventory(run, journal, index)));
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const sentFrom = (await journal.sentBetween(run.id))?.from;
  const cutOff = cutOffOf(run, takenAt);
  const certificate: Certificate = {
    format: "logferry certificate",
    formatVersion: 1,
    issuedAt: report.writtenAt,
    issuedBy: version,
    run: report.run,
    log: report.log,
    verdict: { ...report.verdict, ...cutOff, ...defined({ newestWorkout }) },
    acceptance: await readAcceptance(run, journal),
    levels: [...levelsOf(report, result), await context.restored()],
    inventory: {
      ...(takenAt !== undefined && { takenAt: iso(takenAt) }),
      isBeforeFirstWrite: takenAt !== undefined && (sentFrom === undefined || takenAt <= sentFrom),
      sources,
      records: run.read,
    },
    classes: CLASS_NAMES.flatMap((name) => {
      const count = counts.get(name) ?? 0;
      return count === 0 ? [] : [{ class: name, means: CLASSES[name].means, count }];
    }),
    isBalanced: total === run.read,
    totals: report.totals,
    byYear: report.byYear,
    byMonth: report.byMonth,
    byActivity: report.byActivity,
    gear: result.gear,
    notAdded: notAdded.result(),
    losses: report.losses,
    ...defined({ otherCopies: report.otherCopies, assumedTimes: report.assumedTimes }),
    otherRuns: await Promise.all((await runsOfOtherSources(journal, run)).map((other) => otherRun(journal, other))),
    issues: report.issues,
    reasons: report.reasons,
    sinceThen: context.sinceThen,
  };
  return { ...certificate, verdict: settleVerdict(certificate, importAgain(run)) };
}

async function otherRun(journal: Journal, run: Run): Promise<OtherRun> {
  const { id, createdAt, sources, read } = run;
  const [undone, made] = [await journal.undone(id), await madeByUndone(journal, run)];
  const names = sources.map(({ name }) => name);
  return {
    run: id,
    at: iso(createdAt),
    sources: names,
    records: read,
    ...(undone > 0 && { undone }),
    ...(made > 0 && { madeByUndone: made }),
  };
}

/** Whether an undo put the log's record back, and no later run wrote it again. Such a record is as before the run, and not as the run's plan. */
async function wasPutBack({ auditTrail }: Journal, { run, seq, action }: RecordLine): Promise<boolean> {
  if (action !== "update") return false;
  const [written] = await auditTrail.overwritten(run, seq);
  return written?.putBackAt !== undefined && (await auditTrail.overwrittenSince(written)) === undefined;
}

/** The reason of a record that is as before its run. */
const PUT_BACK = "put back as it was before this run, by logferry undo";

/** A record beside its plan, and whether an undo put it back. */
interface ReadValues extends Pick<Compared, "list" | "edits" | "beside"> {
  readonly isPutBack?: boolean;
}

function readRecord(
  line: RecordLine,
  found: Readonly<Record<string, unknown>> | undefined,
  { list = [], edits, beside, isPutBack = false }: ReadValues,
  refused: string | undefined,
): CertifiedRecord {
  const state: Found =
    refused !== undefined
      ? "unread"
      : found === undefined || list.some(isGone)
        ? "missing"
        : list.length > 0
          ? "differs"
          : edits.length > 0
            ? "edited"
            : isPutBack
              ? "undone"
              : "asPlanned";
  return {
    ...commonOf(line, classOfRead(line, state)),
    ...defined({ why: refused ?? (state === "undone" ? PUT_BACK : line.reason), logId: line.remoteId }),
    ...(found !== undefined && hashRecord(found)),
    ...((state === "differs" || state === "edited") && { differs: [...list, ...edits].map(({ field }) => field) }),
    ...(beside !== undefined && beside.lacking.length > 0 && { lacks: beside.lacking }),
    ...(beside !== undefined && beside.differing.length > 0 && { keeps: beside.differing }),
  };
}

/** The records that this run did not bring in. */
async function writeOthers(
  run: Run,
  read: ReadonlySet<number>,
  context: IssueContext,
  write: (record: CertifiedRecord) => Promise<void>,
): Promise<void> {
  const { journal } = context;
  const settled = await readSettled(journal, run);
  for await (const line of journal.lines(run.id, {})) {
    if (read.has(line.seq)) continue;
    const fate = await settled.fateOf(line);
    const why = defined({ why: line.reason, twin: line.duplicateOf });
    if (fate.is === "again") {
      await write({ ...commonOf(line, classOfOther(fate.as)), ...defined({ why: fate.as.reason }) });
      continue;
    }
    if (fate.is !== "later") {
      const name = fate.is === "dropped" ? "dropped" : classOfOther(fate.as ?? line);
      await write({ ...commonOf(line, name), ...why, ...(fate.as && { why: copyOf(fate.as) }) });
      continue;
    }
    const later = fate.line && (await journal.run(fate.line.run));
    await write(
      fate.line === undefined || later === undefined
        ? { ...commonOf(line, "missing"), ...why }
        : { ...(await laterRecord(fate.line, later, context)), ...placeOf(line) },
    );
  }
}

/** The reason of a record whose duplicate stands for it, and is not in the log. */
function copyOf(kept: Line): string {
  return `one with ${describeOrigin(kept.origin)}, which is not in the log${kept.reason === undefined ? "" : `: ${kept.reason}`}`;
}

/** A record that a later run brought in, compared with the plan of that run. */
async function laterRecord(
  line: RecordLine,
  run: Run,
  { journal, sink, signal }: IssueContext,
): Promise<CertifiedRecord> {
  const aids = { leftAlone: new LeftAlone(journal), ids: new RemoteIds(journal) };
  const read = await differencesOf(line, run, { journal, sink, signal, ...aids, encode: createEncoder(run.options) });
  if ("refused" in read) return readRecord(line, undefined, { list: [], edits: [] }, read.refused);
  const record = readRecord(line, read.found, read, undefined);
  const isAsPlanned = record.class === "created" || record.class === "updated" || record.class === "unchanged";
  return isAsPlanned ? { ...record, class: "later" } : record;
}

/** Who a record is, and where it stands in the sources of the certified run. */
function placeOf(line: Line): Pick<CertifiedRecord, "id" | "key" | "origin"> {
  return { id: shortId(line.key), key: line.key, origin: { ...line.origin } };
}

function commonOf(line: Line, name: ClassName): CertifiedRecord {
  return {
    id: shortId(line.key),
    key: line.key,
    kind: line.kind,
    class: name,
    origin: { ...line.origin },
    ...defined({ source: line.content }),
  };
}

async function sourceInventory(run: Run, journal: Journal, index: number): Promise<SourceInventory> {
  const { name, connector, saw, changedAt } = run.sources[index] as Run["sources"][number];
  const all = createHash("sha256");
  const unread: { path: string; why: string }[] = [];
  let [files, bytes, unreadCount] = [0, 0, 0];
  for await (const file of inventoryOf(journal, run.id, index)) {
    all.update(`${file.path}\0${file.sha256 ?? ""}\n`);
    bytes += file.bytes ?? 0;
    if (file.path !== "") files++;
    if (file.unread === undefined) continue;
    unreadCount++;
    if (unread.length < 20) unread.push({ path: file.path === "" ? name : file.path, why: file.unread });
  }
  return {
    ...{ name, connector, saw, files, bytes },
    unread: { count: unreadCount, first: unread },
    sha256: all.digest("hex"),
    ...(changedAt !== undefined && { newestFile: iso(changedAt) }),
  };
}

/** The moment up to which the sources speak for the old account: their newest file, or the inventory if they don't say. */
function cutOffOf({ sources, createdAt }: Run, takenAt = createdAt) {
  const changes = sources.map(({ changedAt }) => changedAt);
  // The oldest of several exports decides: what came after it is in none of its files.
  const oldest = changes.some((at) => at === undefined) ? undefined : Math.min(...(changes as number[]));
  const isUsable = oldest !== undefined && oldest <= takenAt;
  return {
    cutOff: iso(isUsable ? oldest : Math.min(createdAt, takenAt)),
    cutOffFrom: isUsable ? ("newest file" as const) : ("inventory" as const),
  };
}

/** The day of the newest workout that was read. Workouts come newest first, and those without a day last. */
async function newestDay(run: Run, journal: Journal): Promise<string | undefined> {
  for await (const line of journal.lines(run.id, {})) {
    const day = dayOf(line);
    if (day !== undefined) return day;
  }
  return undefined;
}

type Verified = Verification & { readonly discrepancyCount: number };

function levelsOf({ look }: Awaited<ReturnType<typeof createReport>>, found: Verified): readonly Level[] {
  const { checked, present, missing, unread, discrepancyCount, edited, notAdded, doubled } = found;
  const compared = checked - present - missing;
  const values = discrepancyCount - missing;
  return [
    {
      level: "listed",
      isReached: look === undefined ? undefined : look.isSure && look.gone === 0,
      text:
        look === undefined
          ? "The log was not listed after the run."
          : look.isSure
            ? `The log was listed after the run: ${look.gone} records were missing, and ${Math.max(surplusOf(look), doubled)} were there twice.`
            : "The log's list was out of date or incomplete, and proves nothing.",
    },
    {
      level: "read again",
      isReached: missing === 0 && unread.count === 0,
      text: `${checked + unread.count} records were asked for by their ids: ${checked - missing} are there, ${missing} are not, and the log refused to show ${unread.count}.`,
    },
    {
      level: "compared",
      isReached: discrepancyCount === 0,
      text: `${compared} records were compared with the plan, field by field: ${values} have other values.${edited.count === 0 ? "" : ` ${edited.count} have values that were edited in the log and left so.`} ${present} were in the log before and belong to you. They were compared with the sources: ${notAdded.workouts} lack values.`,
    },
  ];
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
