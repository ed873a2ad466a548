/** The records of a run that were not loaded and that somebody should look at, with values that a person recognises. */
import { defined } from "../../transforms/model/defined.ts";
import { canBePasted } from "../../transforms/text/shell.ts";
import type { JournalReader } from "../journal/journal.ts";
import type { Line } from "../journal/line.ts";
import type { Run } from "../journal/run.ts";
import { baseRun, findCurrentLines } from "../plan/records/retry-selection.ts";
import { findQuarantined, isDropped } from "../review/quarantine.ts";

/** The state of such a record. */
export type OpenState = "quarantined" | "refused" | "failed" | "in-doubt";

/** A record that was not loaded. */
export interface OpenRecord {
  readonly state: OpenState;
  readonly kind: Line["kind"];
  /** `workout/unknown-sport`, `api/http-400`. */
  readonly rule: string;
  /** The bad value of a rejected record. For any other record, the sentence of its error. */
  readonly found?: string;
  /** Local day, `2019-05-04`, and time of day, if it has them. */
  readonly date?: string;
  readonly time?: string;
  readonly title?: string;
  readonly sport?: string;
  /** The place of the record: the file, and the place in it. */
  readonly file: string;
  readonly place?: string;
}

/** All such records of a run in their current state, after later retries; in the order of reading. */
export async function openRecordsOf(journal: JournalReader, run: Run): Promise<readonly OpenRecord[]> {
  const base = (await baseRun(journal, run.id)) ?? run;
  const open: OpenRecord[] = [];
  for (const one of await findQuarantined(journal, base)) {
    if (!isDropped(one)) open.push(await openRecord(journal, one.line, "quarantined", one.rule, one.issue?.found));
  }
  for (const state of ["refused", "failed", "in-doubt"] as const) {
    for (const { line } of await findCurrentLines(journal, base, [state])) {
      const [rule = state] = (line.reason ?? "").split(/[ :]/, 1);
      open.push(await openRecord(journal, line, state, rule.includes("/") ? rule : state, line.reason));
    }
  }
  return open;
}

async function openRecord(
  journal: JournalReader,
  line: Line,
  state: OpenState,
  rule: string,
  found: string | undefined,
): Promise<OpenRecord> {
  const { asRead } = await journal.auditTrail.details(line.run, line.seq);
  const value = { ...line.value, ...asRead } as {
    readonly start?: { readonly date?: string; readonly time?: string };
    readonly name?: unknown;
    readonly brandName?: unknown;
    readonly modelName?: unknown;
    readonly activity?: unknown;
    readonly sport?: unknown;
  };
  const title = [value.name, value.brandName, value.modelName].filter(isText).join(" ");
  const sport = [value.activity, value.sport].find(isText);
  const { archive, entry, locator } = line.origin;
  return {
    state,
    kind: line.kind,
    rule,
    ...defined({ found }),
    ...(isText(value.start?.date) && { date: value.start.date }),
    ...(isText(value.start?.time) && { time: value.start.time }),
    ...(title !== "" && { title }),
    ...defined({ sport }),
    file: entry === "" ? archive : entry,
    ...defined({ place: locator }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** The bad value, if a suggested command can contain it. */
export function foundWord({ found }: Pick<OpenRecord, "found">): string | undefined {
  return found !== undefined && canBePasted(found) ? found : undefined;
}
