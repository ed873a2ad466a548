/** Sports of Garmin Connect that the activity table lacks. */
import type { Activity } from "../../../transforms/activities.ts";

/** Sports that people chose if no sport of the log fits. For an unknown sport that is not here, such as fitness_equipment, logferry asks. */
export const OTHER_SPORTS: Readonly<Record<string, Activity>> = Object.fromEntries(
  words(`
    other, uncategorized, annan, auto_racing, motorcycling, motorcycling_v2, boating, boating_v2, hunting_fishing, snowmobiling_ws,
    single_gas_diving, multi_gas_diving, gauge_diving, apnea_diving, hang_gliding, atv, snorkeling, wakeboarding, waterskiing,
    whitewater_rafting_kayaking, tubing, water_tubing, disc_golf, platform_tennis, ultimate_disc, mixed_martial_arts, overland
  `).map((name) => [name, "other"] as const),
);

/** Splits a comma-separated list, so that a row of the table is easy to read. A name may be broken over two lines. */
export function words(list: string): readonly string[] {
  return list.split(",").map((word) => word.trim().replaceAll(/\s+/g, " "));
}
