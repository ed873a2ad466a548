import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { expectDone, expectEachOnce, heldBy, openWorld } from "./matrix/world.ts";
import { COMPILED } from "./support/compiled.ts";
import { ROOT } from "./support/rehearsal.ts";
import { startRepeatingProxy } from "./support/repeating-proxy.ts";
import { someRuns } from "./support/small-sources.ts";

/** The entry runs under a Node that claims to be an older one. The Node beside logferry takes over. */
function olderEntry(folder: string): string {
  const script = join(folder, "older.mjs");
  const entry = pathToFileURL(join(ROOT, "bin", "logferry.js")).href;
  writeFileSync(
    script,
    `Object.defineProperty(process, "version", { value: "v20.19.0" });
     Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } });
     await import(${JSON.stringify(entry)});`,
  );
  return script;
}

test("when the Node that handed over is killed with SIGKILL, the one that took over finishes what is under way and stops", async () => {
  await using world = await openWorld({ runs: someRuns(20) });
  const isHeld = Promise.withResolvers<void>();
  await using proxy = await startRepeatingProxy(world.service.url, (method, path, index) => {
    if (method !== "POST" || path !== "/rest/logs/me/workouts" || index !== 3) return "once";
    isHeld.resolve();
    return "held";
  });
  const env = { LOGFERRY_URL: proxy.url };
  const words = world.importWords({ flags: ["--concurrency", "1"] }).filter((word) => word !== "--json");
  const child = spawn(process.execPath, [olderEntry(world.folder), ...words], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH ?? "",
      HOME: world.folder,
      ...COMPILED,
      ...env,
      LOGFERRY_TOKEN: world.token,
      LOGFERRY_JOURNAL: join(world.folder, "journal.db"),
      LOGFERRY_RATE: "0",
    },
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => {
    err += chunk;
    // The process said that it stops, so the answer it waits for may come.
    if (err.includes("Stopping")) void proxy.letGo();
  });
  await isHeld.promise;
  child.kill("SIGKILL");
  // The output is open for as long as the process that took over lives.
  await once(child, "close");
  expect(await heldBy(world), out + err).toHaveLength(4);
  expect(out, err).toContain("Stopped early. 4 of 20 records are in your log");
  expect(existsSync(join(world.folder, "journal.db.seal"))).toBe(true);
  const again = await world.import({ env });
  expectDone([again]);
  await expectEachOnce(world, false);
});
