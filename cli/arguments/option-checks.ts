/** Rules for the values of options, and their texts. */
import { isIP } from "node:net";
import { bytesOfSize } from "../../connectors/containers/sizes.ts";
import { CONDITION_FORMS, isCondition } from "../../pipelines/plan/records/acceptance.ts";
import { isZone } from "../../transforms/calendar.ts";
import { lengthOf, parseHours } from "../../transforms/sending-hours.ts";
import { DURATION_EXPECTED, durationMs } from "../wording/durations.ts";
import { isPeriod } from "../wording/periods.ts";
import { suggestZone } from "../wording/zone-suggestions.ts";
import type { Check } from "./option-spec.ts";
import { isCron, isInterval } from "./schedule-rule.ts";

/** Minutes. */
const SHORTEST_HOURS = 10;

/** A day. */
export const DAY: Check = {
  isRight: (value) => /^\d{4}-\d{2}-\d{2}$/.test(String(value)) && isPeriod(String(value)),
  expected: "a day such as 2023-07-15",
};
/** Hours from UTC. */
export const UTC_OFFSET: Check = {
  isRight: (value) => Number(value) >= -12 && Number(value) <= 14,
  expected: "a number of hours from -12 to 14",
};
/** Addresses of proxies, as the service takes them: `10.0.0.1, 10.1.0.0/16`. Host names aren't looked up. */
export const PROXIES: Check = {
  isRight: (value) =>
    String(value)
      .split(",")
      .every((one) => isProxy(one.trim())),
  expected: "IP addresses or ranges, several with commas: 10.0.0.1,10.1.0.0/16",
};
/** A year, a month or a day. */
export const PERIOD: Check = { isRight: (value) => isPeriod(String(value)), expected: "2023, 2023-07 or 2023-07-15" };
/** A time zone. */
export const ZONE: Check = {
  isRight: (value) => isZone(String(value)),
  expected: "a name such as Europe/Vienna",
  meant: suggestZone,
};
/** 0 or more. */
export const NOT_NEGATIVE: Check = { isRight: (value) => Number(value) >= 0, expected: "a number that is not below 0" };

/** A duration. */
export const DURATION: Check = {
  isRight: (value) => durationMs(String(value)) !== undefined,
  expected: DURATION_EXPECTED,
};
/** A duration of a minute or more. */
export const INTERVAL: Check = {
  isRight: (value) => isInterval(String(value)),
  expected: "a duration of a minute or more, such as 24h",
};
/** A cron expression. */
export const CRON: Check = {
  isRight: (value) => isCron(String(value)),
  expected: 'the five fields of a cron expression, such as "30 2 * * *"',
};
/** Hours of the day: long enough to get on, since in the last minute nothing is begun. */
export const HOURS: Check = {
  isRight: (value) => {
    const hours = parseHours(String(value));
    return hours !== undefined && lengthOf(hours) >= SHORTEST_HOURS;
  },
  expected: `hours of a day such as 22:00-06:00, ${SHORTEST_HOURS} minutes or more`,
};
/** A condition for closing the old account, or several. */
export const CONDITION: Check = {
  isRight: (value) => [value].flat().every((one) => isCondition(String(one))),
  expected: CONDITION_FORMS,
};
/** The action after errors. */
export const ON_ERRORS: Check = {
  isRight: (value) => /^(stop|continue|\d{1,9})$/.test(String(value)),
  expected: "stop, continue or a number",
};

/** "The application key": characters that a query can carry, and short enough that the whole address stays on the screen. */
export const CLIENT_ID: Check = {
  isRight: (value) => /^[\x21-\x7e]{1,128}$/.test(String(value)),
  expected: "1 to 128 printable characters without blanks",
};

/** A whole number in a range. */
export function whole(least: number, most: number = Number.MAX_SAFE_INTEGER): Check {
  return {
    isRight: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    expected: `a whole number${most === Number.MAX_SAFE_INTEGER ? `, ${least} or more` : ` from ${least} to ${most}`}`,
  };
}

/** Bytes. */
export const SIZE: Check = {
  isRight: (value) => bytesOfSize(String(value)) !== undefined,
  expected: "a size such as 64M or 2G",
};

/** `1/7` as numbers; undefined for any other text. */
export function shareOf(text: string): { readonly part: number; readonly of: number } | undefined {
  const [, part, of] = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(text) ?? [];
  return part === undefined || Number(part) > Number(of) ? undefined : { part: Number(part), of: Number(of) };
}

/** Names that stand for the addresses of this machine and of private networks. */
const NETWORKS: readonly string[] = ["loopback", "linklocal", "uniquelocal"];

function isProxy(text: string): boolean {
  if (NETWORKS.includes(text)) return true;
  const [address = "", bits, ...more] = text.split("/");
  const kind = isIP(address);
  if (kind === 0 || address.includes("%") || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (kind === 4 ? 32 : 128));
}
