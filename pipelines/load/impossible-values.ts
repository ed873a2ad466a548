/**
 * Removes impossible values from a record that the log computed from a device file. Some logs take a strap's 255 ("no reading") for a heart
 * rate. They then show it as the maximum, and include it in the average.
 */
import type { SaveBody } from "../../connectors/sink.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { isHeartRate } from "../../transforms/plausibility/heart-rates.ts";

const RATES = ["avgHR", "maxHR", "restHR"] as const;

/** Heart rates that a log computes from one series of beats. One impossible beat spoils both. */
const COMPUTED: readonly string[] = ["avgHR", "maxHR"];

/**
 * Returns the record without impossible heart rates, and without the fields that the plan left out.
 *
 * @param planned the workout of the plan; `unsupported` names the fields that it left out
 */
export function withoutImpossible(made: SaveBody, planned: Workout): SaveBody {
  const health = made.health as Readonly<Record<string, unknown>> | undefined;
  if (health === undefined) return made;
  const impossible = RATES.filter((rate) => health[rate] !== undefined && !isHeartRate(Number(health[rate])));
  const isSpoilt = impossible.some((rate) => COMPUTED.includes(rate));
  const leftOut = new Set((planned.unsupported ?? []).map(({ field }) => field));
  const isOut = (name: string) =>
    impossible.some((rate) => rate === name) || (isSpoilt && COMPUTED.includes(name)) || leftOut.has(name);
  const kept = Object.entries(health).filter(([name]) => !isOut(name));
  const { health: _, ...others } = made;
  return kept.length === 0 ? others : { ...others, health: Object.fromEntries(kept) };
}
