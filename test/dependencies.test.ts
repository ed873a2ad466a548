import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// The packages logferry needs. Every one is named with its reason in docs/dependencies.md. Each is new enough to have the known fixes. Its licence
// must not bind the people who use logferry.

const ROOT = join(import.meta.dirname, "..");

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly dev?: true;
}

const manifest: Record<"dependencies" | "devDependencies", Record<string, string>> = JSON.parse(
  readFileSync(join(ROOT, "package.json"), "utf8"),
);
const lock: { readonly packages: Record<string, Locked> } = JSON.parse(
  readFileSync(join(ROOT, "package-lock.json"), "utf8"),
);
const page = readFileSync(join(ROOT, "docs", "dependencies.md"), "utf8");

/** Every locked package but the root, wherever it is nested. */
const locked = Object.entries(lock.packages)
  .filter(([path]) => path !== "")
  .map(([path, entry]) => ({ name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length), ...entry }));

/** Rows of a table under a heading of the page, a list of cells each. */
function tableUnder(heading: string): string[][] {
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  return (section.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(1)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

function namesUnder(heading: string): string[] {
  return tableUnder(heading)
    .flatMap(([names = ""]) => names.split(", "))
    .toSorted();
}

test.each([
  ["At run time", "dependencies"],
  ["For developing", "devDependencies"],
] as const)("the page's table %j names exactly the packages of package.json's %s", (heading, key) => {
  expect(namesUnder(heading)).toEqual(Object.keys(manifest[key]).toSorted());
});

test("every row of the page says why the package is here, and its licence as the lock file has it", () => {
  for (const heading of ["At run time", "For developing"]) {
    for (const row of tableUnder(heading)) {
      expect((row.at(-1) ?? "").length, row[0]).toBeGreaterThan(3);
      for (const name of (row[0] ?? "").split(", ")) {
        expect(locked.find((one) => one.name === name)?.license, name).toBe(row[1]);
      }
    }
  }
});

test("versions are exact, so that a machine gets what was tested", () => {
  const loose = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  );
  expect(loose).toEqual([]);
});

/**
 * The oldest version without a hole that is known to us, and the advisories that closed it. A floor is raised when an advisory appears. These tests
 * do not use the network.
 */
const FLOORS: Readonly<Record<string, { readonly floor: string; readonly because: string }>> = {
  undici: {
    floor: "7.30.2",
    because:
      "CVE-2025-47279, CVE-2026-22036, -1525, -1526, -1527, -1528, -2229, -2581, -13697, -85008, -109829, -116592, -120474, -116630",
  },
  fastify: {
    floor: "5.12.2",
    because: "CVE-2025-32442, CVE-2026-25223, -25224, -3419, -3635, -33806, -84428",
  },
  "@xmldom/xmldom": {
    floor: "0.9.12",
    because:
      "CVE-2021-21366, -32796, CVE-2022-37616, -39353, CVE-2026-34601, -41672, and eleven closed in 0.9.12 alone",
  },
  "fit-file-parser": { floor: "4.1.0", because: "4.1.0 rejects structurally unsafe inputs" },
  "fast-csv": { floor: "4.3.6", because: "CVE-2020-26256" },
  yauzl: { floor: "3.2.1", because: "CVE-2026-31988" },
};

test.each(Object.entries(FLOORS))(
  "B2 no locked version of %s is older than the fixes we know of",
  (name, { floor, because }) => {
    const versions = locked.filter((one) => one.name === name).map(({ version }) => version);
    expect(versions.length).toBeGreaterThan(0);
    expect(
      versions.filter((version) => isOlder(version, floor)),
      because,
    ).toEqual([]);
  },
);

test("the dead package xmldom, without its scope, is nowhere", () => {
  expect(locked.filter(({ name }) => name === "xmldom")).toEqual([]);
});

function isOlder(version: string, floor: string): boolean {
  const [a, b] = [version, floor].map((text) => text.split("-")[0]?.split(".").map(Number) ?? []) as [
    number[],
    number[],
  ];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at !== -1 && (a[at] ?? 0) < (b[at] ?? 0);
}

test("older is by number, not by letter", () => {
  expect(isOlder("7.9.0", "7.30.2")).toBe(true);
  expect(isOlder("7.30.1", "7.30.2")).toBe(true);
  expect(isOlder("7.30.2", "7.30.2")).toBe(false);
  expect(isOlder("8.0.0", "7.30.2")).toBe(false);
});

/** Licences that ask only to be named. */
const ALLOWED = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "CC0-1.0",
  "0BSD",
  "BlueOak-1.0.0",
  "Unlicense",
]);

test("every package that is there at run time, however deep, has a licence that asks for no more than to be named", () => {
  const runtime = locked.filter(({ dev }) => dev !== true);
  expect(runtime.length).toBeGreaterThan(Object.keys(manifest.dependencies).length);
  // `(MIT OR CC0-1.0)`: whoever uses it chooses one.
  const isAllowed = (license = "") =>
    license
      .replace(/^\((.*)\)$/, "$1")
      .split(" OR ")
      .some((one) => ALLOWED.has(one));
  const others = runtime.filter(({ license }) => !isAllowed(license));
  expect(others.map(({ name, version, license }) => `${name} ${version}: ${license}`)).toEqual([]);
});
