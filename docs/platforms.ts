/** The table of platforms: what is read of each export, what is left, and how it was checked. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CONNECTORS } from "../connectors/registry.ts";

/** Values of a cell that are named; a platform may have dozens. */
const NAMED = 8;

/** The rows of docs/platforms.md. @param root the project's folder */
export function platformTable(root: string): readonly string[] {
  const rows = CONNECTORS.map(({ name, title, howToGet, summary }) => {
    const folder = join(root, "connectors", "platforms", name);
    const cases = existsSync(join(root, "fixtures", name)) ? readdirSync(join(root, "fixtures", name)).length : 0;
    const sample = existsSync(join(root, "test", "corpus", `${name}-samples.test.ts`)) ? "yes" : "no";
    return [
      `[${title}](../connectors/platforms/${name}/README.md)`,
      howToGet,
      summary?.reads.join(", ") ?? "see its page",
      some(summary?.unsupported ?? []),
      summary?.leaves.join("; ") ?? "",
      String(cases),
      sample,
      String(linesIn(folder)),
    ];
  });
  const heads =
    "export|how to get it|what is read|counted, since no log has a field for it|files that are left, and why|layouts tried|checked on a real export|lines of code";
  return [
    `| ${heads.replaceAll("|", " | ")} |`,
    "|---|---|---|---|---|---:|---|---:|",
    ...rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`),
  ];
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
    `| where the export has the account's file | ${named(true)} |`,
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
