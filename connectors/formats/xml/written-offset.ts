/**
 * The offset from UTC that a file writes in its times (`2012-11-05T12:52:21+01:00`). A watch or a phone writes the offset of its own clock.
 * A server, or a program that converts files, writes its own offset. The place of the recording shows which of the two it is.
 */
import { isPlausibleOffset, offsetInZone, zoneAt } from "../../../transforms/calendar.ts";
import type { Position } from "../../../transforms/geo.ts";
import type { Remarks } from "./remarks.ts";

/** The known facts about the start of a recording. */
export interface Begun {
  /** Milliseconds since 1970 UTC. */
  readonly start: number | undefined;
  readonly firstPosition: Position | undefined;
}

/** Zones at sea, by longitude alone. A ship keeps the time of its harbour. */
const AT_SEA = /^Etc\//;

/**
 * The offset, if it can be believed.
 *
 * @param format begins the remark's rule
 * @returns undefined for an offset that no clock has, and for an offset that differs from that of the first position at that moment
 */
export function believedOffset(
  offsetMinutes: number | undefined,
  { start, firstPosition }: Begun,
  format: string,
  remarks: Remarks,
): number | undefined {
  if (offsetMinutes === undefined || !isPlausibleOffset(offsetMinutes)) return undefined;
  const zone = firstPosition === undefined ? undefined : zoneAt(firstPosition);
  if (zone === undefined || start === undefined || AT_SEA.test(zone)) return offsetMinutes;
  const there = offsetInZone(start, zone);
  if (there === offsetMinutes) return offsetMinutes;
  remarks.add({
    severity: "warning",
    rule: `${format}/offset-elsewhere`,
    found: `times ${offsetMinutes} minutes east of UTC`,
    expected: `${there} minutes, as in ${zone}, where it begins; that zone's time was taken`,
  });
  return undefined;
}
