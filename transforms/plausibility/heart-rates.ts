/** Which heart rates can be true. */

/** No heart has been measured beating faster than 250; sources write 0 for "not measured" and 255 for "no reading". */
export const HEART_RATE = { least: 1, most: 250 } as const;

/** Whether somebody's heart can have beaten so often in a minute. */
export function isHeartRate(beats: number | undefined): beats is number {
  return beats !== undefined && beats >= HEART_RATE.least && beats <= HEART_RATE.most;
}
