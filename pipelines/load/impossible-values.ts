/**
 * What a log made of a device file by itself, without what can't be true. A log that takes a strap's 255 ("no reading") for a heart
 * rate has it as its maximum, and in its average.
 */
import type { SaveBody } from "../../connectors/sink.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { isHeartRate } from "../../transforms/plausibility/heart-rates.ts";

const RATES = ["avgHR", "maxHR", "restHR"] as const;

/** The rates that a log computes from one series of beats: a beat that can't be true spoils both. */
const COMPUTED: readonly string[] = ["avgHR", "maxHR"];

/**
 * The record without heart rates that can't be true, and without those that the plan left out.
 *
 * @param planned the workout of the plan; `unsupported` names what it left out
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
