/**
 * Writes what can be derived: a page for each command, the list of commands, and the tables of the README (connectors, exit codes). `npm run tables`
 * writes them, and so does `npm run docs`. A test fails when one is stale.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMMON_OPTIONS, optionOf } from "../cli/arguments/command.ts";
import { kebab, type OptionName, type OptionSpec, toVariable } from "../cli/arguments/options.ts";
import { type LoadedCommand, loadCommands } from "../cli/commands/index.ts";
import { EXIT_CODES } from "../cli/errors/exit-codes.ts";
import { jsonSchema } from "../connectors/exports/json-schema.ts";
import { CONNECTORS } from "../connectors/registry.ts";
import { reportSchema } from "../pipelines/report/schema.ts";
import { CONDITIONS, FAULT_KINDS, needOf } from "../service/faults/kinds.ts";
import { precedenceRows } from "../transforms/model/precedence.ts";

import { hostileTables } from "./hostile.ts";
import { limitTable } from "./limits.ts";
import { ownerLists, platformPages } from "./platforms.ts";
import { plausibilityTable, recordsTable } from "./plausibility.ts";
import { variantTable } from "./variants.ts";

const COMMANDS = await loadCommands();

const ROOT = join(import.meta.dirname, "..");

/** Every derived file: its path from the root, and what it must hold. */
export function derivedFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const command of COMMANDS) files.set(`docs/commands/${command.name}.md`, commandPage(command));
  files.set("README.md", readme());
  files.set("docs/commands.md", withTables("docs/commands.md", { commands: commandTable() }));
  files.set("docs/report.schema.json", `${JSON.stringify(reportSchema(), undefined, 2)}\n`);
  files.set("docs/log.schema.json", `${JSON.stringify(jsonSchema(), undefined, 2)}\n`);
  files.set("docs/hostile-inputs.md", withTables("docs/hostile-inputs.md", { hostile: hostileTables() }));
  files.set("docs/who-is-who.md", withTables("docs/who-is-who.md", { owners: ownerLists() }));
  files.set("docs/sources.md", withTables("docs/sources.md", { precedence: precedenceRows() }));
  const pages = platformPages(ROOT);
  files.set(
    "docs/platforms.md",
    withTables("docs/platforms.md", { platforms: pages.index, details: pages.details, variants: variantTable() }),
  );
  files.set("docs/limits.md", withTables("docs/limits.md", { limits: limitTable() }));
  files.set(
    "docs/plausibility.md",
    withTables("docs/plausibility.md", { limits: plausibilityTable(), records: recordsTable() }),
  );
  files.set(
    "docs/faults.md",
    withTables("docs/faults.md", { kinds: kindsOfFaults(), conditions: conditionsOfFaults() }),
  );
  return files;
}

function commandPage(command: LoadedCommand): string {
  const words = [
    "logferry",
    command.name,
    ...(command.positional === undefined ? [] : [`${command.positional.name.toUpperCase()}...`]),
  ];
  const lines = [
    `# logferry ${command.name}`,
    "",
    `${sentence(command.summary)}`,
    "",
    "```",
    `${words.join(" ")} [OPTIONS]`,
    "```",
    "",
    ...command.details.flatMap((paragraph) => [paragraph, ""]),
  ];
  if (command.positional !== undefined) lines.push(`- \`${command.positional.name}\`: ${command.positional.help}`, "");
  lines.push("## Examples", "", "```");
  for (const { line, does } of command.examples) lines.push(`# ${does}`, line);
  lines.push("```", "");
  for (const { title, rows } of command.tables ?? []) {
    lines.push(`## ${title}`, "", "| | |", "|---|---|");
    for (const [word, meaning] of rows) lines.push(`| \`${word}\` | ${meaning.replaceAll("|", "\\|")} |`);
    lines.push("");
  }
  lines.push("## Options", "", "| option | environment | meaning |", "|---|---|---|");
  for (const name of [...command.options, ...COMMON_OPTIONS]) lines.push(optionRow(name, optionOf(command, name)));
  lines.push(
    "",
    "Every option but those without a variable is also a key of the config file, under its flag's name. See [configuration](../configuration.md).",
    "",
  );
  return lines.join("\n");
}

function optionRow(name: OptionName, spec: OptionSpec): string {
  const alias = spec.alias === undefined ? "" : `-${spec.alias}, `;
  const metavar = spec.metavar === undefined ? "" : ` ${spec.metavar}`;
  const extra = [
    spec.choices === undefined ? undefined : `one of ${spec.choices.join(", ")}`,
    spec.default === undefined ? undefined : `default ${spec.default}`,
    spec.type === "strings" ? "may be repeated" : undefined,
  ].filter((part) => part !== undefined);
  const meaning = `${spec.help}${extra.length === 0 ? "" : ` (${extra.join("; ")})`}`.replaceAll("|", "\\|");
  return `| \`${alias}--${kebab(name)}${metavar}\` | ${spec.flagOnly === true ? "" : `\`${toVariable(name)}\``} | ${meaning} |`;
}

function kindsOfFaults(): string[] {
  const rows = FAULT_KINDS.map(({ name, does, target, parameters }) => {
    const settings = parameters.map((one) => `\`${one.name}\` ${one.expected} (${needOf(one)})`);
    return `| \`${name}\` | ${does} | \`${target}\` | ${settings.join("; ")} |`;
  });
  return ["| kind | the request it hits | of which requests | settings |", "|---|---|---|---|", ...rows];
}

function conditionsOfFaults(): string[] {
  return ["| condition | hits |", "|---|---|", ...CONDITIONS.map(({ form, means }) => `| \`${form}\` | ${means} |`)];
}

function readme(): string {
  return withTables("README.md", {
    connectors: [
      ...CONNECTORS.map(({ name, title }, index) => {
        const isLast = index === CONNECTORS.length - 1;
        return `[${title}](connectors/platforms/${name}/README.md)${isLast ? "." : ","}`;
      }),
    ],
    "exit codes": [
      "| code | meaning |",
      "|---:|---|",
      ...Object.values(EXIT_CODES).map(({ code, meaning }) => `| ${code} | ${meaning} |`),
    ],
  });
}

function commandTable(): string[] {
  const rows = COMMANDS.map(({ name, summary }) => `| [\`${name}\`](commands/${name}.md) | ${summary} |`);
  return ["| command | does |", "|---|---|", ...rows];
}

/** A page with its tables put where it has places for them. */
function withTables(path: string, tables: Readonly<Record<string, readonly string[]>>): string {
  let text = readFileSync(join(ROOT, path), "utf8");
  for (const [name, rows] of Object.entries(tables)) {
    const [begin, end] = [`<!-- ${name}: generated -->`, `<!-- ${name}: end -->`];
    const from = text.indexOf(begin);
    const to = text.indexOf(end);
    if (from === -1 || to === -1) throw new Error(`Cannot write ${path}: it has no place for the table of ${name}`);
    text = `${text.slice(0, from + begin.length)}\n${rows.join("\n")}\n${text.slice(to)}`;
  }
  return text;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

if (process.argv[1] === import.meta.filename) {
  for (const [path, text] of derivedFiles()) writeFileSync(join(ROOT, path), text);
}
