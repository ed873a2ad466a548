import { writeFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { type Certified, selfSigned } from "../test/support/certificate.ts";
import { emptyHome, jsonLines, runCli } from "../test/support/cli.ts";
import { rehearse } from "../test/support/rehearsal.ts";
import { someRuns, writeSheet } from "../test/support/small-sources.ts";
import { longTest, rowTest, test } from "../test/support/tier-tests.ts";
import { chosenRows, firstOf } from "../test/support/tiers.ts";

// What goes wrong with the service is said once, in words a person can act on, however many records it concerns.

/** One thing that goes wrong, and the whole of what is said about it. */
interface Row {
  readonly what: string;
  readonly armed: string;
  readonly says: string;
  readonly code: number;
  readonly flags?: readonly string[];
}

const LATER = "Nothing was changed. Try again later. If it stays so, tell the people who run the service.";
const LOGIN =
  "The access token may be mistyped or cut short, or it was revoked. Log in again: logferry login --url HOST";
const FORBIDDEN =
  "The access token does not allow this: it may have been taken back in part. Log in again: logferry login --url HOST";
const AGAIN = "Run the same command again later: nothing is repeated.";

const EVERYTHING = "* /rest/**";
const SAVES = "POST /rest/logs/me/workouts";

/** At the first word with the service. */
const AT_FIRST: readonly Row[] = [
  {
    what: "429 for a week and a half",
    armed: `status-before-commit:${EVERYTHING}:status=429,retry-after=999999`,
    says: "Cannot read the preference: the service wants to be left alone for 278 hours, until DATE UTC\nLATER",
    code: 6,
  },
  {
    what: "429 again and again",
    armed: `status-before-commit:${EVERYTHING}:status=429,retry-after=0`,
    says: "Cannot read the preference: the service answered 429, 12 times in a row\nLATER",
    code: 6,
  },
  {
    what: "500",
    armed: `status-before-commit:${EVERYTHING}:status=500`,
    says: "Cannot read the preference: the service answered 500\nLATER",
    code: 6,
  },
  {
    what: "401",
    armed: `status-before-commit:${EVERYTHING}:status=401`,
    says: "The log at HOST doesn't accept this access token: it answered 401\nLOGIN",
    code: 4,
  },
  {
    what: "403",
    armed: `status-before-commit:${EVERYTHING}:status=403`,
    says: "Cannot read the preference: the service answered 403\nFORBIDDEN",
    code: 4,
  },
  {
    what: "a page of HTML",
    armed: `html-before-commit:${EVERYTHING}`,
    says: "Cannot read the preference: the service answered, but with a page, not JSON. Is the address right?\nLATER",
    code: 6,
  },
  {
    what: "a reset connection",
    armed: `reset-before-commit:${EVERYTHING}`,
    says: "Cannot reach the log at HOST: the connection was reset. Is the address right, and the service up?",
    code: 6,
  },
  {
    what: "no answer",
    armed: `hang-before-commit:${EVERYTHING}`,
    flags: ["--timeout", "1"],
    says: "Cannot reach the log at HOST: no answer came in time. Is the address right, and the service up?",
    code: 6,
  },
];

/** While forty workouts are being saved. */
const ON_THE_WAY: readonly Row[] = [
  {
    what: "500",
    armed: `status-before-commit:${SAVES}:status=500,nth=4..`,
    says: `Stopped: 5 answers of the service were lost one after the other (the last: Cannot save the workout: the service answered 500). ${AGAIN}`,
    code: 75,
  },
  {
    what: "a page of HTML",
    armed: `html-before-commit:${SAVES}:nth=4..`,
    says: `Stopped: 5 answers of the service were lost one after the other (the last: Cannot save the workout: the service answered, but with a page, not JSON. Is the address right?). ${AGAIN}`,
    code: 6,
  },
  {
    what: "a reset connection",
    armed: `reset-before-commit:${SAVES}:nth=4..`,
    says: `Stopped: 5 answers of the service were lost one after the other (the last: Cannot save the workout: the connection was reset). ${AGAIN}`,
    code: 75,
  },
  {
    what: "no answer",
    armed: `hang-before-commit:${SAVES}:nth=4..`,
    flags: ["--timeout", "1"],
    says: `Stopped: 5 answers of the service were lost one after the other (the last: Cannot save the workout: no answer came in time). ${AGAIN}`,
    code: 75,
  },
  {
    what: "401",
    armed: `revoke-token:${SAVES}:nth=4`,
    says: "Cannot save the workout: the service answered 401 (TEXT)\nLOGIN\nThen resume with: logferry apply",
    code: 4,
  },
  {
    what: "403",
    armed: `status-before-commit:${SAVES}:status=403,nth=4..`,
    says: "Cannot save the workout: the service answered 403\nFORBIDDEN\nThen resume with: logferry apply",
    code: 4,
  },
  {
    what: "429 for a week and a half",
    armed: `status-before-commit:${SAVES}:status=429,retry-after=999999,nth=4..`,
    says: `Stopped: Cannot save the workout: the service wants to be left alone for 278 hours, until DATE UTC. ${AGAIN}`,
    code: 75,
  },
];

/** The text with what differs each time taken out. */
function plain(text: string, host: string): string {
  return text
    .replaceAll(host, "HOST")
    .replaceAll(host.replace("http://", ""), "HOST")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "DATE UTC")
    .replaceAll(/(answered \d{3}) \([^()]*\)/g, "$1 (TEXT)")
    .replace(LATER, "LATER")
    .replace(LOGIN, "LOGIN")
    .replace(FORBIDDEN, "FORBIDDEN");
}

/** What stands on standard error besides the progress. */
function withoutProgress(err: string): string {
  return err
    .split("\n")
    .filter((line) => !/^(reading|loading|settling) /.test(line))
    .join("\n");
}

async function play({ armed, flags = [], says, code }: Row): Promise<void> {
  const rehearsal = await rehearse("kilometres", { database: ":memory:", faults: { armed: [armed] } });
  try {
    const sheet = writeSheet(rehearsal.folder, someRuns(40));
    const words = ["import", sheet, "--concurrency", "1", ...flags];
    const text = await rehearsal.run(words, { journal: join(rehearsal.folder, "text.db") });
    expect(plain(withoutProgress(text.err), rehearsal.service.url)).toBe(`${says}\n`);
    expect(text.code).toBe(code);
    const [core = ""] = says.split("\n");
    expect(plain(text.out, rehearsal.service.url)).not.toContain(core);

    if (armed.startsWith("revoke-token")) return;
    const json = await rehearsal.run([...words, "--json", "--settle", "0"]);
    const errors = jsonLines(json.out).filter(({ type }) => type === "error");
    expect(errors).toHaveLength(1);
    // A second run finds in doubt what the first one lost: what it met first is another record.
    expect(plain(String(errors[0]?.message), rehearsal.service.url)).toBe(says);
    expect(withoutProgress(json.err)).toBe("");
    expect(json.code).toBe(code);
  } finally {
    await rehearsal.close();
  }
}

/** The first tier has a refusal, an answer that tells nothing, and silence. test/matrix/ brings the others about, and counts their messages. */
rowTest.concurrent.each(chosenRows(AT_FIRST, ({ what }) => ["500", "401"].includes(what)))(
  "$what, at first: one message, and what to do",
  play,
);
rowTest.concurrent.each(firstOf(1, ON_THE_WAY))("$what, on the way: one message, and what to do", play);

/** Where there is no such service at all. */
async function tell(home: string, url: string, env: Readonly<Record<string, string>> = {}) {
  const words = ["whoami", "--url", url];
  const run = (more: readonly string[]) =>
    runCli(home, [...words, ...more], { env: { LOGFERRY_TOKEN: "notLookedAt", ...env } });
  const [text, json] = await Promise.all([run([]), run(["--json"])]);
  expect(text.out).toBe("");
  expect(json.err).toBe("");
  expect(json.code).toBe(text.code);
  expect(jsonLines(json.out)).toEqual([{ type: "error", message: text.err.trimEnd() }]);
  return text;
}

test("a port nobody listens at", async () => {
  using home = emptyHome();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const url = `http://127.0.0.1:${port}`;
  expect(await tell(home.path, url)).toMatchObject({
    code: 6,
    err: `Cannot reach the log at ${url}: nobody listens at the address of the service. Is the address right, and the service up?\n`,
  });
});

longTest("a name that leads nowhere", async () => {
  using home = emptyHome();
  // "invalid" is no domain and never will be (RFC 6761).
  expect(await tell(home.path, "https://log.invalid")).toMatchObject({
    code: 6,
    err: "Cannot reach the log at https://log.invalid: the name of the service's host can't be resolved. Is the address right, and the service up?\n",
  });
});

longTest.each([
  {
    what: "signed by nobody we know",
    certified: selfSigned({ host: "127.0.0.1" }),
    isKnown: false,
    says: "this computer does not trust the authority that signed its certificate (DEPTH_ZERO_SELF_SIGNED_CERT)",
  },
  {
    what: "expired",
    certified: selfSigned({ host: "127.0.0.1", from: Date.UTC(2020, 0, 1), to: Date.UTC(2021, 0, 1) }),
    isKnown: true,
    says: "its certificate has expired (CERT_HAS_EXPIRED)",
  },
  {
    what: "another host's",
    certified: selfSigned({ host: "other.example" }),
    isKnown: true,
    says: "its certificate is for another host (ERR_TLS_CERT_ALTNAME_INVALID)",
  },
] satisfies readonly { what: string; certified: Certified; isKnown: boolean; says: string }[])(
  "a certificate that is $what: nothing is sent",
  async ({ certified, isKnown, says }) => {
    using home = emptyHome();
    let asked = 0;
    const server = createTlsServer(certified, (_request, response) => {
      asked++;
      response.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const known = join(home.path, "known.pem");
      writeFileSync(known, certified.cert);
      expect(await tell(home.path, url, isKnown ? { NODE_EXTRA_CA_CERTS: known } : {})).toMatchObject({
        code: 2,
        err: `Cannot reach the log at ${url} safely: ${says}. Nothing was sent. Is the address right?\n`,
      });
      expect(asked).toBe(0);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  },
);
