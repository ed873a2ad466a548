import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** logferry's own package. It is found from wherever this file runs. */
function ownPackage(): { readonly folder: string; readonly version: string } | undefined {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let up = 0; up < 4; up++) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      if (name === "logferry") return { folder, version };
    } catch {
      // This folder has no usable package.json, so the search goes one folder up.
    }
    folder = dirname(folder);
  }
  return undefined;
}

/** The version in package.json. */
export function packageVersion(): string {
  return ownPackage()?.version ?? "unknown";
}

/** The folder of package.json, above `bin/`. */
export function packageFolder(): string {
  return ownPackage()?.folder ?? dirname(dirname(fileURLToPath(import.meta.url)));
}
