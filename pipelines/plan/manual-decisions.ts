/**
 * What a person decided by hand about records of the sources, as a plan follows it: what was dropped stays out, what was fixed is
 * read as they said, what was undone is not done again. Each is named in the plan, with what takes it back.
 */
import type { Fix } from "../../transforms/model/fix.ts";
import { describeTrouble } from "../../transforms/model/issue.ts";
import type { Reading, SetAside } from "../../transforms/model/item.ts";
import type { CustodyReader, Ruling } from "../journal/audit-trail.ts";
import { shortId } from "../journal/short-id.ts";

/** The decisions of a journal, as they stood when a plan began. */
export interface Rulings {
  /** By the key a record was set aside under, or its own. */
  readonly fixes: ReadonlyMap<string, Fix>;
  /** The set-aside of a reading that a person dropped; undefined for any other. */
  dropped(reading: Reading): SetAside | undefined;
  /** What was undone of a record, so that a later plan leaves it as it is. */
  undone(key: string): Ruling | undefined;
}

/** No decisions. */
export const NO_RULINGS: Rulings = { fixes: new Map(), dropped: () => undefined, undone: () => undefined };

/** Reads the decisions of a journal. */
export async function readRulings(custody: CustodyReader): Promise<Rulings> {
  const all = await custody.rulings();
  const of = (kind: Ruling["ruling"]) =>
    new Map(all.filter(({ ruling }) => ruling === kind).map((one) => [one.key, one]));
  const [drops, undos, fixed] = [of("dropped"), of("undone"), of("fixed")];
  const fixes = new Map<string, Fix>();
  for (const [key, { fix }] of fixed) if (fix !== undefined) fixes.set(key, fix);
  return {
    fixes,
    dropped(reading) {
      const ruling = drops.get(reading.key);
      return ruling === undefined || !isAbout(ruling, reading) ? undefined : setAsideBy(ruling, reading);
    },
    undone: (key) => undos.get(key),
  };
}

/**
 * Whether a decision is about this reading. The key of a record says which it is; the key of what couldn't be read may be
 * another file's of the same name, so there the trouble must be the same too.
 */
function isAbout({ issue, origin }: Ruling, reading: Reading): boolean {
  if (reading.kind !== "set-aside") return true;
  const { rule, field, found } = reading.issue;
  return (
    issue?.rule === rule &&
    issue.field === field &&
    issue.found === found &&
    lastPart(origin.entry) === lastPart(reading.origin.entry)
  );
}

function setAsideBy({ at, issue, key }: Ruling, reading: Reading): SetAside {
  return {
    kind: "set-aside",
    key: reading.key,
    origin: reading.origin,
    as: "skipped",
    issue: {
      severity: "info",
      rule: "plan/dropped",
      found: `dropped by you on ${dayOf(at)}${issue === undefined ? "" : `, for ${describeTrouble(issue)}`}; logferry quarantine take-back ${shortId(key)} lets it in again`,
      origin: reading.origin,
    },
  };
}

/** The UTC day of a time, for people. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
