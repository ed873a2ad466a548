/** Whether the old account can be closed, by the rule that the plan fixed and what the certificate found. */
import { grouped } from "../../transforms/text/grouped.ts";
import { shellWord } from "../../transforms/text/shell.ts";
import type { Journal } from "../journal/journal.ts";
import type { Run } from "../journal/run.ts";
import {
  ACCEPTANCE,
  ACCEPTANCE_RULES,
  conditionValue,
  describeConditions,
  hashRule,
  isWithin,
} from "../plan/acceptance.ts";
import { type ClassName, keepsOpen } from "./classes.ts";
import type { Acceptance, Certificate, EarlierRule } from "./schema.ts";

type Judged = Pick<
  Certificate,
  "verdict" | "classes" | "isBalanced" | "losses" | "levels" | "inventory" | "acceptance" | "notAdded"
>;

/** The answer of a certificate. */
export interface ClosingAnswer {
  readonly canClose: boolean;
  /** Records that keep the old account open, also where the verdict of the run is yes. */
  readonly held: number;
  /** The conditions of a person's own rule that are not met, each in a sentence. */
  readonly unmet: readonly string[];
}

/** The answer of a certificate. */
export function answerOf(certificate: Judged): ClosingAnswer {
  const { verdict, classes, isBalanced } = certificate;
  const held = classes.reduce((sum, row) => sum + (isHeld(certificate, row.class) ? row.count : 0), 0);
  const unmet = unmetConditions(certificate);
  return { canClose: verdict.canClose && held === 0 && isBalanced && unmet.length === 0, held, unmet };
}

/** Whether records of a class keep the old account open: those that the person's own rule accepts don't. */
export function isHeld({ acceptance, classes, inventory }: Judged, name: ClassName): boolean {
  if (!keepsOpen(name)) return false;
  if (name !== "rejected" && name !== "refused") return true;
  const count = classes.find((row) => row.class === name)?.count ?? 0;
  return !isWithin(conditionValue(acceptance.conditions, name), count, inventory.records);
}

function unmetConditions(certificate: Judged): readonly string[] {
  const { acceptance, classes, inventory, losses, levels } = certificate;
  const limit = conditionValue(acceptance.conditions, "dropped");
  const dropped = classes.find((row) => row.class === "dropped")?.count ?? 0;
  const allowed = conditionValue(acceptance.conditions, "losses");
  const fields = allowed === "none" ? [] : allowed?.split("+");
  const lost = losses.filter(({ field }) => fields?.includes(field) === false);
  const level = conditionValue(acceptance.conditions, "level");
  const lacking = lackingByLater(certificate);
  return [
    ...(lacking > 0
      ? [
          `${grouped(lacking)} ${lacking === 1 ? "workout" : "workouts"} that a later run found in your log ${lacking === 1 ? "lacks" : "lack"} values that the sources have. Fill what is blank, with the options of that import too (--zone and others): logferry import ${inventory.sources.map(({ name }) => shellWord(name)).join(" ")} --enrich`,
        ]
      : []),
    ...(limit !== undefined && !isWithin(limit, dropped, inventory.records)
      ? [
          `${grouped(dropped)} of ${grouped(inventory.records)} records stay out because you said so, and your rule allows ${limit}.`,
        ]
      : []),
    ...(lost.length > 0
      ? [
          `The log has no field for ${lost.map(({ field, count }) => `${field} (${grouped(count)})`).join(", ")}, and your rule does not accept that.`,
        ]
      : []),
    ...(level !== undefined && levels.find((one) => one.level === level)?.isReached !== true
      ? [`Your rule asks for the level "${level}", and it was not reached.`]
      : []),
  ];
}

/** Workouts that lack values and that the run itself left out: the verdict doesn't know them. */
function lackingByLater({ acceptance, verdict, notAdded }: Judged): number {
  if (conditionValue(acceptance.conditions, "not-added") !== undefined) return 0;
  const known = verdict.obstacles.find(({ code }) => code === "not-added")?.count ?? 0;
  return Math.max(0, (notAdded?.workouts ?? 0) - known);
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
