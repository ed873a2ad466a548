/** Collects what is doubtful about a rehearsal, for its page of decisions: each doubt with buttons, and each button with the command that it stands for. */
import { join } from "node:path";
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { openJournalToRead } from "../../pipelines/journal/sqlite.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import { many } from "../terminal/output.ts";
import type { DoubtAction, DoubtGroup, Doubts, GroupView } from "./doubt.ts";
import { toSet } from "./fix-form.ts";
import { JOURNAL_FILE, type KeptRehearsal, readKept, rehearseAgain, unseenDecisions } from "./kept.ts";
import { pairGroups } from "./pair-doubts.ts";
import { rejectedGroups } from "./rejected-doubts.ts";
import { remarkGroups } from "./remark-doubts.ts";

/** The doubts of the rehearsal in a folder. @param view what of a long group to show */
export async function readDoubts(folder: string, view?: GroupView): Promise<Doubts> {
  await using journal = await openJournalToRead(join(folder, JOURNAL_FILE));
  const run = await journal.run();
  if (run === undefined) return { text: "Nothing was imported.", groups: [] };
  const kept = await readKept(folder);
  const decided = await unseenDecisions(kept, journal, run);
  const groups = await groupsOf(journal, run, folder, { kept, view });
  const text =
    groups.length === 0
      ? "Nothing is doubtful."
      : `Nothing here changes your real log. Each button stands for the command below its name. To type it instead, write logferry before it and${journalWords(folder)} behind it. A decision stays until you take it back, and a promotion carries it out.`;
  const words = `${many(decided, "decision")} since this rehearsal. Press Ctrl-C where it runs, and rehearse once more to see what ${decided === 1 ? "it does" : "they do"}:`;
  return { ...(decided > 0 && { next: { text: words, command: rehearseAgain(folder) } }), text, groups };
}

async function groupsOf(
  journal: JournalReader,
  run: Run,
  folder: string,
  { kept, view }: { readonly kept: KeptRehearsal | undefined; readonly view: GroupView | undefined },
): Promise<readonly DoubtGroup[]> {
  const { chosenZone, origins: decidedBefore = {} } = kept ?? {};
  return [
    ...(await rejectedGroups(journal, run, {
      ...{ chosenZone, decidedBefore, view },
      options: journalWords(folder),
      again: rehearseAgain(folder),
    })),
    ...(await pairGroups(journal, run, view)),
    ...(await remarkGroups(journal, run, { chosenZone, view })),
  ];
}

/** The option that names the journal of a rehearsal, with a blank before it. Without it, a command looks into the journal of the real log. */
function journalWords(folder: string): string {
  return ` --journal ${shellWord(join(folder, JOURNAL_FILE))}`;
}

/** What a form with a command sets; undefined when the page doesn't offer it, or no longer. */
export function fixOf({ groups }: Doubts, command: string, values: ReadonlyMap<string, string>): Fixing | undefined {
  const forms = groups.flatMap((group) => group.doubts.flatMap(({ form }) => form ?? []));
  const form = forms.find((one) => one.command === command);
  return form?.fixes === undefined ? undefined : { id: form.fixes, set: toSet(form, values) };
}

/** The zone that the form with a command chooses, empty where nothing was typed; undefined when the page doesn't offer it, or no longer. */
export function zoneOf({ groups }: Doubts, command: string, values: ReadonlyMap<string, string>): string | undefined {
  const isOffered = groups.some(({ form }) => form?.command === command);
  return isOffered ? (values.get("zone") ?? "") : undefined;
}

/** A fix by hand. */
export interface Fixing {
  readonly id: string;
  /** As `--set` takes them. */
  readonly set: string[];
}

/** The action of the button with a command; undefined when the page doesn't offer it, or no longer. */
export function actionOf({ groups }: Doubts, command: string): DoubtAction | undefined {
  const buttons = groups.flatMap((group) => [...group.buttons, ...group.doubts.flatMap((doubt) => doubt.buttons)]);
  return buttons.find((button) => button.command === command)?.action;
}
