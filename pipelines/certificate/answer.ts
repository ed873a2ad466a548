/** Whether the old account can be closed, by the rule that the plan fixed and what the certificate found. */
import { sourceWords } from "../../transforms/model/unread.ts";
import { grouped } from "../../transforms/text/grouped.ts";

import type { Journal } from "../journal/journal.ts";
import type { Run } from "../journal/run.ts";
import {
  ACCEPTANCE,
  ACCEPTANCE_RULES,
  type ConditionName,
  conditionValue,
  describeConditions,
  hashRule,
  isWithin,
} from "../plan/records/acceptance.ts";
import { notYet } from "../report/verdict.ts";
import { type ClassName, keepsOpen } from "./classes.ts";
import type { Acceptance, Certificate, EarlierRule } from "./schema.ts";

type Judged = Pick<
  Certificate,
  "run" | "verdict" | "classes" | "isBalanced" | "losses" | "levels" | "inventory" | "acceptance" | "notAdded"
>;

type Obstacle = Certificate["verdict"]["obstacles"][number];

/**
 * The final verdict of a certificate: that of the run, with what only a certificate knows. The page, the signed file, the terminal and the exit code
 * all say this one. A verdict that was settled before stays as it is, and one of an older version is settled here.
 *
 * @param importAgain the command that imports the sources once more. By default it names them as the certificate does, without their folders
 */
export function settleVerdict(certificate: Judged, importAgain = importByNames(certificate)): Certificate["verdict"] {
  const { verdict, isBalanced } = certificate;
  const ofRun = verdict.obstacles.filter(({ code }) => code !== "own-rule");
  const more = [
    ...(isBalanced || ofRun.some(({ code }) => code === "unbalanced") ? [] : [UNBALANCED]),
    ...heldBack(certificate, ofRun),
    ...unmetConditions(certificate, importAgain),
  ];
  const obstacles = [...ofRun, ...more];
  const sentence = more.length === 0 ? verdict.sentence : notYet(obstacles);
  return { ...verdict, canClose: obstacles.length === 0, sentence, obstacles };
}

/** Whether records of a class keep the old account open: those that the person's own rule accepts don't. */
export function isHeld({ acceptance, classes, inventory }: Judged, name: ClassName): boolean {
  if (!keepsOpen(name)) return false;
  const condition = CONDITION_OF[name];
  if (condition === undefined) return true;
  const count = classes.reduce((sum, row) => sum + (CONDITION_OF[row.class] === condition ? row.count : 0), 0);
  return !isWithin(conditionValue(acceptance.conditions, condition), count, inventory.records);
}

/** The condition of a rule that may accept the records of a class. A record that waits was rejected by the promotion. */
const CONDITION_OF: Readonly<Partial<Record<ClassName, ConditionName>>> = {
  rejected: "rejected",
  waiting: "rejected",
  refused: "refused",
};

const UNBALANCED: Obstacle = {
  code: "unbalanced",
  count: 1,
  text: "the classes don't add up to the records of the inventory",
  todo: "This is a bug in logferry: please report it.",
};

/** A record that a later run brought in may be held back, and the verdict of this run doesn't know it. */
function heldBack(certificate: Judged, known: readonly Obstacle[]): readonly Obstacle[] {
  const held = certificate.classes.reduce((sum, row) => sum + (isHeld(certificate, row.class) ? row.count : 0), 0);
  if (held === 0 || known.length > 0) return [];
  return [
    {
      code: "differs",
      count: held,
      text: `${grouped(held)} ${held === 1 ? "record is" : "records are"} not in the log as planned`,
      todo: "The certificate lists them. Import the sources once more, and issue it again.",
    },
  ];
}

function importByNames({ inventory }: Judged): string {
  return `logferry import ${sourceWords(inventory.sources.map(({ name }) => name))}`;
}

function unmetConditions(certificate: Judged, importAgain: string): readonly Obstacle[] {
  const { acceptance, classes, inventory, losses, levels } = certificate;
  const limit = conditionValue(acceptance.conditions, "dropped");
  const dropped = classes.find((row) => row.class === "dropped")?.count ?? 0;
  const allowed = conditionValue(acceptance.conditions, "losses");
  const fields = allowed === "none" ? [] : allowed?.split("+");
  const lost = losses.filter(({ field }) => fields?.includes(field) === false);
  const level = conditionValue(acceptance.conditions, "level");
  const lacking = lackingByLater(certificate);
  const found: (Obstacle | false)[] = [
    lacking > 0 && {
      code: "not-added",
      count: lacking,
      text: `${grouped(lacking)} ${lacking === 1 ? "workout" : "workouts"} that a later run found in your log ${lacking === 1 ? "lacks" : "lack"} values that the sources have`,
      todo: `Fill what is blank: ${importAgain} --enrich`,
    },
    limit !== undefined &&
      !isWithin(limit, dropped, inventory.records) && {
        code: "own-rule",
        count: dropped,
        text: `${grouped(dropped)} of ${grouped(inventory.records)} records ${dropped === 1 ? "stays" : "stay"} out because you said so, and your rule allows ${limit}`,
        todo: "Take a decision back with logferry quarantine take-back ID, then import once more. Or import once more by another rule.",
      },
    lost.length > 0 && {
      code: "own-rule",
      count: lost.length,
      text: `the log has no field for ${lost.map(({ field, count }) => `${field} (${grouped(count)})`).join(", ")}, and your rule does not accept that`,
      todo: `List each: logferry status --run ${certificate.run.number} --report loss.csv. To accept it, import once more by another rule.`,
    },
    level !== undefined &&
      levels.find((one) => one.level === level)?.isReached !== true && {
        code: "own-rule",
        count: 1,
        text: `your rule asks for the level "${level}", and it was not reached`,
        todo: LEVEL_TODO[level] ?? "",
      },
  ];
  return found.filter((one) => one !== false);
}

/** The remedies for a level that was not reached, by its name. */
const LEVEL_TODO: Readonly<Record<string, string>> = {
  listed: "Import the same sources once more (nothing is written twice), then issue the certificate again.",
  restored:
    "Make a backup and restore it for a test: logferry backup --repository REPOSITORY --drill. Then name it: logferry certify --repository REPOSITORY",
};

/** Workouts that lack values and that the run itself left out: the verdict doesn't know them. */
function lackingByLater({ acceptance, verdict, notAdded }: Judged): number {
  if (conditionValue(acceptance.conditions, "not-added") !== undefined) return 0;
  const known = verdict.obstacles.filter(({ code }) => code === "not-added");
  return known.reduce((left, { count }) => Math.max(0, left - count), notAdded?.workouts ?? 0);
}

/** The rule of a run, and whether its plan fixed it before the first record was sent. */
export async function readAcceptance({ id, sources, options }: Run, journal: Journal): Promise<Acceptance> {
  const { acceptance: version, accepts = [], acceptanceHash } = options;
  const hash = hashRule(accepts);
  const paths = new Set(sources.map(({ path }) => path));
  const earlier: EarlierRule[] = [];
  for (const run of await journal.runs()) {
    const { acceptanceHash: other } = run.options;
    const isBefore =
      run.id < id && run.options.retryOf === undefined && run.sources.some(({ path }) => paths.has(path));
    if (!isBefore || other === undefined || other === hash || (await journal.sentBetween(run.id)) === undefined)
      continue;
    const conditions = run.options.accepts ?? [];
    earlier.push({ run: run.id, at: new Date(run.createdAt).toISOString(), conditions, hash: other });
  }
  return {
    version: ACCEPTANCE,
    // A plan of an earlier version has no hash, and a person could add nothing to its rule.
    isOfPlan: version === ACCEPTANCE && (acceptanceHash ?? hashRule()) === hash,
    rules: ACCEPTANCE_RULES,
    conditions: accepts,
    conditionsInWords: describeConditions(accepts),
    hash,
    earlier,
  };
}
