/**
 * Heart rates of several copies of a workout. An average above the highest can't be true. Each source was checked by itself, so the average of one and
 * the highest of another must be checked again, wherever values of copies come together.
 */
import type { UnsupportedValue, Workout } from "./workout.ts";

type Health = NonNullable<Workout["health"]>;

/** The two heart rates of a workout, as far as they are known. */
interface Rates {
  readonly avgHR?: number | undefined;
  readonly maxHR?: number | undefined;
}

/** The paths of the two heart rates, in a workout and in a save body. */
const PATHS: readonly string[] = ["health.avgHR", "health.maxHR"];

/** Whether an average heart rate is above the highest one. Without one of them it is not. */
function isAbove({ avgHR, maxHR }: Rates): boolean {
  return avgHR !== undefined && maxHR !== undefined && avgHR > maxHR;
}

/**
 * The heart rates of two copies together. Those of `row` win. Where they contradict those of `other`, a copy that measured both is believed, and
 * otherwise the value of `other` stays out.
 *
 * @returns them, and the value that stays out of the log for good
 */
export function heartRatesTogether(
  row: Health = {},
  other: Health = {},
): { readonly rates: Rates; readonly lost?: UnsupportedValue } {
  const rates = { avgHR: row.avgHR ?? other.avgHR, maxHR: row.maxHR ?? other.maxHR };
  if (!isAbove(rates)) return { rates };
  if (other.avgHR !== undefined && other.maxHR !== undefined && !isAbove(other)) return { rates: pairOf(other) };
  return row.avgHR === undefined
    ? { rates: { avgHR: undefined, maxHR: row.maxHR }, lost: lossOf("avgHR", other.avgHR) }
    : { rates: { avgHR: row.avgHR, maxHR: undefined }, lost: lossOf("maxHR", other.maxHR) };
}

/** A workout in which a person's choice of a heart rate holds: the other one stays out, and is counted, where both can't be true. */
export function withChosenHeartRate(value: Workout, path: string): Workout {
  const { health = {} } = value;
  if (!PATHS.includes(path) || !isAbove(health)) return value;
  const { avgHR, maxHR, ...others } = health;
  const isAverage = path === "health.avgHR";
  const kept = isAverage ? { avgHR } : { maxHR };
  const lost = isAverage ? lossOf("maxHR", maxHR) : lossOf("avgHR", avgHR);
  return {
    ...value,
    health: { ...others, ...(kept as Health) },
    unsupported: [...(value.unsupported ?? []), lost],
  };
}

/** Whether a heart rate of ours contradicts the other one that a workout of the log has: then it can't be filled in there. */
export function contradictsLog(theirs: object, ours: object, path: string): boolean {
  if (path === "health.avgHR") return isAbove({ avgHR: ratesIn(ours).avgHR, maxHR: ratesIn(theirs).maxHR });
  return path === "health.maxHR" && isAbove({ avgHR: ratesIn(theirs).avgHR, maxHR: ratesIn(ours).maxHR });
}

function ratesIn(body: object): Rates {
  return (body as { readonly health?: Rates }).health ?? {};
}

function pairOf({ avgHR, maxHR }: Health): Rates {
  return { avgHR, maxHR };
}

function lossOf(field: "avgHR" | "maxHR", value: number | undefined): UnsupportedValue {
  return { field, value: `${value} a minute` };
}
