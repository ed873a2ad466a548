import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The version in package.json, wherever this file runs from. */
export function packageVersion(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let up = 0; up < 4; up++) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      if (name === "logferry") return version;
    } catch {
      // Not here: one folder up.
    }
    folder = dirname(folder);
  }
  return "unknown";
}
