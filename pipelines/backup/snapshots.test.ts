import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inZone } from "../../transforms/calendar.ts";
import { keptBy, type Policy, snapshotNamed } from "./snapshots.ts";

const RULES = ["last", "daily", "weekly", "monthly", "yearly"] as const;

/** The day's Monday, by walking back: what a week is, said another way than the code says it. */
function mondayBefore(day: string): string {
  const date = new Date(`${day}T12:00:00Z`);
  while (date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}

/** The model: a snapshot is kept by a rule when it is the newest of its period and fewer than N later periods have one. */
function modelOf(snapshots: readonly { id: string; day: string }[], policy: Policy): readonly string[] {
  const periodOf = {
    last: ({ id }: { id: string }) => id,
    daily: ({ day }: { day: string }) => day,
    weekly: ({ day }: { day: string }) => mondayBefore(day),
    monthly: ({ day }: { day: string }) => day.slice(0, 7),
    yearly: ({ day }: { day: string }) => day.slice(0, 4),
  };
  return snapshots
    .filter((snapshot, index) =>
      RULES.some((rule) => {
        const later = snapshots.slice(index + 1).map(periodOf[rule]);
        const isNewest = !later.includes(periodOf[rule](snapshot));
        return isNewest && new Set(later).size < (policy[rule] ?? 0);
      }),
    )
    .map(({ id }) => id);
}

const POLICY = fc.record(Object.fromEntries(RULES.map((rule) => [rule, fc.integer({ min: 0, max: 9 })])));

test("a policy keeps exactly what the model keeps, for snapshots at any days", () => {
  const days = fc.array(fc.integer({ min: 0, max: 1500 }), { maxLength: 60 });
  fc.assert(
    fc.property(days, POLICY, (offsets, policy) => {
      const snapshots = offsets
        .toSorted((a, b) => a - b)
        .map((offset, index) => ({
          id: `s${index}`,
          day: new Date(Date.UTC(2023, 10, 1 + offset)).toISOString().slice(0, 10),
        }));
      expect([...keptBy(snapshots, policy).keys()].toSorted()).toEqual([...modelOf(snapshots, policy)].toSorted());
    }),
    { numRuns: 500 },
  );
});

describe.each(["Europe/Vienna", "America/St_Johns", "Pacific/Auckland", "UTC"])(
  "two years of nights at 02:30 in %s, over a leap day and four changes of the clock",
  (zone) => {
    // What `cron` does: once on every day of the place, at that hour or, where the clock skips it, within the next.
    const nights: { id: string; day: string }[] = [];
    for (let at = Date.UTC(2023, 5, 1); at < Date.UTC(2025, 5, 1); at += 600_000) {
      const { date, time } = inZone(at, zone);
      if (time >= "02:30:00" && date !== nights.at(-1)?.day) nights.push({ id: String(at), day: date });
    }

    test("every night has a day of its own, and a policy keeps exactly what the model keeps, night after night", () => {
      const days = nights.map(({ day }) => day);
      expect(new Set(days).size).toBe(days.length);
      expect(days).toContain("2024-02-29");
      expect(days.length).toBeGreaterThan(729);
      const policy = { last: 2, daily: 7, weekly: 5, monthly: 12, yearly: 3 };
      let kept: readonly { id: string; day: string }[] = [];
      for (const [index, night] of nights.entries()) {
        const all = [...kept, night];
        const ids = keptBy(all, policy);
        kept = all.filter(({ id }) => ids.has(id));
        // Forgetting every night keeps what forgetting once would keep of all nights, but for periods whose newest was gone already.
        if (index % 50 === 0) expect([...ids.keys()].toSorted()).toEqual([...modelOf(all, policy)].toSorted());
      }
      expect(kept.at(-1)).toEqual(nights.at(-1));
      // 31 May 2025 is a Saturday: 7 days, of the weeks before it 4 Sundays, of the months before it 11 last days, of the years before 2.
      if (zone === "UTC") {
        expect(kept.map(({ day }) => day)).toEqual([
          ...["2023-12-31", "2024-06-30", "2024-07-31", "2024-08-31", "2024-09-30", "2024-10-31", "2024-11-30"],
          ...["2024-12-31", "2025-01-31", "2025-02-28", "2025-03-31", "2025-04-30", "2025-05-04", "2025-05-11"],
          ...["2025-05-18", "2025-05-25", "2025-05-26", "2025-05-27", "2025-05-28", "2025-05-29", "2025-05-30"],
          "2025-05-31",
        ]);
      }
    });
  },
);

test("a snapshot is named by the beginning of its id, or counted back from the latest", () => {
  const all = ["aaaa1", "aaaa2", "bbbb3"].map((id) => ({ id }));
  expect(snapshotNamed(all, "bbbb")).toBe(all[2]);
  expect(snapshotNamed(all, "aaaa")).toBe("several");
  expect(snapshotNamed(all, "aaaa1")).toBe(all[0]);
  expect(snapshotNamed(all, "latest")).toBe(all[2]);
  expect(snapshotNamed(all, "latest~2")).toBe(all[0]);
  for (const none of ["latest~3", "cccc", "", "aaa", "latest~-1", "*"])
    expect(snapshotNamed(all, none)).toBeUndefined();
});
