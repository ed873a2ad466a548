import { tryToRead } from "../../connectors/sink.ts";
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import { dayOf, type Line } from "../../pipelines/journal/line.ts";
import { shortId } from "../../pipelines/journal/short-id.ts";
import { differencesBetween } from "../../pipelines/log/compare-bodies.ts";
import { type RecordHistory, readHistory, recordsNamed, reference } from "../../pipelines/review/explain.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import { printable } from "../../transforms/text/printable.ts";
import { measureText } from "../../transforms/units.ts";
import type { CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { type NowInLog, printHistory } from "../printing/print-history.ts";
import { journalPath, mayBeJournal, openOwnJournalToRead } from "../session/own-journal.ts";
import { openSession } from "../session/session.ts";
import { count, span } from "../terminal/output.ts";

/** The number of records that are listed when the words name several. */
const SHOWN = 20;

/** `logferry explain`: the audit trail of one record. */
export async function act(context: CommandContext): Promise<ExitName> {
  const { options, output } = context;
  const path = journalPath(options);
  if (!mayBeJournal(path)) {
    output.conclude(`No run yet: there is no journal ${path}. Begin with: logferry plan SOURCE`);
    return "done";
  }
  if (options.check !== true) {
    await using journal = await openOwnJournalToRead(options);
    return await explainFrom(context, journal, async () => undefined);
  }
  await using session = await openSession(context);
  const { journal, sink } = session;
  return await explainFrom(context, journal, async ({ remoteRecord }) => {
    if (remoteRecord === undefined) return undefined;
    const { kind, remoteId } = remoteRecord;
    const result = await tryToRead(() => sink.read(kind, remoteId, context.signal));
    if ("refused" in result) return { isThere: undefined, differences: [], reason: result.refused };
    const sent = remoteRecord.sent as Readonly<Record<string, unknown>> | undefined;
    // If the log made the record itself, the sent values are unknown.
    const differences = sent === undefined || result.found === undefined ? [] : editsSince(sent, result.found);
    return { isThere: result.found !== undefined, differences };
  });
}

/** The differences in the fields that logferry sent. The other fields are the log's own, or existed before. */
function editsSince(sent: Readonly<Record<string, unknown>>, now: Readonly<Record<string, unknown>>) {
  return differencesBetween(sent, now).filter(({ expected }) => expected !== undefined);
}

async function explainFrom(
  { output, arguments: words }: CommandContext,
  journal: JournalReader,
  check: (history: RecordHistory) => Promise<NowInLog | undefined>,
): Promise<ExitName> {
  const name = words.join(" ");
  const lines = await recordsNamed(journal, name);
  const [line] = lines;
  if (line === undefined) {
    throw new UsageError(
      `Cannot find ${JSON.stringify(printable(name, 80))} in the journal: name a day (2019-05-04), a place (log.csv:212), a file, an id, or a whole key (strava:workout:1100600003)`,
    );
  }
  if (lines.length > 1) {
    for (const one of lines) {
      output.emit("match", { ...reference(one), kind: one.kind, state: one.state, date: dayOf(one) });
    }
    output.say(`${count(lines.length)} records are called so:`);
    for (const one of lines.slice(0, SHOWN))
      output.say(`  ${shortId(one.key)}  ${title(one)}  (${describeOrigin(one.origin)})`);
    if (lines.length > SHOWN) output.say(`  ... and ${count(lines.length - SHOWN)} more`);
    output.conclude(`Name one of them, such as the first: logferry explain ${shortId(line.key)}`);
    return "done";
  }
  const history = await readHistory(journal, line.key);
  if (history === undefined) throw new Error(`Cannot explain ${line.key}: no run has it`);
  const whole = history.goesOnAs === undefined ? undefined : await readHistory(journal, history.goesOnAs.key);
  const now = await check(whole ?? history);
  printHistory(output, history, whole, now);
  return "done";
}

/** `workout 2019-05-04 07:00 run, 10 km, 50 min`. */
export function title(line: Line): string {
  const { kind, value } = line;
  if (kind === "set-aside") return `rejected: ${line.reason ?? ""}`;
  if (kind === "course") return `${kind} ${value.name}`;
  if (kind === "equipment")
    return `${kind} ${[value.brandName, value.modelName].filter((part) => part !== undefined).join(" ")}`;
  const { start, activity, distance, duration } = value;
  const parts = [
    [activity, start.date, start.time?.slice(0, 5)].filter((part) => part !== undefined).join(" "),
    distance === undefined ? undefined : measureText(distance),
    duration === undefined ? undefined : span(duration),
  ];
  return `${parts.filter((part) => part !== undefined).join(", ")} (${line.state})`;
}
