/** Durations as people write them: `90m`, `2h`, `1h30m`, `3600s`, `2d`. */

const UNITS_MS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const;

const FORM = /^(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,8})s)?$/;

/** For a message: examples of a duration. */
export const DURATION_EXPECTED = "a duration such as 90m, 2h30m or 3600s";

/** Milliseconds of a duration; undefined for any other text. `0` needs no unit. */
export function durationMs(text: string): number | undefined {
  if (text === "0") return 0;
  const match = FORM.exec(text.trim().toLowerCase());
  if (match === null || text.trim() === "") return undefined;
  const amounts = match.slice(1).map((digits) => Number(digits ?? 0));
  return Object.values(UNITS_MS).reduce((sum, unitMs, index) => sum + unitMs * (amounts[index] ?? 0), 0);
}
