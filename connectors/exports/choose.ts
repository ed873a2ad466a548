/**
 * What of a log is exported: which records, and which fields of them.
 */
import { type Column, KINDS, type RecordKind, TABLES, type Table } from "./tables.ts";

/** What is exported. */
export interface Choice {
  /** Tables with the columns that were chosen, in the order of the log; none without a column. */
  readonly tables: readonly Table[];
  /** The kinds of records that are read at all. */
  readonly kinds: ReadonlySet<RecordKind>;
  /** What is left of a record: all of it where no fields were chosen. */
  readonly prune: (kind: RecordKind, value: object) => object;
  /** Whether fields were chosen. */
  readonly isPruned: boolean;
}

/** A word that names nothing, with those that would. */
export interface UnknownWord {
  readonly unknown: string;
  readonly known: readonly string[];
}

/** Everything. */
export const EVERYTHING: Choice = {
  tables: TABLES,
  kinds: new Set(Object.keys(KINDS) as RecordKind[]),
  prune: (_kind, value) => value,
  isPruned: false,
};

/** The words of `--kind`. */
export const KIND_WORDS: readonly string[] = Object.values(KINDS).map(({ word }) => word);

/** The words of `--fields`. */
export const FIELD_WORDS: readonly string[] = [
  ...new Set(TABLES.flatMap(({ columns }) => columns.map(({ name }) => name))),
];

/**
 * A choice.
 *
 * @param kindWords words of `KIND_WORDS`; undefined for every kind
 * @param fieldWords column names, in the order in which tables shall have them, each alone (`notes`, of every table that has it) or
 *   with its table (`workouts.notes`); undefined for every field. A value brings its unit along: `distance` is also `distanceUnit`
 * @returns the first word that names nothing, where there is one
 */
export function choose(
  kindWords: readonly string[] | undefined,
  fieldWords: readonly string[] | undefined,
): Choice | UnknownWord {
  const kinds = new Set(EVERYTHING.kinds);
  if (kindWords !== undefined) {
    const unknown = kindWords.find((word) => !KIND_WORDS.includes(word));
    if (unknown !== undefined) return { unknown, known: KIND_WORDS };
    for (const kind of kinds) if (!kindWords.includes(KINDS[kind].word)) kinds.delete(kind);
  }
  const ofKinds = TABLES.filter(({ kind }) => kinds.has(kind));
  if (fieldWords === undefined) return { ...EVERYTHING, tables: ofKinds, kinds };
  const known = ofKinds.flatMap(({ name, columns }) =>
    columns.flatMap((column) => [column.name, `${name}.${column.name}`]),
  );
  const unknown = fieldWords.find((word) => !known.includes(word));
  if (unknown !== undefined) {
    return { unknown, known: unknown.includes(".") ? known : known.filter((word) => !word.includes(".")) };
  }
  const tables = ofKinds
    .map((table) => ({ ...table, columns: chosenColumns(table, fieldWords) }))
    .filter(({ columns }) => columns.length > 0);
  const trees = new Map<RecordKind, Tree>();
  for (const table of tables) addToTree(trees, table);
  return {
    tables,
    kinds: new Set(tables.map(({ kind }) => kind)),
    prune: (kind, value) => (picked(value, trees.get(kind) ?? new Map()) ?? {}) as object,
    isPruned: true,
  };
}

function chosenColumns({ name, columns }: Table, words: readonly string[]): readonly Column[] {
  const chosen = words.flatMap((word) => {
    const header = word.startsWith(`${name}.`) ? word.slice(name.length + 1) : word;
    return columns.filter((column) => column.name === header || isUnitOf(column, header, columns));
  });
  return [...new Set(chosen)];
}

/** `distanceUnit` beside `distance`: the unit of the user's preference stands beside nothing. */
function isUnitOf(column: Column, header: string, columns: readonly Column[]): boolean {
  return (
    column.name === `${header}Unit` && columns.some(({ name, path }) => name === header && path.endsWith(".value"))
  );
}

/** Members to keep, by name, `*` for every member of a list; an empty tree keeps what is there whole. */
interface Tree extends Map<string, Tree> {}

function addToTree(trees: Map<RecordKind, Tree>, { kind, each, columns }: Table): void {
  const root: Tree = trees.get(kind) ?? new Map();
  trees.set(kind, root);
  for (const { path } of columns) {
    if (path === "#") continue;
    const steps = path.startsWith("^.") || each === undefined ? path.replace("^.", "") : `${each}.*.${path}`;
    let tree: Tree = root;
    for (const step of steps.split(".")) {
      const name = /^\d+$/.test(step) ? "*" : step;
      const next: Tree = tree.get(name) ?? new Map();
      tree.set(name, next);
      tree = next;
    }
  }
}

/** What of a value the tree keeps; undefined when nothing is left. */
function picked(value: unknown, tree: Tree): unknown {
  if (tree.size === 0) return value;
  if (Array.isArray(value)) {
    const inner = tree.get("*") ?? new Map();
    // A member of which nothing is left keeps its place: the others are numbered.
    return value.map((member) => picked(member, inner) ?? {});
  }
  if (typeof value !== "object" || value === null) return undefined;
  const kept = Object.entries(value)
    .filter(([name]) => tree.has(name))
    .map(([name, member]) => [name, picked(member, tree.get(name) ?? new Map())] as const)
    .filter(([, member]) => member !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
