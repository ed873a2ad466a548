/**
 * Values that have a field in the log and stay out, since nobody can read them or they can't be true: a heart rate `145/172`, an effort of 0. The workouts
 * are whole without them, so the answer may be yes. It names them, since closing the account loses them.
 */
import { defined } from "../../transforms/model/defined.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { LossCause } from "../../transforms/model/loss-cause.ts";
import { grouped } from "../../transforms/text/grouped.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { JournalReader } from "../journal/journal.ts";
import type { Run } from "../journal/run.ts";
import type { Verdict } from "./schema.ts";

type MinorValues = NonNullable<Verdict["minorValues"]>;

/** Most fields that an answer names. */
const MOST_NAMED = 5;

/** The causes in words. */
const WHY: Readonly<Partial<Record<LossCause, string>>> = {
  "not true": "which can't be true",
  "unknown unit": "in a unit that nobody knows",
};

/** The minor values of a run, by column or field, the most frequent first. Undefined without any. */
export async function readMinorValues(journal: JournalReader, run: Run): Promise<MinorValues | undefined> {
  const values = await journal.minorValues(run.id);
  if (values.length === 0) return undefined;
  const examples = (await journal.issues(run.id)).map(({ example }) => example);
  return values.map(({ field, origin, ...each }) => {
    // A remark knows the column by the name that the person gave it.
    const remark = examples.find(
      (one) => one.found === each.value && one.origin?.entry === origin.entry && one.origin.locator === origin.locator,
    );
    return { field: remark?.field ?? field, ...each, origin: { ...origin } };
  });
}

/** `; 10 values are not in the log: Pulse 10, such as "145/172" (log.csv line 5), which can't be read`, for the end of a yes. Empty without any. */
export function describeMinorValues(values: MinorValues = []): string {
  const count = values.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) return "";
  const named = values.slice(0, MOST_NAMED).map(({ field, count: n, because, value, origin: { locator, ...file } }) => {
    const place = describeOrigin({ ...file, ...defined({ locator }) });
    const why = WHY[because] ?? "which can't be read";
    return `${printable(field, 60)} ${grouped(n)}${n === 1 ? ":" : ", such as"} "${printable(value, 40)}" (${place}), ${why}`;
  });
  const more = values.length > MOST_NAMED ? ` and ${grouped(values.length - MOST_NAMED)} more` : "";
  return `; ${grouped(count)} ${count === 1 ? "value is" : "values are"} not in the log: ${named.join("; ")}${more}`;
}
