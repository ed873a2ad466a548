/**
 * Names shoes and bikes that may be two of one name: an old Pegasus and a new one. A source that knows them by their name alone has one piece for
 * both, and two sources with one Pegasus each have one, too. A rest of more than a year is the trace that two of them leave.
 */
import { secondsBetween } from "../../../transforms/calendar.ts";
import { describeOrigin } from "../../../transforms/model/issue.ts";
import { inMetres } from "../../../transforms/units.ts";
import type { Journal } from "../../journal/journal.ts";
import type { LineOf, WorkoutLine } from "../../journal/line.ts";
import type { ComparisonContext } from "../compare/comparison.ts";
import { nameOfPiece } from "./gear-answers.ts";

type Piece = LineOf<"equipment">;

/** The longest rest of a shoe or a bike that needs no word, in days. */
const LONGEST_REST = 366;

/** Most pieces that the remark names. */
const MOST_NAMED = 6;

/** The use of a piece in a month. A rest of more than a year has whole months without use, so that months are fine enough. */
interface Month {
  first: string;
  last: string;
  /** The workout of the first day. */
  key: string;
  count: number;
  metres: number;
  /** The pieces that the sources name, by their keys. */
  readonly pieces: Set<string>;
}

/** A piece with its longest rest. */
interface Gap {
  readonly piece: Piece;
  readonly before: readonly Month[];
  readonly after: readonly Month[];
}

/** Names the pieces with a rest of more than a year. Call it after shoes were merged, and before the plan is compared with the log. */
export async function tellGearGaps(run: number, { journal, isOfLog, report }: ComparisonContext): Promise<void> {
  const pieces = new Map<string, Piece>();
  for await (const line of journal.lines(run, { state: ["planned", "merged"], kind: "equipment" }))
    if (line.kind === "equipment" && isOfLog?.(line.source) !== true)
      // Two tables of one kind may have one key. The line that stays is the piece.
      pieces.set(line.key, line.state === "planned" ? line : (pieces.get(line.key) ?? line));
  const groups = Map.groupBy(pieces.values(), (piece) => keptOf(piece, pieces).key);
  const unclear = new Set([...groups].flatMap(([key, members]) => (mayBeTwo(members) ? key : [])));
  if (unclear.size === 0) return;
  const gaps: Gap[] = [];
  for (const [key, months] of await monthsOf(run, journal, pieces, unclear)) {
    const [piece, gap] = [pieces.get(key), longestRest([...months.values()])];
    const next = gap?.after[0];
    // An earlier import that brought the later use has named it.
    if (piece !== undefined && gap !== undefined && next !== undefined && !(await isLoaded(next.key, journal)))
      gaps.push({ piece, ...gap });
  }
  if (gaps.length === 0) return;
  const rest = gaps.length > MOST_NAMED ? [`and ${gaps.length - MOST_NAMED} more`] : [];
  await report({
    ...{ severity: "warning", rule: "plan/gear-gap" },
    found: `perhaps two pieces of equipment with one name: ${[...gaps.slice(0, MOST_NAMED).map(describe), ...rest].join("; ")}`,
    expected: adviceOn(gaps, pieces),
  });
}

/** Whether nothing but a name says that these are one piece. A number of the platform, a serial number or a day of purchase says more. */
function mayBeTwo(members: readonly Piece[]): boolean {
  const [first] = members;
  const agrees = (field: "serial" | "purchaseDate") => {
    const value = first?.value[field];
    return value !== undefined && members.every((piece) => piece.value[field] === value);
  };
  if (agrees("serial") || agrees("purchaseDate")) return false;
  return members.length > 1 || (first !== undefined && isKnownByName(first));
}

/** Whether the key of a piece is its name. A platform's own number has none of it. */
function isKnownByName({ key, value: { brandName, modelName } }: Piece): boolean {
  const fold = (text: string) => text.normalize("NFC").toLowerCase().replace(/\s+/g, "");
  const at = key.indexOf(":equipment:");
  const name = fold(modelName ?? brandName ?? "");
  return at >= 0 && name !== "" && fold(key.slice(at)).includes(name);
}

function keptOf(piece: Piece, pieces: ReadonlyMap<string, Piece>): Piece {
  const seen = new Set<Piece>();
  let kept = piece;
  while (kept.state === "merged" && kept.duplicateOf !== undefined && !seen.has(kept)) {
    seen.add(kept);
    kept = pieces.get(kept.duplicateOf) ?? kept;
  }
  return kept;
}

/** The months of each piece. They grow with the pieces and their years, not with the workouts. */
async function monthsOf(
  run: number,
  journal: Journal,
  pieces: ReadonlyMap<string, Piece>,
  unclear: ReadonlySet<string>,
): Promise<Map<string, Map<string, Month>>> {
  const all = new Map<string, Map<string, Month>>();
  for await (const line of journal.lines(run, { state: ["planned"], kind: "workout" })) {
    if (line.kind !== "workout") continue;
    const named = pieces.get(line.value.equipment?.[0] ?? "");
    const kept = named && keptOf(named, pieces).key;
    if (named === undefined || kept === undefined || !unclear.has(kept)) continue;
    const months = all.get(kept) ?? new Map<string, Month>();
    all.set(kept, months);
    addUse(months, named.key, line);
  }
  return all;
}

function addUse(months: Map<string, Month>, piece: string, { key, value }: WorkoutLine): void {
  const { date } = value.start;
  if (date === undefined) return;
  const metres = value.distance === undefined ? 0 : inMetres(value.distance);
  const month = months.get(date.slice(0, 7)) ?? {
    first: date,
    last: date,
    key,
    count: 0,
    metres: 0,
    pieces: new Set(),
  };
  if (date < month.first) Object.assign(month, { first: date, key });
  if (date > month.last) month.last = date;
  month.count++;
  month.metres += metres;
  month.pieces.add(piece);
  months.set(date.slice(0, 7), month);
}

function longestRest(months: readonly Month[]): Pick<Gap, "before" | "after"> | undefined {
  const ordered = months.toSorted((a, b) => (a.first < b.first ? -1 : 1));
  let longest = LONGEST_REST;
  let at = 0;
  for (const [index, { first }] of ordered.entries()) {
    const previous = ordered[index - 1];
    const days = previous === undefined ? 0 : secondsBetween({ date: previous.last }, { date: first }) / 86_400;
    if (days > longest) [longest, at] = [days, index];
  }
  return at === 0 ? undefined : { before: ordered.slice(0, at), after: ordered.slice(at) };
}

async function isLoaded(key: string, journal: Journal): Promise<boolean> {
  return (await journal.remoteRecord(key)) !== undefined;
}

function describe({ piece, before, after }: Gap): string {
  const used = (months: readonly Month[]) => {
    const workouts = months.reduce((sum, { count }) => sum + count, 0);
    const km = months.reduce((sum, { metres }) => sum + metres, 0) / 1000;
    return `${workouts} ${workouts === 1 ? "workout" : "workouts"}, ${Math.round(km * 10) / 10} km`;
  };
  return `${nameOfPiece(piece)} (${describeOrigin(piece.origin)}) was last used on ${before.at(-1)?.last} (${used(before)} up to then), and next on ${after[0]?.first} (${used(after)} from then)`;
}

/** The words that make two of one. `--same-gear` does it where one source has the old piece and another one the new. */
function adviceOn(gaps: readonly Gap[], pieces: ReadonlyMap<string, Piece>): string {
  const [words] = gaps.flatMap(({ before, after }) => wordsFor(before, after, pieces) ?? []);
  const rename = "give the newer one a name of its own in its source";
  return words === undefined
    ? `one piece: it stays one. If you had two, ${rename}, and plan again`
    : `one piece: it stays one. If you had two, plan again with ${words} before you import. Where one source has both, ${rename}`;
}

function wordsFor(
  before: readonly Month[],
  after: readonly Month[],
  pieces: ReadonlyMap<string, Piece>,
): string | undefined {
  const [old, young] = [before, after].map((months) => new Set(months.flatMap((month) => [...month.pieces])));
  const [one, other] = [old, young].map((keys) => pieces.get([...(keys ?? [])][0] ?? ""));
  if (one === undefined || other === undefined || [...(old ?? [])].some((key) => young?.has(key))) return undefined;
  return `--same-gear "${nameOfPiece(one)}!=${nameOfPiece(other)}"`;
}
