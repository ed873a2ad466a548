import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { deleteWorkout } from "./support/delete-workout.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { writeSheet } from "./support/small-sources.ts";
import { startsInLog } from "./support/starts-in-log.ts";
import { longTest, test } from "./support/tier-tests.ts";

// An answer about two records that was a mistake: the ids of two days, or two workouts that are one after all.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

/** A run of 10 km on each day. */
const sheet = (name: string, time: string, ...days: readonly string[]) =>
  writeSheet(
    join(rehearsal.folder, name),
    days.map((date) => ({ date, time, km: 10, seconds: 3_000 })),
    name,
  );
const review = (...words: readonly string[]) => rehearsal.run(["plan", "review", ...words]);
const both = () => [
  sheet("watch", "07:00", "2024-05-01", "2024-06-14"),
  sheet("phone", "07:01", "2024-05-01", "2024-06-14"),
];

/** The id in the log of a record of a sheet. */
async function idOf(place: string): Promise<string> {
  const { out } = await rehearsal.run(["explain", place, "--json"]);
  const record = jsonLines(out).find(({ type }) => type === "history")?.remoteRecord as { id: string } | undefined;
  return record?.id ?? "";
}

test.each(["one", "two"])(
  "two records of two days are refused as %s with the days between, unless the person insists",
  async (word) => {
    await rehearsal.run(["plan", ...both()]);
    const refused = await review("--answer", `watch.csv:3+phone.csv:2=${word}`);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toContain(
      "the two are 44 days apart, watch.csv line 3 on 2024-06-14 and phone.csv line 2 on 2024-05-01",
    );
    expect((await review("--list")).out).not.toContain("you said");
    expect(await review("--answer", `watch.csv:3+phone.csv:2=${word}`, "--yes")).toMatchObject({ code: 0 });
    // An answer that was given may be given again.
    expect(await review("--answer", `watch.csv:3+phone.csv:2=${word}`)).toMatchObject({ code: 0 });
  },
);

longTest(
  "of two that the log has as one, a plan of one of them says that the next import makes two of them, and it does",
  async () => {
    const [watch, phone] = both() as [string, string];
    await rehearsal.run(["import", watch, phone]);
    const id = await idOf("watch.csv:2");
    await rehearsal.run(["plan", phone]);
    const said = await review("--answer", `phone.csv:2+${id}=two`);
    expect(said).toMatchObject({ code: 0 });
    expect(said.out).toContain(
      `two workouts. Both are in your log as one workout, ${id}. The next import loads the other one as a workout of its own, and gives the first its own values.`,
    );
    expect(said.out).toContain("For 1 pair it counts from the next plan on.");
    expect(await rehearsal.run(["import", phone])).toMatchObject({ code: 0 });
    expect(await startsInLog(rehearsal)).toEqual(["07:00 10", "07:00 10", "07:01 10"]);
  },
);

test.each(["watch.csv", "phone.csv"])(
  "of two that are one after all, the log has one once the owner deleted that of %s, and all records are accounted for",
  async (deleted) => {
    const sources = both();
    await rehearsal.run(["plan", ...sources]);
    const pair = "watch.csv:2+phone.csv:2";
    await review("--answer", `${pair}=two`);
    expect((await rehearsal.run(["apply"])).out).toContain("4 of 4 records are in your log, as 3 workouts, each once.");
    const [one, other] = [await idOf("watch.csv:2"), await idOf("phone.csv:2")];
    const { out } = await review("--forget", "all");
    expect(out).toContain(
      `forgotten. Both are in your log, as ${one} and ${other}, and stay two there. If they are one workout, answer `,
    );
    deleteWorkout(join(rehearsal.folder, "service.db"), await idOf(`${deleted}:2`));
    const again = await rehearsal.run(["import", ...sources]);
    expect(again).toMatchObject({ code: 0 });
    expect(again.out).toContain(
      "Done. 4 of 4 records are in your log, as 2 workouts, each once. Check it with: logferry verify",
    );
    expect(again.out).not.toContain("plan/same-time");
    expect(await startsInLog(rehearsal)).toHaveLength(2);
    expect(await rehearsal.run(["verify"])).toMatchObject({ code: 0 });
  },
);
