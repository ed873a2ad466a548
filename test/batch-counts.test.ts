/** What a batch says of workouts that the network sent twice, and how a fleet's batch ends that is stopped at its certificates. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { env, logOf, rehearsal, team, useFleet } from "./support/fleet.ts";
import { passOn, type Received, startServer } from "./support/http-server.ts";
import { rowOf, writeRoster } from "./support/team.ts";

useFleet();

/** A way to the log that sees each request before it goes on. */
async function wayThat(sees: (request: Received) => unknown): Promise<string> {
  const way = await startServer(async (request) => {
    await sees(request);
    return passOn(rehearsal.service.url, request);
  });
  onTestFinished(() => way.close());
  return way.url;
}

test("a workout that is there twice is counted once: it isn't said to differ from the plan, too", async () => {
  const [ana] = await team(131, 1);
  if (ana === undefined) throw new Error("no athlete");
  let isRepeated = false;
  const url = await wayThat((request) => {
    if (isRepeated || request.method !== "POST" || !request.path.endsWith("/fit")) return undefined;
    isRepeated = true;
    return passOn(rehearsal.service.url, request);
  });
  const roster = writeRoster(join(rehearsal.folder, "twice.csv"), [{ ...rowOf(ana), url }]);
  const ran = await rehearsal.run(["batch", roster]);
  expect(ran.code, ran.out).toBe(3);
  expect(await logOf(ana)).toHaveLength(3);
  expect(ran.err).toContain("the log holds 1 more than it should");
  expect(ran.err).not.toContain("differ from what was planned");
});

test("a fleet's batch that is stopped while it makes certificates ends with 130", async () => {
  const athletes = await team(141, 2);
  let stops: (() => void) | undefined;
  const url = await wayThat(() => {
    stops?.();
    stops = undefined;
  });
  const roster = writeRoster(
    join(rehearsal.folder, "stopped.csv"),
    athletes.map((one) => ({ ...rowOf(one), url })),
  );
  expect((await rehearsal.run(["batch", roster, "--detach"], { env })).code).toBe(0);
  expect((await rehearsal.run(["worker", "--until-empty"], { env })).code).toBe(0);
  const worker = rehearsal.start(["worker"], { env });
  const words = ["batch", roster, "--report", join(rehearsal.folder, "stopped"), "--certify"];
  const { child, ended } = rehearsal.start(words, { env });
  // Whoever was done before costs no request, so the first one is that of a certificate.
  stops = () => child.kill("SIGTERM");
  const { code, out, err } = await ended;
  worker.child.kill("SIGTERM");
  await worker.ended;
  expect(code, out + err).toBe(130);
  expect(out + err).toContain("No certificate: it was stopped. Run the same batch again.");
  expect(out).not.toContain("Done.");
});
