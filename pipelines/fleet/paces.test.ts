/** The shared pace as it stands in PostgreSQL. `leased-pacing.test.ts` has its laws, with a faked clock. */
import { expect, inject, test } from "vitest";
import { openFleetDatabase } from "./database.ts";
import { paceOf, pacesNow } from "./paces.ts";

test("slots that several workers lease from one row are each their own, and as far apart as the pace says", async () => {
  const address = await (await fetch(inject("newDatabases"))).text();
  await using database = await openFleetDatabase(address, new AbortController().signal);
  const host = "https://log.example";
  const leases = Array.from({ length: 12 }, async (_, index) => {
    const table = paceOf(database, host, 100);
    return table.lease({ worker: `worker ${index % 4}`, slots: 3, waiting: 3, ceiling: 100 });
  });
  const slots = (await Promise.all(leases)).flatMap((lease) => lease.slots).toSorted((a, b) => a - b);
  expect(slots.length).toBeGreaterThan(12);
  for (let i = 1; i < slots.length; i++) expect((slots[i] ?? 0) - (slots[i - 1] ?? 0)).toBeGreaterThanOrEqual(10.2);

  const [first = 0] = slots;
  const refusal = { startedAt: first, pauseMs: 5_000, account: "ana" };
  const { notBefore } = await paceOf(database, host, 100).turnedAway(refusal);
  const next = await paceOf(database, host, 100).lease({ worker: "another", slots: 3, waiting: 3, ceiling: 100 });
  expect(next).toMatchObject({ slots: [], notBefore });
  expect(await pacesNow(database)).toMatchObject([{ host, refused: 1 }]);
});
