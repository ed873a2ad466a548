/**
 * The causes of records that a batch did not load, over all athletes. Each cause appears once, with the one command that helps everybody.
 */
import { shellWord } from "../../transforms/text/shell.ts";
import { LOG_CHANGED } from "../load/check-assumptions.ts";
import { adviceFor } from "../plan/advice/advice.ts";
import { foundWord, type OpenRecord, type OpenState } from "./open-records.ts";

/** One cause. */
export interface Cause {
  readonly rule: string;
  readonly state: OpenState;
  /** `"Quidditch": logferry doesn't know this sport`. */
  readonly what: string;
  readonly records: number;
  /** Names, in the order of the roster. */
  readonly athletes: readonly string[];
  /** The remedy for all athletes: first the correction, then the command. */
  readonly remedy: string;
}

/** An athlete's open records. */
export interface AthleteRecords {
  readonly athlete: string;
  readonly records: readonly OpenRecord[];
}

/** If one rule has more different texts than this, the texts describe single records rather than causes. */
const MOST_TEXTS = 5;

/**
 * The causes, sorted by their records, the most first.
 *
 * @param roster its path, as the person typed it
 */
export function causesOf(all: readonly AthleteRecords[], roster: string): readonly Cause[] {
  const open = all.flatMap(({ athlete, records }) => records.map((record) => ({ athlete, record })));
  const groups = [...Map.groupBy(open, ({ record }) => `${record.state} ${record.rule}`).values()].flatMap((some) => {
    const byText = [...Map.groupBy(some, ({ record }) => textOf(record) ?? "").values()];
    return byText.length > MOST_TEXTS ? [some] : byText;
  });
  return groups
    .flatMap((some) => {
      const [first] = some;
      if (first === undefined) return [];
      const isOneText = some.every(({ record }) => textOf(record) === textOf(first.record));
      return [
        {
          rule: first.record.rule,
          state: first.record.state,
          what: whatOf(first.record, isOneText),
          records: some.length,
          athletes: [...new Set(some.map(({ athlete }) => athlete))],
          remedy: remedyFor(first.record, isOneText, roster),
        },
      ];
    })
    .toSorted((a, b) => b.records - a.records || (a.what < b.what ? -1 : 1));
}

/** Rules for which the value itself is the cause. */
const BY_VALUE: ReadonlySet<string> = new Set(["workout/unknown-sport", "workout/no-activity-id"]);

/** The text that distinguishes two causes of one rule; undefined if there is none. */
function textOf({ state, rule, found }: OpenRecord): string | undefined {
  // Each such reason names another record of the log.
  if (rule === LOG_CHANGED) return undefined;
  // A refusal may end with the id that the record has in the log. Without it, one cause is one line.
  if (state !== "quarantined")
    return found?.replace(/The log holds the record as [^\s,.]+/, "The log holds the record");
  return BY_VALUE.has(rule) ? found : undefined;
}

const STATE_WORDS: Readonly<Record<OpenState, string>> = {
  quarantined: "something about them can't be right",
  refused: "the log refused them",
  failed: "they could not be sent",
  "in-doubt": "the answer was lost, and nobody knows whether the log took them",
};

function whatOf(record: OpenRecord, isOneText: boolean): string {
  const { state, rule } = record;
  if (rule === LOG_CHANGED) return "they came into the log after the plan was made, and were not sent a second time";
  const text = isOneText ? textOf(record) : undefined;
  if (state === "quarantined") {
    const means = adviceFor(rule)?.means ?? STATE_WORDS.quarantined;
    return text === undefined ? means : `"${text}": ${means}`;
  }
  // After the rule comes the event: "Cannot save the workout: the service answered 400".
  const happened = text?.replace(/^[a-z-]+\/[\w-]+:? */, "").replace(/\. Once the cause is mended:.*$/, "") ?? "";
  return happened === "" ? STATE_WORDS[state] : `${STATE_WORDS[state]} (${happened})`;
}

function remedyFor(record: OpenRecord, isOneText: boolean, roster: string): string {
  const again = `logferry batch ${shellWord(roster)} --retry-failed`;
  const word = isOneText ? foundWord(record) : undefined;
  switch (record.rule) {
    case "workout/unknown-sport":
      return word === undefined
        ? `Say which activity each is, under "sports" in the config file. Then: ${again}`
        : `Say which activity it is: ${again} --sport ${shellWord(`${word}=ACTIVITY`)}`;
    case "workout/no-activity-id":
      return word === undefined
        ? `Say the numbers of the activities in the logs, under "activities" in the config file. Then: ${again}`
        : `Look its number up in a log, then: ${again} --activity ${shellWord(`${word}=NUMBER`)}`;
    case "workout/no-date":
      return `Name the zone they were in: ${again} --zone Europe/Vienna`;
    case LOG_CHANGED:
      return `Plan again: ${again}`;
    default:
      return record.state === "quarantined"
        ? `Mend it in the archives or their mapping files. Then: ${again}`
        : `Send them again: ${again}`;
  }
}
