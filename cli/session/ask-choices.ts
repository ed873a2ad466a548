/** Asks on a terminal what a table doesn't show: the unit of a column, the order of its dates, a person's own word for a sport. */
import type { ReadStream } from "node:tty";
import type { OpenChoice } from "../../pipelines/sources/propose-mapping.ts";
import { ACTIVITY_NAMES } from "../../transforms/activities.ts";
import type { CommandContext } from "../arguments/command.ts";
import { openLines } from "../terminal/ask-lines.ts";

/** How often logferry asks one question. After that the question stays open. */
const TRIES = 3;

/** A question with numbered answers. */
export interface Question {
  readonly place: string;
  readonly question: string;
  readonly why: string;
  readonly options: readonly { readonly value: string; readonly means: string }[];
  /** The answer of Enter alone; undefined if that leaves the question open. */
  readonly usual: string | undefined;
}

/** The question of an open choice. */
export function questionOf({ place, question, why, options, value, isUnproven }: OpenChoice): Question {
  return { place, question, why, options, usual: isUnproven ? undefined : value };
}

/** The question about a word for a sport. */
export function questionOfSport(word: string, rows: number): Question {
  return {
    ...{ place: `values.activity.${word}`, question: `Which sport is ${JSON.stringify(word)}?` },
    why: `${rows} ${rows === 1 ? "row has" : "rows have"} this word`,
    ...{ options: ACTIVITY_NAMES.map((value) => ({ value, means: value })), usual: undefined },
  };
}

/** Whether a person sits at a terminal and can be asked. */
export function canAsk({ input, output }: CommandContext): boolean {
  const isAtTerminal = (input as ReadStream).isTTY === true && process.stderr.isTTY === true;
  return isAtTerminal && !output.isJson && output.loudness !== "quiet";
}

/** Asks one question after the other. `next` gives each with the answers so far, because an answer may settle others. */
export async function askEach(
  { input, output, signal }: CommandContext,
  answers: Map<string, string>,
  next: (asked: ReadonlySet<string>) => Promise<Question | undefined>,
): Promise<void> {
  const lines = openLines(input, signal);
  const asked = new Set<string>();
  try {
    for (let one = await next(asked); one !== undefined; one = await next(asked)) {
      asked.add(one.place);
      const { options, usual } = one;
      const enter = usual === undefined ? "Enter leaves it open" : `Enter takes ${usual}`;
      output.remark(
        "",
        `${one.question} (${one.why})`,
        ...options.map(({ value, means }, at) => `  ${at + 1}  ${value}${means === value ? "" : `: ${means}`}`),
        `Type a number and press Enter. ${enter}.`,
      );
      for (let tried = 0; tried < TRIES; tried++) {
        const line = await lines.next();
        if (line === undefined) return;
        const answer =
          line === "" ? usual : (options[Number(line) - 1] ?? options.find(({ value }) => value === line))?.value;
        if (answer !== undefined) answers.set(one.place, answer);
        if (answer !== undefined || line === "") break;
        output.remark(`Type a number from 1 to ${options.length}.`);
      }
    }
  } finally {
    lines.close();
  }
}
