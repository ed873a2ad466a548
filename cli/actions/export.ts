import { choose } from "../../connectors/exports/choose.ts";
import { type ExportFormat, FORMAT_NAMES } from "../../connectors/exports/formats.ts";
import { type ExportContext, exportLog } from "../../pipelines/export/export.ts";
import { ACTIVITY_NAMES, type Activity } from "../../transforms/activities.ts";
import { describeIssue } from "../../transforms/model/issue.ts";
import type { CommandContext } from "../arguments/command.ts";
import { NOTHING_READ } from "../arguments/stop-lines.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { cannotUse, isOfSystem } from "../errors/system-errors.ts";
import { openLogView } from "../session/session.ts";
import { count } from "../terminal/output.ts";
import { parseList, unknownValue } from "../wording/lists.ts";
import { firstDay, lastDay } from "../wording/periods.ts";

/** `logferry export`: writes the whole log as files. */
export async function act(context: CommandContext): Promise<ExitName> {
  const { options, output, signal, now } = context;
  // An empty name comes from an unset variable in a script. It would mean the folder where the command was started.
  if (options.out === undefined || options.out === "")
    throw new UsageError("Cannot export: say where to, with --out FOLDER");
  const chosen = chosenBy(context);
  await using log = await openLogView(context);
  const { connection } = log;
  try {
    const result = await exportLog({
      ...chosen,
      connection,
      folder: options.out,
      replace: options.replace === true,
      rawCsv: options.rawCsv === true,
      gzip: options.gzip === true,
      now,
      signal,
      onIssue: (issue) => output.remark(describeIssue(issue)),
      onProgress: (done) => output.progress({ phase: "reading the log", done, waiting: connection.pacing.waiting() }),
    });
    output.endProgress();
    for (const file of result.files) {
      output.emit("file", { ...file });
      output.say(`  ${file.path}: ${count(file.records)}`);
    }
    if (result.contradicting.length > 0) {
      output.conclude(
        `The list of ${result.contradicting.join(" and of ")} contradicts itself: it changed, or named a record twice, each time it was read. ${result.folder} holds what was read, and may lack records. Run this again when nothing writes to the log.`,
      );
      return "stopped";
    }
    if (result.records === 0 && signal.aborted) {
      output.conclude(NOTHING_READ);
      return "stopped";
    }
    if (!result.isComplete) {
      output.conclude(`Stopped early: ${result.folder} holds a part of the log.`);
      return "stopped";
    }
    const missing = result.passedOver === 0 ? "" : `; ${count(result.passedOver)} were listed and could not be read`;
    output.conclude(`Exported ${count(result.records)} records${missing}.`);
    return result.passedOver === 0 ? "done" : "setAside";
  } catch (error) {
    throw isOfSystem(error) ? cannotUse(options.out, error, "export/disk-full") : error;
  }
}

/** The choice that the options make. @throws UsageError with a word that has no meaning, and the word that the person probably meant */
function chosenBy({ options, tables }: CommandContext): Pick<ExportContext, "formats" | "choice" | "workouts"> {
  const formats = parseList(options.format) ?? ["csv", "json"];
  const odd = formats.find((word) => !(FORMAT_NAMES as readonly string[]).includes(word));
  if (odd !== undefined) throw unknownValue("format", odd, FORMAT_NAMES);
  const [kinds, fields] = [parseList(options.kind), parseList(options.fields)];
  const choice = choose(kinds, fields);
  if ("unknown" in choice) {
    const isKind = kinds?.includes(choice.unknown) === true && fields?.includes(choice.unknown) !== true;
    throw unknownValue(isKind ? "kind" : "fields", choice.unknown, choice.known);
  }
  const only = parseList(options.only)?.map((word) => activityID(word, tables.activityIDs));
  return {
    formats: [...new Set(formats)] as ExportFormat[],
    choice,
    workouts: {
      since: firstDay(options.since),
      until: lastDay(options.until),
      activityIDs: only === undefined ? undefined : new Set(only),
    },
  };
}

function activityID(word: string, numbers: Readonly<Partial<Record<Activity, number>>>): number {
  if (/^\d{1,9}$/.test(word)) return Number(word);
  const name = word.toLowerCase() as Activity;
  if (!ACTIVITY_NAMES.includes(name)) throw unknownValue("only", word, ACTIVITY_NAMES);
  const number = numbers[name];
  if (number !== undefined) return number;
  throw new UsageError(
    `Cannot use --only ${word}: say its number in your log, with --activity ${word}=NUMBER, or "activities" in the config file`,
  );
}
