/**
 * A training log in memory, as it is seen over the wire: paths in, envelopes out. Its whole state is plain JSON, so that a moment can be kept and
 * restored. It shares only the interface document with the client.
 */
import type { Kind } from "../../transforms/model/item.ts";

type Json = Record<string, unknown>;

/** One recording of a made-up device file. The file is the JSON of a list of these. */
export interface MadeRecording {
  /** Key of the planned record for this recording. The loader does not see it. */
  readonly key: string;
  /** Milliseconds since 1970 UTC. */
  readonly start: number;
  readonly metres: number;
  readonly seconds: number;
}

/** A record of the log. */
export interface WireRecord {
  readonly kind: Kind;
  readonly id: string;
  body: Json;
  /** Key of the planned record whose request made it, or the name of somebody's own record. The loader can't see it. */
  readonly madeFor: string;
  /** Made by an import: it has a track. */
  readonly hasTrack: boolean;
  maps: number;
  /** A client asked for it by its id, or wrote over it. So the id had reached that client. */
  isUsed: boolean;
}

/** A request that its client gave up. The log still carries it out later. */
interface Late {
  /** In milliseconds of the true time. */
  readonly due: number;
  readonly request: Sent;
}

/** The parts of a request that the log reads. */
export interface Sent {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly body: string;
}

/** The whole state of a log at a moment. */
export interface LogState {
  readonly records: WireRecord[];
  readonly late: Late[];
}

/** The answer of the log: an HTTP status and JSON. */
export interface Said {
  readonly status: number;
  readonly json: Json;
}

const KINDS: Readonly<Record<string, Kind>> = { workouts: "workout", courses: "course", equipment: "equipment" };
/** Hours from UTC at which an import writes its records. */
const UTC_OFFSET = 2;

/** A log with a state of its own. */
export class WireLog {
  state: LogState;
  /** False when the service has no listing of workouts. */
  readonly #listsWorkouts: boolean;

  constructor(state: LogState, listsWorkouts: boolean) {
    this.state = state;
    this.#listsWorkouts = listsWorkouts;
  }

  /** Puts a record there as its owner would, by hand. */
  put(kind: Kind, body: Json, madeFor: string, hasTrack = false): string {
    const id = `${kind}-${this.state.records.length + 1}`;
    this.state.records.push({ kind, id, body: structuredClone(body), madeFor, hasTrack, maps: 0, isUsed: false });
    return id;
  }

  /** Carries out the given-up requests that are due. */
  catchUp(now: number): void {
    const due = this.state.late.filter((late) => late.due <= now);
    for (const late of due) {
      this.state.late.splice(this.state.late.indexOf(late), 1);
      this.answer(late.request);
    }
  }

  /** Carries out a request. */
  answer({ method, path, body }: Sent): Said {
    const steps = path.split("/").slice(2).map(decodeURIComponent);
    if (path === "/rest/users/me/preference") {
      const units = { distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C", utcOffset: UTC_OFFSET };
      return ok({ preference: units });
    }
    if (path === "/rest/users/me") return ok({ user: { screenName: "somebody" } });
    const [, , plural = "", id, type] = steps;
    const kind = KINDS[plural];
    if (kind === undefined) return { status: 404, json: { code: 404 } };
    if (method === "POST" && id === undefined) {
      const json = JSON.parse(body) as Json;
      return ok({ id: this.put(kind, json, String(json.notes ?? json.name ?? json.brandName)) });
    }
    if (method === "POST" && type === undefined) return ok({ ids: this.#import(body) });
    if (id === undefined) return this.#list(kind);
    const record = this.state.records.find((one) => one.kind === kind && one.id === id);
    if (record === undefined) return { status: 404, json: { code: 404 } };
    record.isUsed = true;
    if (method === "POST") record.maps++;
    if (method === "PUT") record.body = JSON.parse(body) as Json;
    return ok(method === "GET" ? { [kind]: { ...record.body, id } } : { id });
  }

  #list(kind: Kind): Said {
    if (kind === "workout" && !this.#listsWorkouts) return { status: 404, json: { code: 404 } };
    const all = this.state.records.filter((record) => record.kind === kind);
    return ok({ entries: all.map(({ id, body }) => ({ ...body, id })), numEntries: all.length });
  }

  /** "In no promised order": the last recording first. */
  #import(body: string): readonly string[] {
    const recordings = JSON.parse(body) as readonly MadeRecording[];
    const ids = recordings.map(({ key, start, metres, seconds }) => {
      const local = new Date(start + UTC_OFFSET * 3_600_000).toISOString();
      const details = { distance: { unit: "km", value: metres / 1000 }, duration: seconds };
      const made = { activityID: 10, date: local.slice(0, 10), time: local.slice(11, 19), details };
      return this.put("workout", made, key, true);
    });
    return ids.reverse();
  }
}

function ok(data: Json): Said {
  return { status: 200, json: { code: 0, data } };
}
