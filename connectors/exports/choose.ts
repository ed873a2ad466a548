/** Selects what a log exports: the kinds of records, and the fields of each. */
import { type Column, KINDS, type RecordKind, TABLES, type Table } from "./tables.ts";

/** The kinds and fields that an export contains. */
export interface Choice {
  /** Tables with their chosen columns, in the order of the log. A table without a chosen column is left out. */
  readonly tables: readonly Table[];
  /** The kinds of records that the export reads. */
  readonly kinds: ReadonlySet<RecordKind>;
  /** Keeps the chosen fields of a record; all fields if the person chose no fields. */
  readonly prune: (kind: RecordKind, value: object) => object;
  /** Whether the person chose fields. */
  readonly isPruned: boolean;
}

/** A word that matches no kind and no field, and the words that exist. */
export interface UnknownWord {
  readonly unknown: string;
  readonly known: readonly string[];
}

/** Every kind of record with every field. */
export const EVERYTHING: Choice = {
  tables: TABLES,
  kinds: new Set(Object.keys(KINDS) as RecordKind[]),
  prune: (_kind, value) => value,
  isPruned: false,
};

/** The words of `--kind`. */
export const KIND_WORDS: readonly string[] = Object.values(KINDS).map(({ word }) => word);

/**
 * Finds the kinds and columns that a person's words choose.
 *
 * @param kindWords words of `KIND_WORDS`; undefined for every kind
 * @param fieldWords column names, in the order that tables shall have. `notes` means the column of every table that has it, `workouts.notes` the
 *   column of one table; undefined for every field. A value brings its unit along: `distance` also means `distanceUnit`
 * @returns the choice; or the first unknown word
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

/**
 * Whether a column is the unit of the named one: `distanceUnit` belongs to `distance`. The `distanceUnit` of the user's preference belongs to no
 * value.
 */
function isUnitOf(column: Column, header: string, columns: readonly Column[]): boolean {
  return (
    column.name === `${header}Unit` && columns.some(({ name, path }) => name === header && path.endsWith(".value"))
  );
}

/** Members to keep, by name. `*` stands for every member of a list. An empty tree keeps the whole value. */
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

/** Keeps the parts of a value that the tree names; undefined if it names no part of it. */
function picked(value: unknown, tree: Tree): unknown {
  if (tree.size === 0) return value;
  if (Array.isArray(value)) {
    const inner = tree.get("*") ?? new Map();
    // An empty member stays in the list, so that the other members keep their numbers.
    return value.map((member) => picked(member, inner) ?? {});
  }
  if (typeof value !== "object" || value === null) return undefined;
  const kept = Object.entries(value)
    .filter(([name]) => tree.has(name))
    .map(([name, member]) => [name, picked(member, tree.get(name) ?? new Map())] as const)
    .filter(([, member]) => member !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
