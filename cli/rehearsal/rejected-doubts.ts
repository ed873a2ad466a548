/** The rejected records of a rehearsal by their causes, for its page of decisions. */
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import type { Run } from "../../pipelines/journal/run.ts";
import { OR_DROP } from "../../pipelines/plan/advice/advice.ts";
import {
  type Decided,
  describeDecision,
  findDecided,
  findTakenBack,
  type TakenBack,
} from "../../pipelines/review/decided.ts";
import { byRule, findQuarantined, isDropped, type Quarantined } from "../../pipelines/review/quarantine.ts";
import { utcDay } from "../../transforms/calendar.ts";
import { describeOrigin, describeProblem, type Origin, withoutRule } from "../../transforms/model/issue.ts";
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
  /** The places of the records that were decided about before the rehearsal began, by their keys. */
  readonly decidedBefore: Readonly<Record<string, Origin>>;
}

/** A group for each rule, one for the records that this rehearsal has as the person decided, and one for the decisions that were taken back since. */
export async function rejectedGroups(journal: JournalReader, run: Run, words: Words): Promise<readonly DoubtGroup[]> {
  const rejected = await findQuarantined(journal, run);
  return [
    ...byCause(rejected, run, words),
    ...decidedGroup(await findDecided(journal, rejected), words),
    ...takenBackGroup(await findTakenBack(journal, words.decidedBefore, rejected), words),
  ];
}

/** The group of the records whose decisions were taken back since the rehearsal; none without any. */
function takenBackGroup(takenBack: readonly TakenBack[], { view }: Words): readonly DoubtGroup[] {
  if (takenBack.length === 0) return [];
  const id = "taken-back-records";
  const { from, until, more, pages = [] } = shownOf(id, takenBack.length, "record", view);
  const doubts = takenBack.slice(from, until).map(
    (one): Doubt => ({
      ...{ id: `record-${one.id}`, title: workoutTitle(one.asRead, one.origin) },
      ...{ text: `${describeOrigin(one.origin)}.`, decided: "You took your decision back.", buttons: [] },
    }),
  );
  const title = `${many(takenBack.length, "decision")} taken back by you`;
  const text =
    "This log still shows what you had decided. The next rehearsal reads each record as its source has it, and you can decide anew.";
  return [{ ...{ id, title, text, buttons: [], doubts }, ...{ more, pages } }];
}

/** The group of the decided records; none without any. */
function decidedGroup(decided: readonly Decided[], { view }: Words): readonly DoubtGroup[] {
  if (decided.length === 0) return [];
  const id = "decided-records";
  const { from, until, more, pages = [] } = shownOf(id, decided.length, "record", view);
  const doubts = decided.slice(from, until).map((one): Doubt => {
    return {
      ...{ id: `record-${one.id}`, title: workoutTitle(one.asRead, one.origin) },
      text: `${describeOrigin(one.origin)}. Decided on ${utcDay(one.at)}.`,
      ...{ decided: describeDecision(one), buttons: [quarantineButton("Take back", ["take-back", one.id])] },
    };
  });
  const title = `${many(decided.length, "record")} decided by you`;
  const text =
    "This rehearsal did as you decided. Take a decision back, and the next one reads the record as its source has it.";
  return [{ ...{ id, title, text, buttons: [], doubts }, ...{ more, pages } }];
}

function byCause(rejected: readonly Quarantined[], run: Run, words: Words): readonly DoubtGroup[] {
  const groups = byRule(rejected);
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

function toDoubt(one: Quarantined): Doubt {
  const { id, line, issue, rule, advice, asRead, manualDecisions } = one;
  const fixes = manualDecisions.flatMap(({ fix }) => fix ?? []);
  const decision = manualDecisions.find((each) => each.decision === "dropped") ?? manualDecisions.at(-1);
  const decided = decision && describeDecision(decision);
  const buttons = [
    ...(advice?.allows === "implausible" && fixes.every(({ implausible }) => implausible === undefined)
      ? [quarantineButton(KEEP, ["fix", id], true)]
      : []),
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
