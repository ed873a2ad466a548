/** The state of an athlete of a fleet, for a table. */
import { ATHLETE_STATUSES } from "../../pipelines/batch/outcome.ts";
import type { AthleteNow } from "../../pipelines/fleet/athletes.ts";

const WAITING = { check: "to check", checked: "checked", load: "to load" } as const;

/** The state of an athlete in a word or two. @param now undefined for one whom the fleet doesn't know */
export function wordOf(now: AthleteNow | undefined): string {
  if (now === undefined) return ATHLETE_STATUSES.unbegun.word;
  if (now.step === "done") return ATHLETE_STATUSES[now.outcome?.status ?? "unbegun"].word;
  if (now.isCancelled) return "cancelled";
  if (now.worker !== undefined) return "under way";
  return WAITING[now.step];
}
