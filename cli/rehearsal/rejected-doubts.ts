/** The rejected records of a rehearsal by their causes, for its page of decisions. */
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { OR_DROP } from "../../pipelines/plan/advice/advice.ts";
import { describeFix } from "../../pipelines/plan/records/overrides.ts";
import { byRule, findQuarantined, isDropped, type Quarantined } from "../../pipelines/review/quarantine.ts";
import type { Fix } from "../../transforms/model/fix.ts";
import { describeOrigin, describeProblem, withoutRule } from "../../transforms/model/issue.ts";
import { toRehearsalWords } from "../suggested-commands.ts";
import { many } from "../terminal/output.ts";
import { type Doubt, type DoubtAction, type DoubtButton, type DoubtGroup, type GroupView, shownOf } from "./doubt.ts";
import { fixForm } from "./fix-form.ts";
import { zoneForm } from "./remark-doubts.ts";
import { workoutTitle } from "./workout-title.ts";

/** What the words of a page depend on. */
interface Words {
  /** The options of a command about this journal, with a blank before them. */
  readonly options: string;
  /** The command that rehearses once more. */
  readonly again: string;
  /** The time zone that the person chose since. */
  readonly chosenZone: string | undefined;
  readonly view: GroupView | undefined;
}

/** A group for each rule. */
export async function rejectedGroups(journal: JournalReader, run: Run, words: Words): Promise<readonly DoubtGroup[]> {
  const groups = byRule(await findQuarantined(journal, run));
  const rules = groups.map(([rule]) => rule);
  return groups.map(([rule, entries]) => {
    const open = entries.filter((one) => one.manualDecisions.length === 0);
    const others = entries.filter((one) => one.manualDecisions.length > 0);
    const [first] = entries;
    // `quarantine drop csv/bad` drops the records of `csv/bad-date`, too.
    const id = `rejected-${rule.replaceAll("/", "-")}`;
    const { from, until, more, pages = [] } = shownOf(id, entries.length, "record", words.view);
    const doubts = [...open, ...others].slice(from, until).map(toDoubt);
    // The values of a form mend one record. One zone may mend them all.
    const needsZone = entries.some(
      ({ issue }) => issue?.rule === "workout/no-date" && issue.expected?.includes("zone"),
    );
    const isAlone = rules.every((other) => other === rule || !other.startsWith(`${rule}-`));
    return {
      id,
      title: `${many(entries.length, "record")} rejected: ${first?.advice?.means ?? "it can't be used"}`,
      text: `Not in this log (${rule}). ${wayOut(first, doubts, words)}What else you can do: logferry quarantine ${rule}${words.options}`,
      buttons:
        open.length > 1 && isAlone
          ? [quarantineButton(`Leave out ${open.length === entries.length ? "all" : "all others"}`, ["drop", rule])]
          : [],
      ...(needsZone && { form: zoneForm(words.chosenZone ?? run.options.zone) }),
      doubts,
      ...{ more, pages },
    };
  });
}

/** What mends records for which the page has no form and no way to keep them, with a blank behind it: their source or an option decides. */
function wayOut(first: Quarantined | undefined, doubts: readonly Doubt[], { again }: Words): string {
  const isDecidedHere = doubts.some(
    ({ form, buttons }) => form !== undefined || buttons.some(({ label }) => label === KEEP),
  );
  if (isDecidedHere || first?.advice === undefined) return "";
  // There is a button for leaving it out, and only a new rehearsal reads a mended source.
  const remedy = toRehearsalWords(first.advice.remedy)
    .replace(OR_DROP, "")
    .replaceAll(/logferry quarantine retry ID\b/g, again)
    .trim();
  return remedy === "" ? "" : `${remedy} `;
}

/** The label of the button that lets a record in. */
const KEEP = "Keep as it is";

/** What a person decided about a record that stays. */
function describeFixes(fixes: readonly Fix[]): string {
  const isKept = fixes.every((fix) => Object.keys(fix).join() === "implausible");
  return isKept ? "You keep it as it is." : `You said: ${fixes.map(describeFix).join(", ")}.`;
}

function toDoubt(one: Quarantined): Doubt {
  const { id, line, issue, rule, advice, asRead, manualDecisions } = one;
  const fixes = manualDecisions.flatMap(({ fix }) => fix ?? []);
  const decided = isDropped(one) ? "You leave it out." : fixes.length > 0 ? describeFixes(fixes) : undefined;
  const buttons = [
    ...(advice?.allows === "implausible" && fixes.length === 0 ? [quarantineButton(KEEP, ["fix", id], true)] : []),
    ...(isDropped(one) ? [] : [quarantineButton("Leave out", ["drop", id])]),
    ...(decided === undefined ? [] : [quarantineButton("Take back", ["take-back", id])]),
  ];
  return {
    id: `record-${id}`,
    title: workoutTitle(asRead ?? {}, line.origin),
    text: `${describeOrigin(line.origin)}: ${withoutRule(issue === undefined ? (line.reason ?? "") : describeProblem(issue), rule)}`,
    decided,
    buttons,
    form: isDropped(one) ? undefined : fixForm(one),
  };
}

function quarantineButton(label: string, words: readonly string[], allows = false): DoubtButton {
  const action: DoubtAction = { quarantine: words, ...(allows && { allows }) };
  return { label, command: `quarantine ${words.join(" ")}${allows ? " --allow implausible" : ""}`, action };
}
