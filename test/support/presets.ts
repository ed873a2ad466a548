/** The mapping files of docs/presets.md, each with its example. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A section with a mapping file and a table. */
export interface Preset {
  readonly title: string;
  readonly mapping: string;
  readonly table: string;
}

/**
 * Reads the page.
 *
 * @throws Error if it has none
 */
export function presets(): readonly Preset[] {
  const page = readFileSync(join(import.meta.dirname, "../../docs/presets.md"), "utf8");
  const found = page.split(/^## /m).flatMap((section) => {
    const block = (language: string) => section.split(`\`\`\`${language}\n`)[1]?.split("```")[0];
    const [mapping, table] = [block("yaml"), block("csv")];
    const title = section.split("\n")[0] ?? "";
    return mapping === undefined || table === undefined ? [] : [{ title, mapping, table }];
  });
  if (found.length === 0) throw new Error("docs/presets.md has no mapping file");
  return found;
}
