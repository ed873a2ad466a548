/** Heart rates that can be true. */

/** No measured heart beat faster than 250. Sources write 0 for "not measured" and 255 for "no reading". */
export const HEART_RATE = { least: 1, most: 250 } as const;

/** No average, highest or resting heart rate of a person who trains is lower. It is a limit of ours. A single beat of a recording may be lower. */
export const LEAST_OF_PERSON = 25;

/** Whether a heart can have this rate, in beats a minute. */
export function isHeartRate(beats: number | undefined): beats is number {
  return beats !== undefined && beats >= HEART_RATE.least && beats <= HEART_RATE.most;
}
