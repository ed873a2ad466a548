/** Says which files changed between a plan and its load. */
import type { Issue } from "../../transforms/model/issue.ts";
import { sourceWords } from "../../transforms/model/unread.ts";
import { grouped } from "../../transforms/text/grouped.ts";
import { printable } from "../../transforms/text/printable.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import type { JournalReader } from "../journal/journal.ts";
import { optionsAgain } from "../journal/options-again.ts";
import { resumeCommand } from "../journal/resume-command.ts";
import type { Run } from "../journal/run.ts";
import { CHANGED_SINCE_PLAN } from "../journal/summary.ts";
import type { SourceChanges } from "./inventory.ts";

/** The number of files that are named. */
const NAMED = 20;

/** In the remark about files that the plan has and the load lacks. */
export const WENT_AWAY = "went away";

/** The rule of a record that was not sent because its file changed or went away since the plan. */
export const FILE_CHANGED = "source/changed";

/** Whether the reason of a record says that its file changed or went away since the plan. No retry helps then. */
export function isFileChanged(reason: string | undefined): boolean {
  return reason !== undefined && (reason === FILE_CHANGED || reason.startsWith(`${FILE_CHANGED}:`));
}

/** The number of records of a run that could not be sent because their files changed or went away: only a new plan helps. */
export async function countFileChanged(journal: Pick<JournalReader, "reasons">, run: Pick<Run, "id">): Promise<number> {
  const reasons = await journal.reasons(run.id);
  const of = reasons.filter(({ state, rule }) => state === "failed" && isFileChanged(rule));
  return of.reduce((sum, { count }) => sum + count, 0);
}

/** The command that plans the sources of a run once more. A promotion sends what a rehearsal showed, so its rehearsal comes first. */
export function planCommand({ sources, options }: Pick<Run, "sources" | "options">): string {
  if (options.promotes !== undefined) return `logferry rehearse --out ${shellWord(options.promotes.folder)}`;
  return `logferry plan ${sourceWords([...new Set(sources.map(({ path }) => path))])}${optionsAgain(options)}`;
}

/** The way to plan the sources of a run once more. */
export function planAgain(run: Pick<Run, "sources" | "options">): string {
  if (run.options.promotes === undefined) return `Plan again: ${planCommand(run)}`;
  return `Rehearse once more: ${planCommand(run)}. Then promote: ${resumeCommand(run)}`;
}

/** The way to plan the sources of a run once more, and to load that plan. */
export function planAndLoad(run: Pick<Run, "sources" | "options">): string {
  return run.options.promotes === undefined ? `${planAgain(run)}. Then load it: ${resumeCommand(run)}` : planAgain(run);
}

/** The changes in words, a line each, and the remark for the run: undefined when every file that is there has its bytes of the plan. */
export function describeChanged(
  { added, changed, gone, unreadable }: SourceChanges,
  run: Pick<Run, "sources" | "options">,
): { readonly words: readonly string[]; readonly issue: Issue | undefined } {
  const lists = [
    ["changed since the plan, and what is new in it is not loaded", changed],
    ["came after the plan, and is not loaded", added],
    ["went away since the plan", gone],
  ] as const;
  const words = [
    ...lists.flatMap(([what, names]) => (names.length === 0 ? [] : [`${firstOf(names)}: ${what}.`])),
    ...unreadable.map(({ name, why }) => `Whether ${name} changed since the plan is not known: ${why}.`),
  ];
  // A source that can't be read any more went away as a whole, as far as anybody can tell.
  const away = [...gone, ...unreadable.flatMap(({ name, wasListed }) => (wasListed === true ? [name] : []))];
  const found = [
    ...(changed.length > 0 ? [`changed since the plan: ${firstOf(changed)}`] : []),
    ...(away.length > 0 ? [`${WENT_AWAY} since the plan: ${firstOf(away)}`] : []),
  ];
  const issue: Issue | undefined =
    found.length === 0
      ? undefined
      : {
          severity: "warning",
          rule: CHANGED_SINCE_PLAN,
          found: found.join("; "),
          expected: "the files of the plan",
          names: [...changed, ...away].slice(0, NAMED),
        };
  const isOld = changed.length + added.length + away.length > 0;
  const back = away.length > 0 ? putBack(run) : "";
  return { words: isOld ? [...words, `${back}${planAgain(run)}`] : words, issue };
}

/** A rehearsal reads the sources that it read before. */
function putBack({ options }: Pick<Run, "options">): string {
  return `Put back what went away${options.promotes === undefined ? ", or leave it out of this command" : ""}. `;
}

function firstOf(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${grouped(names.length - NAMED)} more` : "";
  return (
    names
      .slice(0, NAMED)
      .map((name) => printable(name, 120))
      .join(", ") + more
  );
}
