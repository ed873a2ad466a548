/** Device files that belong to a record and can't be used: the record goes without its track or its map, and that is counted and told. */

/** What is wrong with a file: it is not in the archive, nothing of it can be read, or only its beginning can. */
export type LostBecause = "missing" | "damaged" | "cut";

/** A file that a record should have come with. */
export interface LostFile {
  readonly because: LostBecause;
  /** As the source names it. */
  readonly name: string;
}

/** Records that go without a file of theirs, by what is wrong with it. */
export type LostFiles = Readonly<Record<LostBecause, number>>;

const BECAUSES: readonly LostBecause[] = ["damaged", "cut", "missing"];

/** None of any. */
export const NO_LOST_FILES: LostFiles = { missing: 0, damaged: 0, cut: 0 };

/** All of them. */
export function sumOfLost(lost: LostFiles | undefined): number {
  return lost === undefined ? 0 : BECAUSES.reduce((sum, because) => sum + lost[because], 0);
}

/** Both together. */
export function addLost(one: LostFiles, other: LostFiles): LostFiles {
  return {
    missing: one.missing + other.missing,
    damaged: one.damaged + other.damaged,
    cut: one.cut + other.cut,
  };
}

/** Kinds of records that have files, in the order they are told, each with the file's part in the log. */
const PARTS = { workout: "track", course: "map" } as const;

/** Records by their kind. */
export type LostByKind = Readonly<Partial<Record<keyof typeof PARTS, LostFiles | undefined>>>;

/** What is wrong with the files of some records of one kind, in a sentence without its full stop. */
export interface LostSentence {
  readonly because: LostBecause;
  readonly kind: keyof typeof PARTS;
  readonly text: string;
}

/**
 * `2 workouts go without their track, since their files are damaged`, one for each kind and cause.
 *
 * @param verb `go` of a plan, `went` of what was done
 */
export function describeLost(lost: LostByKind, verb: "go" | "went"): readonly LostSentence[] {
  return (["workout", "course"] as const).flatMap((kind) =>
    BECAUSES.flatMap((because) => {
      const n = lost[kind]?.[because] ?? 0;
      return n === 0 ? [] : [{ because, kind, text: sentenceFor(n, kind, because, verb) }];
    }),
  );
}

function sentenceFor(n: number, kind: keyof typeof PARTS, because: LostBecause, verb: "go" | "went"): string {
  const isOne = n === 1;
  const who = isOne ? `1 ${kind}` : `${grouped(n)} ${kind}s`;
  const does = verb === "go" && isOne ? "goes" : verb;
  const whose = isOne ? "its" : "their";
  const what = because === "cut" ? `with a part of ${whose} ${PARTS[kind]}` : `without ${whose} ${PARTS[kind]}`;
  const state = because === "missing" ? "missing" : "damaged";
  return `${who} ${does} ${what}, since ${whose} ${isOne ? "file is" : "files are"} ${state}`;
}

const GROUPED = new Intl.NumberFormat("en");

function grouped(n: number): string {
  return GROUPED.format(n).replaceAll(",", " ");
}
