/** Exports of several people in one command. One log is one person's, and it has no way to take a workout out again. */
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { SEVERAL_PEOPLE } from "../../pipelines/log/profile.ts";
import { canBePasted, shellWord } from "../../transforms/text/shell.ts";
import { UsageError } from "../errors/exit-codes.ts";
import type { LogSession } from "./session.ts";

/** What a person can do about exports of several people. */
export function waysForPeople({ view: { owner } }: Pick<LogSession, "view">): readonly string[] {
  const called = owner.screenName ?? owner.email;
  const who = called !== undefined && canBePasted(called) ? shellWord(called) : "NAME";
  return [
    "Import each into its own log: logferry import SOURCE --profile NAME",
    `If all of them belong in this log, type the same once more, with: --athlete ${who} --trust ${who}`,
  ];
}

/** Refuses exports of several people before anything is written. @param ways what a person can do about it */
export function refusePeople(ways: readonly string[]): (people: string) => void {
  return (people) => {
    const message = `These are exports of different people, so nothing was changed: ${people}`;
    throw new UsageError(message, { more: ways });
  };
}

/** Whether the sources of a plan are of several people, and nobody said that it is right. */
export async function areSeveralPeople(journal: JournalReader, run: Run): Promise<boolean> {
  return (await journal.issues(run.id)).some(({ rule }) => rule === SEVERAL_PEOPLE);
}
