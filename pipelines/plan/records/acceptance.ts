/**
 * What must be so before logferry says that the old account can be closed. The plan fixes it, before the first record is sent: the rule of
 * logferry, and the conditions that a person adds with `--accept`.
 */
import { createHash } from "node:crypto";

/** Changes with the rules. A plan keeps the version that it was made with. */
export const ACCEPTANCE = 6;

/** The rules of this version, in words. `verdict.ts` applies them. */
export const ACCEPTANCE_RULES: readonly string[] = [
  "Every record of the sources is in exactly one class, and the classes add up.",
  "Every record that is to be in the log was read back from it after the last write, and each of its fields is as planned, or was edited in the log and left so.",
  "No record was rejected, refused or lost, and none is in doubt or still to be sent.",
  "No file of the sources changed or went away between the plan and its load.",
  "No record of an earlier run is still out, and no workout of an earlier run lacks values.",
  "No track or map was lost or left out, and no file that may hold workouts stayed unread.",
  "Of each workout, the log has one value for every field that it has and that could be read. The certificate lists what could not be read, and other values of the other copies.",
  "A workout that the log had before may have other values there, which stay. It lacks none. The certificate names the fields.",
  "The log has nothing twice.",
  "No record was left out by dates.",
  "Rules did not leave out every record.",
];

/** A condition that a person can add. */
interface Condition {
  /** What follows the name: a number of records or a share of them, names of fields, or a level. Undefined: the name stands alone. */
  readonly takes?: "limit" | "fields" | "level";
  /** The condition in a sentence. */
  readonly means: (value: string) => string;
}

const most = (limit: string) =>
  limit.endsWith("%") ? `${limit} of the records` : limit === "1" ? "1 record" : `${limit} records`;

/** All conditions, by the name that a person types. Those without a value and the first two loosen the rule, the others tighten it. */
export const CONDITIONS = {
  rejected: { takes: "limit", means: (limit) => `At most ${most(limit)} may stay rejected.` },
  refused: { takes: "limit", means: (limit) => `At most ${most(limit)} may stay refused by the log.` },
  dates: { means: () => "Records outside the days that you named may stay out." },
  "lost-files": { means: () => "Tracks and maps that can't be read, or that you left out, may be lost." },
  "unread-files": { means: () => "Files that logferry can't read may stay unread." },
  "unread-values": {
    means: () => "Values that nobody can read, or that only a proposed mapping leaves out, may stay out.",
  },
  "not-added": { means: () => "Values that the sources have may be missing in workouts that your log had before." },
  dropped: { takes: "limit", means: (limit) => `At most ${most(limit)} may stay out because you said so.` },
  losses: {
    takes: "fields",
    means: (fields) =>
      fields === "none"
        ? "No value may be lost for want of a field in the log."
        : `Values may be lost for want of a field in the log only of: ${fields.split("+").join(", ")}.`,
  },
  level: { takes: "level", means: (level) => `The check must reach the level: ${level}.` },
} as const satisfies Readonly<Record<string, Condition>>;

/** The name of a condition. */
export type ConditionName = keyof typeof CONDITIONS;

/** The levels that a person may ask for, besides reading everything back and comparing it. */
const LEVELS: readonly string[] = ["listed", "restored"];

const FORMS = {
  limit: (value: string) => /^(?:\d{1,9}|(?:\d{1,2}(?:\.\d{1,2})?|100)%)$/.test(value),
  // "none" stands alone: beside a field it says two things.
  fields: (value: string) => value === "none" || value.split("+").every((field) => field !== "none" && isName(field)),
  level: (value: string) => LEVELS.includes(value),
} as const;

function isName(field: string): boolean {
  return field !== "" && field === field.trim();
}

/** The conditions as a person may type them, for messages and the help. */
export const CONDITION_FORMS = `rejected=N or N%, refused=N or N%, dropped=N or N%, dates, lost-files, unread-files, unread-values, not-added, losses=none or FIELD+FIELD, level=${LEVELS.join(" or ")}`;

/** Whether a word is a condition: `rejected=2%`, `dates`. */
export function isCondition(word: string): boolean {
  const [name, value] = split(word);
  if (!Object.hasOwn(CONDITIONS, name)) return false;
  const { takes }: Condition = CONDITIONS[name as ConditionName];
  return takes === undefined ? value === undefined : value !== undefined && FORMS[takes](value);
}

/** The conditions of a rule, each once, in the order of the table. Of one that was typed twice the last counts. */
export function toConditions(words: readonly string[]): readonly string[] {
  const values = new Map(words.map((word) => [split(word)[0], word]));
  return Object.keys(CONDITIONS).flatMap((name) => values.get(name) ?? []);
}

/** The value of a condition: "" for one that stands alone, undefined for one that the rule doesn't have. */
export function conditionValue(conditions: readonly string[] | undefined, name: ConditionName): string | undefined {
  const found = conditions?.find((word) => split(word)[0] === name);
  return found === undefined ? undefined : (split(found)[1] ?? "");
}

/** Whether a rule lets a number of records pass. @param records the records of the run, for a share */
export function isWithin(limit: string | undefined, count: number, records: number): boolean {
  if (limit === undefined) return false;
  return limit.endsWith("%") ? count * 100 <= Number(limit.slice(0, -1)) * records : count <= Number(limit);
}

/** The conditions in sentences. */
export function describeConditions(conditions: readonly string[] = []): readonly string[] {
  return conditions.map((word) => {
    const [name, value = ""] = split(word);
    return CONDITIONS[name as ConditionName].means(value);
  });
}

/** SHA-256 of a rule, in hex: over a line with its version, and a line for each condition. Two equal rules have the same one. */
export function hashRule(conditions: readonly string[] = [], version = ACCEPTANCE): string {
  const lines = [`acceptance ${version}`, ...conditions].map((line) => `${line}\n`);
  return createHash("sha256").update(lines.join("")).digest("hex");
}

function split(word: string): readonly [name: string, value: string | undefined] {
  const at = word.indexOf("=");
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}
