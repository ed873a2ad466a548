/**
 * A backup by the real cron. It uses the real crontab of the person who runs this, and puts it back as it was. It takes a minute or two, since cron
 * goes by minutes. It changes something that belongs to the user, so it runs only by `npm run cron`.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as soon } from "node:timers/promises";
import { expect } from "vitest";
import { runCli } from "./cli.ts";
import { rehearse } from "./rehearsal.ts";

/** Installs a schedule of every minute, waits for its first backup, and removes it. Needs Debian's cron, and root to start it. */
export async function expectRealCronToFire(): Promise<void> {
  // There is no stand-in here: this test needs the real cron.
  expect(existsSync("/usr/sbin/cron") && process.getuid?.() === 0, "Debian's cron, as root").toBe(true);
  const log = await rehearse();
  const folder = join(log.folder, `ana's "100 %" $HOME`);
  mkdirSync(folder);
  const before = spawnSync("crontab", ["-l"], { encoding: "buffer" });
  // Cron sets HOME by the user's entry in passwd. So logferry's folders are named by variables, as people with folders of their own do.
  const env = Object.fromEntries(
    ["CONFIG", "DATA", "STATE", "CACHE"].map((name) => [`XDG_${name}_HOME`, join(folder, name)]),
  );
  const type = (...words: string[]) => runCli(homedir(), words, { env, input: log.token });
  const repository = join(folder, "my backups");
  const daemon = spawn("/usr/sbin/cron", ["-f", "-L", "15"], { stdio: "ignore" });
  try {
    expect(await type("login", "--url", log.service.url, "--token-stdin", "--no-keyring")).toMatchObject({ code: 0 });
    const words = ["--with", "crontab", "--repository", repository];
    expect(await type("schedule", "install", "--cron", "* * * * *", ...words)).toMatchObject({ code: 0 });
    const snapshots = join(repository, "snapshots");
    for (let tries = 0; tries < 200; tries++) {
      if (existsSync(snapshots) && readdirSync(snapshots).length > 0) break;
      await soon(1000);
    }
    expect(readdirSync(snapshots).length).toBeGreaterThan(0);
    const [runs = ""] = readdirSync(join(folder, "DATA", "logferry", "backups")).filter((name) =>
      name.endsWith(".log"),
    );
    expect(readFileSync(join(folder, "DATA", "logferry", "backups", runs), "utf8")).toMatch(/^\S+ success 0 Snapshot /);
    expect(await type("schedule", "remove", "--repository", repository)).toMatchObject({ code: 0 });
    expect(spawnSync("crontab", ["-l"], { encoding: "buffer" }).stdout.equals(before.stdout)).toBe(true);
  } finally {
    daemon.kill();
    if (before.status === 0) spawnSync("crontab", ["-"], { input: before.stdout });
    else spawnSync("crontab", ["-r"]);
    // Waits until commands that cron started in the meantime have ended.
    await soon(2000);
    await log.close();
  }
}
