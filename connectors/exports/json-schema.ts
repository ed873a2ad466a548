/**
 * The JSON Schema (draft 2020-12) of the JSON exports: the whole `log.json`, and each line of `log.ndjson`. It is made from the table of fields. It
 * is published as docs/log.schema.json, and every JSON export includes it.
 */
import { type ColumnType, KINDS, type RecordKind, SINGLE, TABLES } from "./tables.ts";

/** The name of the schema file in an export. */
export const SCHEMA_FILE = "log.schema.json";

/** The id of the schema for this version of the format. */
export const SCHEMA_ID = "urn:logferry:export:1";

type Schema = Record<string, unknown>;

const LEAVES: Readonly<Record<ColumnType, Schema>> = {
  text: { type: "string" },
  id: { type: "string" },
  // The export keeps the log's value, even if it is not whole and the document says integer.
  integer: { type: "number" },
  number: { type: "number" },
  date: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" },
  time: { type: "string", pattern: "^\\d{2}:\\d{2}:\\d{2}$" },
  boolean: { type: "boolean" },
  words: { type: "array", items: { type: "string" } },
};

/** Makes the schema. */
export function jsonSchema(): Schema {
  const kinds = Object.keys(KINDS) as RecordKind[];
  const $defs: Record<string, Schema> = {
    export: {
      description: "What this is, and when it was written",
      ...object({ format: { const: "logferry-export" }, version: { const: 1 }, exportedAt: { type: "string" } }, [
        "format",
        "version",
        "exportedAt",
      ]),
    },
    end: {
      description: "The last line: how many records came before it",
      ...object({ records: { type: "integer" } }, ["records"]),
    },
  };
  for (const kind of kinds) $defs[kind] = recordSchema(kind);
  const members: Record<string, Schema> = { export: ref("export") };
  for (const kind of kinds) {
    members[KINDS[kind].member] = SINGLE.has(kind) ? ref(kind) : { type: "array", items: ref(kind) };
  }
  const line = (kind: string): Schema => object({ kind: { const: kind }, value: ref(kind) }, ["kind", "value"]);
  $defs.log = { description: "log.json", ...object(members, ["export"]) };
  $defs.line = { description: "A line of log.ndjson", oneOf: ["export", ...kinds, "end"].map(line) };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: SCHEMA_ID,
    title: "A training log, as logferry exports it",
    anyOf: [ref("log"), ref("line")],
    $defs,
  };
}

function ref(name: string): Schema {
  return { $ref: `#/$defs/${name}` };
}

function object(properties: Schema, required: readonly string[] = []): Schema {
  return { type: "object", properties, additionalProperties: false, ...(required.length > 0 && { required }) };
}

/** The schema of a record, from the columns that lead into it. */
function recordSchema(kind: RecordKind): Schema {
  const root: Branch = { members: new Map() };
  for (const { kind: of, each, columns } of TABLES) {
    if (of !== kind) continue;
    for (const { path, type, meaning } of columns) {
      if (path === "#" || path.startsWith("^.")) continue;
      const steps = (each === undefined ? path : `${each}.0.${path}`).split(".");
      let branch: Branch = root;
      for (const step of steps.slice(0, -1)) {
        const known = branch.members.get(step);
        const next: Branch = known !== undefined && "members" in known ? known : { members: new Map() };
        branch.members.set(step, next);
        branch = next;
      }
      branch.members.set(steps.at(-1) ?? "", { leaf: { ...LEAVES[type], description: meaning } });
    }
  }
  const schema = schemaOf(root) as { properties: Schema };
  schema.properties.extra = {
    type: "object",
    description: "What the service answered beyond the interface: dotted path to the value as it came",
  };
  return schema;
}

interface Branch {
  readonly members: Map<string, Branch | { readonly leaf: Schema }>;
}

function schemaOf(branch: Branch | { readonly leaf: Schema }): Schema {
  if ("leaf" in branch) return branch.leaf;
  const member = branch.members.get("0");
  if (member !== undefined) return { type: "array", items: schemaOf(member) };
  return object(Object.fromEntries([...branch.members].map(([name, inner]) => [name, schemaOf(inner)])));
}
