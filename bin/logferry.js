#!/usr/bin/env node
// The entry that any Node can read: hands over to the Node that logferry needs, or refuses in one clear line.
import "./steady-memory.js";
import "./compile-cache.js";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const NEEDED = 24;
/** Tells the Node that takes over that the process before it holds the other end of its channel. */
const HANDED_OVER = "LOGFERRY_HANDED_OVER";
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const source = join(root, "cli", "main.ts");
const entry = existsSync(source) ? source : join(root, "dist", "cli", "main.js");

if (!existsSync(entry)) {
  console.error(`logferry is not whole: there is no ${entry}. Install it again.`);
  process.exitCode = 2;
} else if (Number(process.versions.node.split(".")[0]) >= NEEDED) {
  stopWithParent();
  const { main } = await import(pathToFileURL(entry).href);
  process.exitCode = await main(process.argv.slice(2));
} else {
  const node = installedNode();
  if (node === undefined) {
    console.error(`logferry needs Node ${NEEDED} or newer, and this is ${process.version}. See https://nodejs.org`);
    process.exitCode = 2;
  } else {
    const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
      // The channel closes when this process ends, by whatever means: the other one then stops, too.
      stdio: ["inherit", "inherit", "inherit", "ipc"],
      env: { ...process.env, [HANDED_OVER]: "yes" },
    });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
    child.on("exit", (code, signal) => {
      process.exitCode = code ?? 128 + (constants.signals[signal ?? "SIGKILL"] ?? 9);
    });
  }
}

/** Where an older Node handed over: when that one is gone, killed even, this one stops as by Ctrl-C. */
function stopWithParent() {
  if (process.env[HANDED_OVER] === undefined) return;
  delete process.env[HANDED_OVER];
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel?.unref();
}

/** The Node that npm installed beside logferry (its dev dependency `node`), if it did. */
function installedNode() {
  try {
    const path = join(dirname(createRequire(import.meta.url).resolve("node/package.json")), "bin", "node");
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
