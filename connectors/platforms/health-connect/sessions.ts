/** Sums up an app's records within its sessions. The records are in separate tables, without the session's key. */

/** A session. Times in milliseconds since 1970 UTC. */
export interface Session {
  readonly row: Readonly<Record<string, unknown>>;
  readonly app: string;
  readonly start: number;
  readonly end: number;
}

/** The values that a record adds. */
interface Part {
  readonly metres?: number;
  readonly calories?: number;
  readonly steps?: number;
  readonly beats?: number;
}

interface Sums {
  metres: number;
  calories: number;
  steps: number;
  beats: number;
  heartbeats: number;
  maxBeats: number;
}

/** The sessions of each app, sorted by start. */
export class SessionsOfApps {
  readonly #byApp: ReadonlyMap<string, readonly Session[]>;
  readonly #sums = new Map<Session, Sums>();

  constructor(sessions: readonly Session[]) {
    const sorted = [...sessions].sort((a, b) => a.start - b.start);
    this.#byApp = Map.groupBy(sorted, ({ app }) => app);
  }

  /** Finds the last session of an app that began before a time; undefined if that time doesn't lie within it. */
  find(app: unknown, start: unknown, end: unknown): Session | undefined {
    if (typeof start !== "number" || typeof end !== "number") return undefined;
    const session = lastBefore(this.#byApp.get(String(app)) ?? [], start);
    return session === undefined || end > session.end ? undefined : session;
  }

  /** Adds a record to the last session of its app that began before it, if it lies within that session. */
  add(app: unknown, start: unknown, end: unknown, part: Part): void {
    const session = this.find(app, start, end);
    if (session === undefined) return;
    const sums = this.#sums.get(session) ?? { metres: 0, calories: 0, steps: 0, beats: 0, heartbeats: 0, maxBeats: 0 };
    const { metres = 0, calories = 0, steps = 0, beats = 0 } = part;
    sums.metres += metres;
    sums.calories += calories;
    sums.steps += steps;
    sums.beats += beats;
    sums.heartbeats += beats > 0 ? 1 : 0;
    sums.maxBeats = Math.max(sums.maxBeats, beats);
    this.#sums.set(session, sums);
  }

  /** The sums of a session, as members of its row. Without a record, there are no sums. */
  sumsOf(session: Session): Readonly<Record<string, number>> {
    const sums = this.#sums.get(session);
    if (sums === undefined) return {};
    const { metres, calories, steps, beats, heartbeats, maxBeats } = sums;
    const avgBeats = heartbeats === 0 ? 0 : beats / heartbeats;
    return { metres: Math.round(metres * 10) / 10, calories, steps, avgBeats, maxBeats };
  }
}

/** The last session that began at this time or earlier. */
function lastBefore(sorted: readonly Session[], time: number): Session | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.start ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1];
}
