/** Ctrl-C or SIGTERM while an archive behind an address doesn't come. By the real command line, against a server that withholds it. */
import { afterEach, beforeEach, expect } from "vitest";
import { type Received, type Reply, type ScriptedServer, startServer } from "./support/http-server.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { RUNKEEPER_FILES } from "./support/small-sources.ts";
import { rowTest, test } from "./support/tier-tests.ts";
import { chosenRows } from "./support/tiers.ts";
import { zipBytes } from "./support/zip-bytes.ts";

const EXPORT = zipBytes(RUNKEEPER_FILES);

function part({ headers }: Received): Reply {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
  const body = EXPORT.subarray(Number(from), Number(to) + 1);
  const range = `bytes ${from}-${Number(from) + body.length - 1}/${EXPORT.length}`;
  return { status: 206, headers: { etag: '"v1"', "content-range": range }, body };
}

/** A server's trouble, and what the command says by then. It says nothing about a request that is under way. */
const TROUBLES: Readonly<Record<string, { reply: (request: Received) => Reply; says?: RegExp }>> = {
  hangs: { reply: () => ({ fault: "silence" }) },
  "sends a byte now and then": { reply: (request) => ({ ...part(request), fault: "drip" }) },
  "asks for five minutes": {
    reply: () => ({ status: 429, headers: { "retry-after": "300" }, body: "" }),
    says: /tries again at (?:[\d-]+ )?\d\d:\d\d, as the server asks/,
  },
  "cuts every answer": {
    reply: (request) => ({ ...part(request), fault: "cut" }),
    says: /asks for the rest|tries again/,
  },
};

let rehearsal: Rehearsal;
let server: ScriptedServer | undefined;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await rehearsal.close();
});

/** Starts a command, and sends it the signal once it met the trouble. `isHit` gets each request with the number of those before it. */
async function stop(
  words: (address: string) => readonly string[],
  trouble: string,
  { signal, isHit }: { signal: "SIGINT" | "SIGTERM"; isHit: (request: Received, index: number) => boolean },
): Promise<Ran & { readonly askedAfterwards: number }> {
  const { reply, says } = TROUBLES[trouble] ?? {};
  const { promise: met, resolve } = Promise.withResolvers<void>();
  let hits = 0;
  server = await startServer((request, index) => {
    if (reply === undefined || !isHit(request, index)) return part(request);
    hits++;
    if (says === undefined) resolve();
    return reply(request);
  });
  const { child, ended } = rehearsal.start(words(`${server.url}/a.zip`));
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said += chunk;
    if (says?.test(said) === true) resolve();
  });
  await Promise.race([met, ended]);
  expect(hits, said).toBeGreaterThan(0);
  const before = server.requests.length;
  child.kill(signal);
  const ran = await ended;
  return { ...ran, askedAfterwards: server.requests.length - before };
}

const COMMANDS = [
  ["inspect", "Stopping: reading ends here. Once more ends at once.", "Stopped: not everything was read.", "SIGTERM"],
  [
    "plan",
    "Stopping: reading ends here, and no plan is made. Your log is unchanged. Once more ends at once.",
    "Stopped before anything was changed.",
    "SIGINT",
  ],
] as const;
/** The first request finds the file. The second brings its first bytes. */
const CASES = COMMANDS.flatMap(([command, first, says, signal]) =>
  Object.keys(TROUBLES).map((trouble, at) => ({ command, first, says, signal, trouble, from: at === 0 ? 0 : 1 })),
);

/** Each of the commands, with another trouble. */
const IN_FIRST_TIER: readonly string[] = ["inspect asks for five minutes"];

rowTest.each(chosenRows(CASES, ({ command, trouble }) => IN_FIRST_TIER.includes(`${command} ${trouble}`)))(
  "$command is stopped at once by $signal while the server of its archive $trouble",
  async (one) => {
    const { command, first, says, trouble, from } = one;
    const isHit = (_request: Received, index: number) => index >= from;
    const ran = await stop((address) => [command, address], trouble, { signal: one.signal, isHit });
    expect(ran.err).not.toMatch(/Cannot|bug/);
    expect(ran.code, ran.err).toBe(130);
    expect(ran.err).toContain(`${first}\n`);
    expect(ran.out).toContain(says);
    // After a cut, logferry waits only a second. The next request may be on its way when the signal comes.
    if (trouble !== "cuts every answer") expect(ran.askedAfterwards).toBe(0);
  },
);

test("an import that is stopped while a file for its load hangs keeps the record planned, and loads it later", async () => {
  const words = (address: string) => ["import", address, "--zone", "UTC", ...rehearsal.activities];
  let isLoading = false;
  const isHit = ({ headers }: Received, index: number) => {
    isLoading ||= index >= 2 && headers["if-match"] === undefined;
    return isLoading;
  };
  const ran = await stop(words, "hangs", { signal: "SIGINT", isHit });
  expect(ran.err).not.toMatch(/Cannot|bug/);
  expect(ran.code, ran.err).toBe(130);
  expect(ran.err).toContain("Stopping: what is under way is finished. Once more ends at once.\n");
  expect(ran.out).toContain("Stopped early. 0 of 1 records are in your log");
  await server?.close();
  server = await startServer(part);
  const again = await rehearsal.run(words(`${server.url}/a.zip`));
  expect(again.code, again.out + again.err).toBe(0);
  expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(1);
});
