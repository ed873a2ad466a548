import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emptyHome, runCli } from "./support/cli.ts";
import { type Received, type Reply, startServer } from "./support/http-server.ts";
import { someRuns, writeSheet } from "./support/small-sources.ts";
import { longDescribe, longTest } from "./support/tier-tests.ts";
import { inputs } from "./support/tiers.ts";

// Listings that no log gives: without an end, or with changing answers. A backup and an export read them, by the real command line.

const LOG = "/rest/logs/me";

/** The memory of a process that must not keep an endless listing. */
const LITTLE_MEMORY = { NODE_OPTIONS: "--max-old-space-size=192" };

/** A log whose listing of one kind is given by the test. It is otherwise empty. */
async function withListing(
  kind: string,
  list: (offset: number, index: number) => { readonly entries: readonly object[]; readonly numEntries?: number },
  work: (run: (...words: string[]) => ReturnType<typeof runCli>, folder: string) => Promise<void>,
  memory: Readonly<Record<string, string>> = {},
): Promise<void> {
  let index = 0;
  const server = await startServer(({ path, query }: Received): Reply => {
    if (path === "/rest/users/me") return { json: { code: 0, data: { screenName: "runner" } } };
    if (path === "/rest/users/me/preference")
      return {
        json: { code: 0, data: { preference: { distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C" } } },
      };
    if (path === `${LOG}/${kind}`) return { json: { code: 0, data: list(Number(query.get("offset") ?? 0), index++) } };
    const [, record, id] = /\/me\/(workout|course)s\/(.+)$/.exec(path) ?? [];
    if (record !== undefined) return { json: { code: 0, data: { [record]: { id, date: "2024-01-01" } } } };
    return { json: { code: 0, data: { entries: [], numEntries: 0 } } };
  });
  using home = emptyHome();
  const env = {
    LOGFERRY_URL: server.url,
    LOGFERRY_TOKEN: "a-token",
    LOGFERRY_RATE: "0",
    ...memory,
  };
  try {
    await work((...words) => runCli(home.path, words, { env }), home.path);
  } finally {
    await server.close();
  }
}

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, index) => ({ id: `w${from + index}` }));

longDescribe("a listing without an end", () => {
  // Some 14 MB a page. So the limit is reached by the memory the pages take, and not by the length of the listing.
  const notes = "x".repeat(140_000);
  const endless = (offset: number) => ({
    entries: ids(100, offset).map(({ id }) => ({ id, date: "2024-01-01", brandName: id, notes })),
  });

  longTest.each(["equipment", "workouts"])(
    "of %s ends a backup with a reason and exit code 6, in the memory of any other",
    async (kind) => {
      const work: Parameters<typeof withListing>[2] = async (run, folder) => {
        const ran = await run("backup", "--repository", join(folder, "repository"));
        expect(ran).toMatchObject({ code: 6, signal: null });
        expect(ran.err).toMatch(/the service lists more than (256|64) MB of entries, and no log has so many/);
      };
      await withListing(kind, endless, work, LITTLE_MEMORY);
    },
  );
});

describe("a listing that is said to have a thousand million entries", () => {
  const claimed = (offset: number) => ({
    entries: ids(100, offset).map(({ id }) => ({ id, date: "2024-01-01", brandName: id })),
    numEntries: 1e9,
  });

  test.each(["workouts", "equipment", "courses"].slice(0, inputs({ first: 1, long: 3 })))(
    "of %s ends a plan, an import, an export and a backup at its first page, with a reason and exit code 6",
    async (kind) => {
      let pages = 0;
      const counted = (offset: number) => {
        pages++;
        return claimed(offset);
      };
      await withListing(kind, counted, async (run, folder) => {
        const sheet = writeSheet(folder, someRuns(2));
        for (const words of [
          ["plan", sheet, "--zone", "UTC", "--activity", "run=1", "--journal", join(folder, "plan.db")],
          ["import", sheet, "--zone", "UTC", "--activity", "run=1", "--journal", join(folder, "import.db")],
          ["export", "--out", join(folder, "exported")],
          ["backup", "--repository", join(folder, "repository")],
        ]) {
          pages = 0;
          const ran = await run(...words);
          expect(ran.code, `${words[0]}: ${ran.out}${ran.err}`).toBe(6);
          expect(ran.err).toMatch(/the service says that there are 1000000000, and no log has more than 1000000/);
          expect(pages, words[0]).toBeLessThanOrEqual(3);
        }
      });
    },
  );
});

describe("a listing that contradicts itself", () => {
  const CASES: Record<string, Parameters<typeof withListing>[1]> = {
    "ignores the offset": () => ({ entries: ids(100), numEntries: 250 }),
    "ignores the offset and says no total": () => ({ entries: ids(100) }),
    "has a total that rises with each page": (offset, index) => ({
      entries: ids(100, offset).slice(0, offset < 300 ? 100 : 7),
      numEntries: 400 + index,
    }),
    "names 53 workouts by one id": (offset) => ({
      entries: offset === 0 ? ids(53).map(() => ({ id: "w" })) : [],
      numEntries: 53,
    }),
    "names 53 workouts by one id and says no total": (offset) => ({
      entries: offset === 0 ? ids(53).map(() => ({ id: "w" })) : [],
    }),
  };
  test.each(Object.entries(CASES).slice(0, inputs({ first: 2, long: 5 })))(
    "because it %s ends an export as it ends a backup: exit code 75, and says so",
    async (_what, list) => {
      await withListing("workouts", list, async (run, folder) => {
        expect(await run("backup", "--repository", join(folder, "repository"))).toMatchObject({ code: 75 });
        const out = join(folder, "log");
        const ran = await run("export", "--out", out, "--format", "json");
        expect(ran.code).toBe(75);
        expect(ran.out).toContain("The list of workouts contradicts itself");
        expect(existsSync(out)).toBe(false);
        const [partial, ...others] = readdirSync(folder).filter((name) => name.startsWith("log.partial-"));
        expect(others).toEqual([]);
        expect(ran.out).toContain(`${partial} holds what was read`);
      });
    },
  );

  test("is told once, by its place and its counts", async () => {
    await withListing(
      "workouts",
      () => ({ entries: ids(100), numEntries: 250 }),
      async (run, folder) => {
        const ran = await run("export", "--out", join(folder, "log"), "--format", "json");
        const told = ran.err.split("\n").filter((line) => line.includes("/rest/logs/me/workouts"));
        expect(told).toHaveLength(1);
        expect(told[0]).toContain("100 entries in 3 rounds");
      },
    );
  });

  test("of which every page came is exported as it is", async () => {
    await withListing(
      "workouts",
      (offset) => ({ entries: ids(100).slice(offset), numEntries: 100 }),
      async (run, folder) => {
        const out = join(folder, "log");
        expect(await run("export", "--out", out, "--format", "json")).toMatchObject({ code: 0, err: "" });
        expect(readdirSync(out)).toContain("log.json");
      },
    );
  });
});
