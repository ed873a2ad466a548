import { expect, test } from "vitest";
import { parseHours } from "../../transforms/sending-hours.ts";
import { expectedEnd, type Sending } from "./expected-end.ts";

const NOON = Date.parse("2026-06-01T12:00:00Z");
const FREE: Sending = {
  ...{ requests: 1_000, opening: 5, isOpen: true, looking: 10, everyMs: 100, spare: 0, usedToday: 0 },
  ...{ perDay: undefined, hours: undefined, zone: "UTC" },
};

function endOf(sending: Partial<Sending>): string | undefined {
  const expected = expectedEnd({ ...FREE, ...sending }, NOON);
  return expected && `${new Date(expected.end).toISOString().slice(0, 19)}, ${expected.days} days`;
}

test("without limits it takes the requests and the last look, one after the other", () => {
  expect(endOf({})).toBe("2026-06-01T12:01:41, 1 days");
  expect(endOf({ isOpen: false })).toBe("2026-06-01T12:01:41, 1 days");
  expect(endOf({ requests: 0, looking: 0 })).toBe("2026-06-01T12:00:00, 0 days");
});

test("with a quota the rest goes on at midnight, and each day opens the log once more", () => {
  // 400 today, 395 tomorrow, 205 the day after.
  expect(endOf({ perDay: 400, everyMs: 0 })).toBe("2026-06-03T00:00:00, 3 days");
  expect(endOf({ perDay: 400, everyMs: 1_000 })).toBe("2026-06-03T00:03:40, 3 days");
  // 100 were sent today.
  expect(endOf({ perDay: 400, usedToday: 100, everyMs: 0 })).toBe("2026-06-03T00:00:00, 3 days");
  expect(endOf({ perDay: 400, usedToday: 400, everyMs: 0 })).toBe("2026-06-04T00:00:00, 3 days");
  expect(endOf({ perDay: 5, isOpen: false })).toBeUndefined();
});

test("with hours it sends at night alone, but for their last minute", () => {
  const hours = parseHours("22:00-06:00");
  // A night has 479 minutes without its last one: 28 740 requests of a second.
  expect(endOf({ hours, isOpen: false, requests: 28_735, looking: 0, everyMs: 1_000 })).toBe(
    "2026-06-02T05:59:00, 1 days",
  );
  expect(endOf({ hours, isOpen: false, requests: 28_736, looking: 0, everyMs: 1_000 })).toBe(
    "2026-06-02T22:00:06, 2 days",
  );
});
