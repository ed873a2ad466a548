/** The table of platforms: what is read of each export, what is left, and how it was checked. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CONNECTORS } from "../connectors/registry.ts";

/** Values of a cell that are named; a platform may have dozens. */
const NAMED = 8;

/** What people have that is read as something else: its name, how to get it, and the page about it. */
const READ_AS_OTHERS: readonly (readonly [name: string, howToGet: string, page: string])[] = [
  [
    "Final Surge table",
    "Final Surge > Export workouts. Nobody wrote down its columns, so it needs a mapping file. The watch files are read without one.",
    "presets.md#final-surge",
  ],
  ["VeloViewer table", "VeloViewer > Activities. It needs a mapping file: start from ours.", "presets.md#veloviewer"],
  [
    "Wahoo ELEMNT folder",
    "The folder `exports/` of the device, or the app's folder in Dropbox. Its FIT files are read.",
    "../connectors/platforms/device-files/README.md",
  ],
  [
    "Zwift folder",
    "`Documents/Zwift/Activities` on your computer. Its FIT files are read.",
    "../connectors/platforms/device-files/README.md",
  ],
];

const HAS_NO_READS: Readonly<Record<string, string>> = {
  coros: "nothing alone: the table has laps and no date. Give the FIT file of the activity, which has both",
};

/** What docs/platforms.md says of each export: `index`, what you have and how you get it; `details`, what is read and left. @param root the project's folder */
export function platformPages(root: string): {
  readonly index: readonly string[];
  readonly details: readonly string[];
} {
  const index: string[][] = READ_AS_OTHERS.map(([name, howToGet, page]) => [`[${name}](${page})`, howToGet, "no"]);
  const details: string[] = [];
  for (const { name, title, howToGet, summary } of CONNECTORS) {
    const isChecked = existsSync(join(root, "test", "corpus", `${name}-samples.test.ts`)) ? "yes" : "no";
    index.push([`[${title}](#${anchorOf(title)})`, howToGet, isChecked]);
    const cases = existsSync(join(root, "fixtures", name)) ? readdirSync(join(root, "fixtures", name)).length : 0;
    const lines = linesIn(join(root, "connectors", "platforms", name));
    const page = `../connectors/platforms/${name}/README.md`;
    details.push(
      `### ${title}`,
      "",
      `- **Read:** ${HAS_NO_READS[name] ?? summary?.reads.join(", ") ?? `see [its page](${page})`}`,
    );
    if (summary && summary.unsupported.length > 0)
      details.push(`- **No field in the log:** ${some(summary.unsupported)}`);
    if (summary && summary.leaves.length > 0) details.push(`- **Files left:** ${summary.leaves.join("; ")}`);
    details.push(
      `- [Its page](${page}). Layouts tried: ${cases}. Checked on a real export: ${isChecked}. Lines of code: ${lines}.`,
      "",
    );
  }
  const rows = index.toSorted(([a = ""], [b = ""]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  const cells = rows.map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`);
  return {
    index: ["| what you have | how you get it | checked on a real export |", "|---|---|---|", ...cells],
    details,
  };
}

/** The place of a heading on its page, as GitHub names it. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** The exports that may name their owner, and those that name nobody, as a table. */
export function ownerLists(): readonly string[] {
  const named = (isNamed: boolean) =>
    CONNECTORS.filter(({ namesOwner }) => (namesOwner === true) === isNamed)
      .map(({ title }) => title)
      .join(", ");
  return [
    "| names its owner | exports |",
    "|---|---|",
    `| in a file about the account, or in the names of its files | ${named(true)} |`,
    `| not, as far as is known | ${named(false)} |`,
  ];
}

function some(names: readonly string[]): string {
  const more = names.length - NAMED;
  return more > 1 ? `${names.slice(0, NAMED).join("; ")}; and ${more} more` : names.join("; ");
}

/** Lines of the code of a platform, without its tests. */
function linesIn(folder: string): number {
  const files = globSync("**/*.ts", { cwd: folder }).filter((file) => !file.endsWith(".test.ts"));
  return files.reduce((sum, file) => sum + readFileSync(join(folder, file), "utf8").trimEnd().split("\n").length, 0);
}
