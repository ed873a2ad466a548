/** Rows 37 to 40: tokens that are refused, and the owners of tokens. */
import { expect } from "vitest";
import { addDemoUser } from "../../service/demo.ts";
import { someRuns, writeSheet } from "../support/small-sources.ts";
import type { Row } from "./row.ts";
import {
  errorsOf,
  expectDone,
  expectEachOnce,
  heldBy,
  jsonOf,
  lacking,
  markOf,
  openWorld,
  SAVES,
  summaryOf,
} from "./world.ts";

/** Both statuses that refuse a token. */
const REFUSALS = [401, 403] as const;

export const ACCESS: readonly Row[] = [
  {
    number: 37,
    fault: "the token is refused in the middle, by 401 or by 403",
    injected: "`revoke-token`",
    expected: "that is the end of its requests: exit 4, log in again; a new token goes on",
    async run() {
      for (const status of REFUSALS) {
        await using world = await openWorld({
          runs: someRuns(12),
          armed: [`revoke-token:${SAVES}:status=${status},nth=5`],
        });
        const stopped = await world.import({ flags: ["--concurrency", "4"] });
        expect(stopped.code, stopped.err).toBe(4);
        expect(errorsOf(stopped)).toHaveLength(1);
        expect(errorsOf(stopped)[0]).toMatch(/Log in again/);
        // Requests under way at the same moment may be refused too. Later requests may not.
        const refused = world.asked.all.filter((one) => one.status === status);
        expect(refused.length).toBeLessThanOrEqual(4);
        const token = await world.service.operator.addToken(world.userId);
        expectDone([await world.import({ command: "apply", env: { LOGFERRY_TOKEN: token } })]);
        await expectEachOnce(world);
      }
    },
  },
  {
    number: 38,
    fault: "of two accounts loaded side by side one is revoked",
    injected: "`revoke-token` for one of two processes",
    expected: "the other gets there, and neither log holds a run of the other's",
    scale: "two processes; a batch of many accounts is not part of logferry yet",
    async run() {
      await using world = await openWorld({ armed: [`revoke-token:${SAVES}:nth=7`] });
      const other = await addDemoUser(world.service, { units: "kilometres", utcOffset: 1, screenName: "other" });
      const theirs = someRuns(12, "2015-01-01");
      const sheet = writeSheet(`${world.folder}/theirs`, theirs, "theirs");
      const env = { LOGFERRY_TOKEN: other.token };
      const journal = `${world.folder}/theirs/journal.db`;
      const flags = ["--rate", "20"];
      const [mine, their] = await Promise.all([
        world.import({ flags }),
        world.import({ flags, env, journal, sources: [sheet], activities: [] }),
      ]);
      expect([mine.code, their.code].toSorted()).toEqual([0, 4]);
      const own = world.runs.map(markOf);
      const held = { mine: await heldBy(world), their: await heldBy({ service: world.service, userId: other.userId }) };
      expect(lacking(held.mine, own)).toEqual([]);
      expect(lacking(held.their, theirs.map(markOf))).toEqual([]);
      if (mine.code === 0) await expectEachOnce(world, false);
      else expect(lacking(theirs.map(markOf), held.their)).toEqual([]);
    },
  },
  {
    number: 39,
    fault: "the token is another user's than the journal",
    injected: "LOGFERRY_TOKEN of a second user",
    expected: "refused before anything is written, exit 2",
    async run() {
      await using world = await openWorld();
      expectDone([await world.import()]);
      const before = world.asked.writes().length;
      const other = await addDemoUser(world.service, { units: "kilometres", screenName: "somebody else" });
      const ran = await world.import({ env: { LOGFERRY_TOKEN: other.token } });
      expect(ran.code).toBe(2);
      expect(errorsOf(ran)[0]).toMatch(/somebody else/);
      expect(world.asked.writes()).toHaveLength(before);
    },
  },
  {
    number: 40,
    fault: "the token doesn't reach the user's profile",
    injected: "`status-before-commit` for the profile",
    expected: "the log is loaded all the same, and the journal is somebody's without a name",
    async run() {
      await using world = await openWorld({ armed: ["status-before-commit:GET /rest/users/me:status=403"] });
      const ran = await world.import();
      expectDone([ran]);
      expect(summaryOf(ran).ledger.created).toBe(world.runs.length);
      await expectEachOnce(world);
      expect(jsonOf(ran.out).filter(({ type }) => type === "error")).toEqual([]);
    },
  },
];
