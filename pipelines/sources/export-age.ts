/** Tells which of two exports of one platform is the newer one, by what the exports themselves show. */
import type { Archive } from "../../connectors/containers/archive.ts";
import type { ReadContext } from "../../connectors/contract.ts";
import { FatalError } from "../../connectors/errors.ts";
import { addDays, type LocalDate } from "../../transforms/calendar.ts";
import type { OpenedSource } from "./sources.ts";

/** What shows the age of an export. */
export interface ExportAge {
  /** The day of its newest workout. */
  readonly newest: LocalDate | undefined;
  /** The last change of a file in it, in milliseconds since 1970. */
  readonly changedAt: number | undefined;
  /** The number of its workouts, if they were counted. */
  readonly workouts?: number;
}

/** Sorts exports, the newest first: by their newest workout, then by the times of their files, then by their number of workouts. */
export function newerFirst(a: ExportAge, b: ExportAge): number {
  if (a.newest !== b.newest) return (a.newest ?? "") < (b.newest ?? "") ? 1 : -1;
  if (a.changedAt !== undefined && b.changedAt !== undefined && a.changedAt !== b.changedAt)
    return b.changedAt - a.changedAt;
  return (b.workouts ?? 0) - (a.workouts ?? 0);
}

/** Whether two exports show which of them is the newer one. That one has more workouts says nothing: somebody may have deleted some since. */
export function isNewer(a: ExportAge, b: ExportAge): boolean {
  return newerFirst({ ...a, workouts: 0 }, { ...b, workouts: 0 }) < 0;
}

/** A source in the order of reading, with its age, where it is one of several exports of one platform. */
export interface AgedSource {
  readonly index: number;
  readonly age?: ExportAge;
}

/** A mapping is written long after the sheet that it explains. */
const MAPPING = /\.map\.ya?ml$/i;

/** The last change of a file in an archive, except mapping files; undefined if the archive has no times. */
export function lastChangeIn(archive: Archive): number | undefined {
  let last: number | undefined;
  for (const { path, modifiedAt } of archive.entries())
    if (modifiedAt !== undefined && !MAPPING.test(path) && (last === undefined || modifiedAt > last)) last = modifiedAt;
  return last;
}

/**
 * The order in which a plan reads its sources. Of two readings with one key the first one counts, so the newest of several exports of one platform
 * comes first. All other sources stay at their places.
 *
 * @param context as for reading them
 * @param now milliseconds since 1970: a workout of the future is a mistake, and says nothing about its export
 */
export async function readingOrder(
  sources: readonly OpenedSource[],
  context: Pick<ReadContext, "signal" | "sports" | "distanceUnits" | "dateOrder">,
  now: number,
): Promise<readonly AgedSource[]> {
  const order: AgedSource[] = [...sources.keys()].map((index) => ({ index }));
  const groups = Map.groupBy(sources.keys(), (index) => sources[index]?.connector);
  for (const [connector, places] of groups) {
    // A recording has the key of its content, and a log keeps its own order. Two sheets of a person's own are no exports of one account.
    const isExport = connector?.recordings !== true && connector?.ofLog !== true && connector?.name !== "csv";
    if (places.length < 2 || !isExport) continue;
    const aged: { readonly index: number; readonly age: ExportAge }[] = [];
    for (const index of places) {
      const source = sources[index];
      if (source !== undefined) aged.push({ index, age: await ageOf(source, context, now) });
    }
    aged.sort((a, b) => newerFirst(a.age, b.age));
    for (const [at, one] of aged.entries()) order[places[at] ?? one.index] = one;
  }
  return order;
}

/** Reads the days of all workouts. The device files of the rows stay closed. */
async function ageOf(
  { archive, connector }: OpenedSource,
  context: Pick<ReadContext, "signal" | "sports">,
  now: number,
): Promise<ExportAge> {
  const tomorrow = addDays(new Date(now).toISOString().slice(0, 10), 1);
  let newest: LocalDate | undefined;
  let workouts = 0;
  try {
    for await (const reading of connector.read(archive, { ...context, report: () => undefined, wants: () => false })) {
      if (reading.kind !== "workout") continue;
      workouts++;
      const { date, instant } = reading.value.start;
      const day = date ?? (instant === undefined ? undefined : new Date(instant).toISOString().slice(0, 10));
      if (day !== undefined && day <= tomorrow && (newest === undefined || day > newest)) newest = day;
    }
  } catch (error) {
    // The plan reads the source once more, and says what is wrong with it.
    if (!(error instanceof FatalError)) throw error;
  }
  return { newest, changedAt: lastChangeIn(archive), workouts };
}
