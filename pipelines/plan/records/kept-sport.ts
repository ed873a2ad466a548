/**
 * The sport of a workout whose source named one when it was loaded, and names none any more. What counts for nameless workouts, a default of the mapping
 * or `--sport "=run"`, says nothing about such a one, so it keeps the activity that it was loaded with.
 */
import type { Fix } from "../../../transforms/model/fix.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Reading } from "../../../transforms/model/item.ts";
import type { Workout } from "../../../transforms/model/workout.ts";
import type { Journal } from "../../journal/journal.ts";
import type { RemoteRecord } from "../../journal/remote-record.ts";

/** The reading with the sport that it was loaded with, if its source no longer names one. What a person said of this workout by hand comes first. */
export async function withKeptSport(
  reading: Reading,
  { journal, fix, report }: { readonly journal: Journal; readonly fix?: Fix; readonly report: (issue: Issue) => void },
): Promise<Reading> {
  if (reading.kind !== "workout" || reading.value.sport !== undefined || fix?.activity !== undefined) return reading;
  const remote = await journal.remoteRecord(reading.key);
  const { activity, sport } = (remote && (await ownValue(remote, journal))) ?? {};
  if (remote === undefined || activity === undefined || sport === undefined) return reading;
  const kept = { ...reading, value: { ...reading.value, activity, sport } };
  if (activity === reading.value.activity) return kept;
  report({
    severity: "warning",
    rule: "plan/sport-kept",
    field: "sport",
    origin: reading.origin,
    expected: `${sport}, as run ${remote.run} loaded it: that stays. To change it, name its sport in the source`,
  });
  return kept;
}

/** The values of a loaded workout before others were merged into it; undefined if the journal no longer has them. */
async function ownValue({ run, key }: RemoteRecord, journal: Journal): Promise<Workout | undefined> {
  const loaded = await journal.lineWithKey(run, key);
  if (loaded?.kind !== "workout") return undefined;
  const own = await journal.links.ownValue(run, loaded.seq);
  return own ?? ((await journal.mergedInto(run, key)).length === 0 ? loaded.value : undefined);
}
