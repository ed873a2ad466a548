/** The sink of a log without a name, with requests that are answered by hand. */
import { expect, test } from "vitest";
import { UnknownOutcomeError } from "../../connectors/errors.ts";
import type { Sink } from "../../connectors/sink.ts";
import { NAMELESS } from "../../pipelines/log/log-view.ts";
import { firstAlone, type Watched } from "./first-alone.ts";

const { signal } = new AbortController();

/** A log that counts its workouts, and what reached it. */
function log(name: string, answer: () => Promise<string> = async () => "1") {
  const counts = { total: 5, reads: 0, sent: [] as string[] };
  const send = (what: string) => {
    counts.sent.push(what);
    counts.total += what === "equipment" ? 0 : 1;
    return answer();
  };
  const unasked = async () => {
    throw new Error("nothing else is asked of this log");
  };
  const sink: Sink = {
    create: (kind) => send(kind),
    importFile: async () => [await send("file")],
    ...{ saveMap: unasked, read: unasked, replace: unasked },
  };
  const page = async () => {
    counts.reads++;
    return { entries: [], total: counts.total };
  };
  const session: Watched = { signal, sink, view: { account: { name }, page } };
  return { counts, session };
}

test("a log that its token names is not counted", async () => {
  const { counts, session } = log("ana");
  expect(await firstAlone(session)).toBe(session);
  expect(counts.reads).toBe(0);
});

test("all others wait for the first workout, and the log is counted once", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { counts, session } = log(NAMELESS, () => promise);
  const { sink } = await firstAlone(session);
  const sent = [sink.create("equipment", {}, signal), sink.create("workout", {}, signal)];
  sent.push(sink.create("workout", {}, signal), sink.create("workout", {}, signal));
  await new Promise(setImmediate);
  expect(counts.sent).toEqual(["equipment", "workout"]);
  resolve("1");
  await Promise.all(sent);
  expect(counts).toEqual({ total: 8, reads: 2, sent: ["equipment", "workout", "workout", "workout"] });
});

test("one workout more than were sent ends the load before the second is sent", async () => {
  const { counts, session } = log(NAMELESS);
  const { sink } = await firstAlone(session);
  await sink.create("workout", {}, signal);
  counts.total++;
  for (let time = 0; time < 2; time++)
    await expect(sink.create("workout", {}, signal)).rejects.toMatchObject({ code: "log/other-writer" });
  expect(counts.sent).toEqual(["workout"]);
});

test.each([
  ["a workout", (sink: Sink) => sink.create("workout", {}, signal), 1],
  ["a file with any number of workouts", (sink: Sink) => sink.importFile("fit", new Uint8Array(), signal), 3],
] as const)("the lost answer of %s doesn't end the load", async (_, first, made) => {
  let isLost = true;
  const { counts, session } = log(NAMELESS, async () => {
    if (isLost) throw new UnknownOutcomeError("api/lost", "the answer was lost");
    return "1";
  });
  const { sink } = await firstAlone(session);
  await expect(first(sink)).rejects.toThrow("lost");
  isLost = false;
  counts.total = 5 + made;
  await sink.create("workout", {}, signal);
  expect(counts.sent).toHaveLength(2);
});
