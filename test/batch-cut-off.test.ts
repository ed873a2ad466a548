/** A batch that is cut off while it makes its certificates: the same command goes on in the same folder. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { passOn, startServer } from "./support/http-server.ts";
import { rehearse } from "./support/rehearsal.ts";
import { addMember, rowOf, writeRoster } from "./support/team.ts";

test("the folder of the reports is a batch's from the first certificate on", async () => {
  const rehearsal = await rehearse();
  onTestFinished(() => rehearsal.close());
  const member = await addMember(rehearsal.service, join(rehearsal.folder, "team"), 1);
  const folder = join(rehearsal.folder, "results");
  const seen: boolean[] = [];
  const way = await startServer(async (request) => {
    if (existsSync(join(folder, "athletes"))) seen.push(existsSync(join(folder, "overview.json")));
    return passOn(rehearsal.service.url, request);
  });
  onTestFinished(() => way.close());
  const roster = writeRoster(join(rehearsal.folder, "roster.csv"), [rowOf(member)]);
  const words = ["batch", roster, "--report", folder, "--certify"];
  const ran = await rehearsal.run(words, { env: { LOGFERRY_URL: way.url } });
  expect(ran.code, ran.out + ran.err).toBe(0);
  expect([...new Set(seen)], "what each request for the certificate found").toEqual([true]);
});
