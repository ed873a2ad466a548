import { existsSync } from "node:fs";
import { ItemError } from "../../connectors/errors.ts";
import type { JournalReader, Line } from "../../pipelines/journal/journal.ts";
import { shortId } from "../../pipelines/journal/short-id.ts";
import { recordsNamed, reference, type Story, storyOf } from "../../pipelines/review/explain.ts";
import { differencesBetween } from "../../pipelines/review/undo.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { Command, CommandContext } from "../arguments/command.ts";
import { type ExitName, UsageError } from "../errors/exit-codes.ts";
import { type NowInLog, printStory } from "../print-story.ts";
import { journalPath, openOwnJournalToRead, openSession, SESSION_OPTIONS } from "../session/session.ts";
import { count, span } from "../terminal/output.ts";

/** How many records are listed when the words name several. */
const SHOWN = 20;

/** `logferry explain`: the chain of custody of one record. */
export const explain: Command = {
  name: "explain",
  summary: "tell all that is known of one record: where it lies, what was decided, sent and answered",
  details: [
    "Names a record by its day (2019-05-04), its place (`log.csv:212`, `log.csv line 212`), its file, the id that other commands show, its key, or the id it has in the log; and tells its story: what was read, with the units of the source; how its local time and activity came about; which other workouts of that day it was held against, and what told them apart; what every run decided, sent, and got back; what was merged with it, and what the log can't hold of it.",
    "All of it is from the journal, without asking the log; --check reads the record as it stands there now, and says what was edited since. When the words name several records, they are listed: name one by its id.",
  ],
  positional: { name: "record", help: "a day, a place, a file, an id or a key", atLeast: 1 },
  options: ["check", ...SESSION_OPTIONS],
  examples: [
    { line: "logferry explain 2019-05-04", does: "what became of that day's run" },
    {
      line: "logferry explain log.csv:212 --check",
      does: "of line 212 of the spreadsheet, and how it stands in the log now",
    },
  ],
  async run(context) {
    const { options, output } = context;
    const path = journalPath(options);
    if (!existsSync(path)) {
      output.conclude(`No run yet: there is no journal ${path}. Begin with: logferry plan SOURCE`);
      return "done";
    }
    if (options.check !== true) {
      const journal = await openOwnJournalToRead(options);
      try {
        return await explainFrom(context, journal, async () => undefined);
      } finally {
        await journal.close();
      }
    }
    const session = await openSession(context);
    try {
      const { journal, sink } = session;
      return await explainFrom(context, journal, async ({ placed }) => {
        if (placed === undefined) return undefined;
        try {
          const now = await sink.read(placed.kind, placed.remoteId, context.signal);
          const sent = placed.sent as Readonly<Record<string, unknown>> | undefined;
          // Of a record the log made itself nothing says what was sent.
          return { isThere: true, differences: sent === undefined ? [] : editsSince(sent, now) };
        } catch (error) {
          if (error instanceof ItemError) return { isThere: false, differences: [] };
          throw error;
        }
      });
    } finally {
      await session.close();
    }
  },
};

/** What differs of the fields that were sent: the others are the log's own, or were there before. */
function editsSince(sent: Readonly<Record<string, unknown>>, now: Readonly<Record<string, unknown>>) {
  return differencesBetween(sent, now).filter(({ expected }) => expected !== undefined);
}

async function explainFrom(
  { output, arguments: words }: CommandContext,
  journal: JournalReader,
  check: (story: Story) => Promise<NowInLog | undefined>,
): Promise<ExitName> {
  const name = words.join(" ");
  const lines = await recordsNamed(journal, name);
  const [line] = lines;
  if (line === undefined) {
    throw new UsageError(
      `Cannot find ${JSON.stringify(printable(name, 80))} in the journal: name a day (2019-05-04), a place (log.csv:212), a file, or an id`,
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
    output.conclude("Name one of them: logferry explain ID");
    return "done";
  }
  const story = await storyOf(journal, line.key);
  if (story === undefined) throw new Error(`Cannot explain ${line.key}: no run has it`);
  const whole = story.goesOnAs === undefined ? undefined : await storyOf(journal, story.goesOnAs.key);
  const now = await check(whole ?? story);
  printStory(output, story, whole, now);
  return "done";
}

/** `workout 2019-05-04 07:00 run, 10 km, 50 min`. */
export function title(line: Line): string {
  const { kind, value } = line;
  if (kind === "set-aside") return `set aside: ${line.reason ?? ""}`;
  if (value === undefined) return kind;
  if (kind !== "workout") {
    const named = value as { name?: string; brandName?: string; modelName?: string };
    return `${kind} ${[named.name, named.brandName, named.modelName].filter((part) => part !== undefined).join(" ")}`;
  }
  const { start, activity, distance, duration } = value as Workout;
  const parts = [
    [activity, start.date, start.time?.slice(0, 5)].filter((part) => part !== undefined).join(" "),
    distance === undefined ? undefined : `${distance.value} ${distance.unit}`,
    duration === undefined ? undefined : span(duration),
  ];
  return `${parts.filter((part) => part !== undefined).join(", ")} (${line.state})`;
}

function dayOf(line: Line): string | undefined {
  return line.kind === "workout" ? (line.value as Workout | undefined)?.start.date : undefined;
}
