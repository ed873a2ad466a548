/**
 * Device files that belong to a record and can't be used. The record is loaded without its track or its map, and logferry counts and
 * reports that.
 */
import { grouped } from "../text/grouped.ts";

/** The problem with a file: the archive doesn't contain it, logferry can't read any of it, or logferry can read only its beginning. */
export type LostBecause = "missing" | "damaged" | "cut";

/** The missing or damaged file of a record. */
export interface LostFile {
  readonly because: LostBecause;
  /** The file name, as the source writes it. */
  readonly name: string;
}

/** Numbers of records without their file, by the problem with the file. */
export type LostFiles = Readonly<Record<LostBecause, number>>;

/** All problems, in the order of the report. */
const PROBLEMS: readonly LostBecause[] = ["damaged", "cut", "missing"];

/** No lost files. */
export const NO_LOST_FILES: LostFiles = { missing: 0, damaged: 0, cut: 0 };

/** The total over all problems. */
export function sumOfLost(lost: LostFiles | undefined): number {
  return lost === undefined ? 0 : PROBLEMS.reduce((sum, because) => sum + lost[because], 0);
}

/** Adds two counts. */
export function addLost(one: LostFiles, other: LostFiles): LostFiles {
  return {
    missing: one.missing + other.missing,
    damaged: one.damaged + other.damaged,
    cut: one.cut + other.cut,
  };
}

/** The kinds of records that have files, in the order of the report. */
const KINDS = ["workout", "course"] as const;

type KindWithFiles = (typeof KINDS)[number];

/** The part of a record in the log that its file makes. */
const PARTS = { workout: "track", course: "map" } as const satisfies Record<KindWithFiles, string>;

/** Lost files by the kind of record. */
export type LostByKind = Readonly<Partial<Record<KindWithFiles, LostFiles | undefined>>>;

/** The problem with the files of some records of one kind, as a sentence without its full stop. */
export interface LostSentence {
  readonly because: LostBecause;
  readonly kind: KindWithFiles;
  readonly text: string;
}

/**
 * `2 workouts go without their track, since their files are damaged`, one sentence for each kind and problem.
 *
 * @param verb `go` for a plan, `went` for a finished run
 */
export function describeLost(lost: LostByKind, verb: "go" | "went"): readonly LostSentence[] {
  return KINDS.flatMap((kind) =>
    PROBLEMS.flatMap((because) => {
      const n = lost[kind]?.[because] ?? 0;
      return n === 0 ? [] : [{ because, kind, text: sentenceFor(n, kind, because, verb) }];
    }),
  );
}

function sentenceFor(n: number, kind: KindWithFiles, because: LostBecause, verb: "go" | "went"): string {
  const isOne = n === 1;
  const who = isOne ? `1 ${kind}` : `${grouped(n)} ${kind}s`;
  const does = verb === "go" && isOne ? "goes" : verb;
  const whose = isOne ? "its" : "their";
  const what = because === "cut" ? `with a part of ${whose} ${PARTS[kind]}` : `without ${whose} ${PARTS[kind]}`;
  const state = because === "missing" ? "missing" : "damaged";
  return `${who} ${does} ${what}, since ${whose} ${isOne ? "file is" : "files are"} ${state}`;
}
