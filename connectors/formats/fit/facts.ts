/**
 * Reads the few summary messages of a file: its maker, its sessions, its laps. Records are added up as if all of them
 * belonged to one session.
 */
import { defined } from "../../../transforms/model/defined.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { Depth, Device, Lap, Wearer } from "../recording.ts";
import { type DistanceField, distanceFieldOf, distanceReader } from "./developer.ts";
import { type Message, messageReader } from "./message.ts";
import { type FitPoint, pointOf } from "./points.ts";
import {
  FIELD,
  GENDERS,
  heartRate,
  instantOf,
  intensityNamed,
  lapTriggerNamed,
  MESSAGE,
  manufacturerNamed,
  SCALE,
} from "./profile.ts";
import { FOR_POINTS, FOR_TOTALS, recordReader } from "./record.ts";
import type { FitSession } from "./session.ts";
import { type SpanMeter, spanMeter } from "./spans.ts";
import { type FitCaps, type Part, readStructure, type Structure } from "./structure.ts";
import type { Source } from "./values.ts";
import type { Visitor } from "./walk.ts";

/** A lap message, and its start in raw seconds. */
export interface TimedLap {
  readonly start: number | undefined;
  readonly lap: Lap;
}

/** The facts of one file of a chain. */
export interface PartFacts {
  device: Device | undefined;
  wearer: Wearer | undefined;
  /** `file_id.type`. */
  fileType: number | undefined;
  readonly sessions: FitSession[];
  readonly laps: TimedLap[];
  recordCount: number;
  /** Local time less UTC in seconds. It comes from the activity message, and is unchecked. */
  offsetSeconds: number | undefined;
  /** The sport message: the sport that the athlete chose on the watch. It stands near the beginning. */
  sport: { sport: number | undefined; subSport: number | undefined } | undefined;
  courseName: string | undefined;
  /** The most beats that the heart-rate stream can have. */
  beatCount: number;
  /** Native fields that a developer field claims to replace, such as `record.heartRate`. */
  readonly overridden: Set<string>;
  /** Developer fields that hold a distance. */
  readonly distanceFields: DistanceField[];
  /** The sums over the records, for a file with one session. */
  readonly whole: SpanMeter;
  /** Every record, if points are wanted. */
  readonly points: FitPoint[] | undefined;
}

/** A file's parts with their facts, in file order. */
export interface FileFacts {
  readonly parts: readonly { readonly part: Part; readonly facts: PartFacts }[];
  readonly issues: readonly Issue[];
}

/** A file with more laps is a bomb. The most laps of any test file are 112. */
export const MOST_LAPS = 20_000;

/** A file with more beats is a bomb too. This is a day and a half at 200 a minute. */
export const MOST_BEATS = 432_000;

/**
 * Reads the structure and the summary messages of a file in one walk. At depth `decode` the same walk keeps every point.
 *
 * Issues: the issues of `readStructure`, and `fit/too-many-sessions`, `fit/too-many-laps`, `fit/too-many-beats` (errors, no
 * parts).
 */
export function readFacts(source: Source, caps: FitCaps, depth: Depth): FileFacts {
  const facts: PartFacts[] = [];
  const structure: Structure = readStructure(source, caps, () => {
    const own = noFacts(depth);
    facts.push(own);
    return collector(source, own, caps);
  });
  const sessions = facts.reduce((sum, part) => sum + part.sessions.length, 0);
  if (sessions > caps.sessions) return refused("fit/too-many-sessions", "sessions", caps.sessions);
  if (facts.some((part) => part.laps.length > MOST_LAPS)) return refused("fit/too-many-laps", "laps", MOST_LAPS);
  const beats = facts.reduce((sum, part) => sum + part.beatCount, 0);
  if (beats > MOST_BEATS) return refused("fit/too-many-beats", "beats in heart-rate streams", MOST_BEATS);
  return {
    parts: structure.parts.map((part, index) => ({ part, facts: facts[index] as PartFacts })),
    issues: structure.issues,
  };
}

function refused(rule: string, what: string, cap: number): FileFacts {
  const issue: Issue = { severity: "error", rule, found: `more than ${cap} ${what}`, expected: `at most ${cap}` };
  return { parts: [], issues: [issue] };
}

function noFacts(depth: Depth): PartFacts {
  return {
    device: undefined,
    wearer: undefined,
    fileType: undefined,
    sessions: [],
    laps: [],
    recordCount: 0,
    offsetSeconds: undefined,
    sport: undefined,
    courseName: undefined,
    beatCount: 0,
    overridden: new Set(),
    distanceFields: [],
    whole: spanMeter([0]),
    points: depth === "decode" ? [] : undefined,
  };
}

function collector(source: Source, facts: PartFacts, caps: FitCaps): Visitor {
  const messageAt = messageReader(source);
  const rowAt = recordReader(source, facts.points === undefined ? FOR_TOTALS : FOR_POINTS);
  const appDistanceAt = distanceReader(source, facts.distanceFields);
  return {
    message(definition, at, timestamp) {
      switch (definition.global) {
        case MESSAGE.record: {
          const row = rowAt(definition, at);
          facts.recordCount++;
          facts.whole.record(row, timestamp);
          facts.points?.push(pointOf(row, timestamp));
          break;
        }
        case MESSAGE.event:
          facts.whole.event(messageAt(definition, at), timestamp);
          break;
        case MESSAGE.fileId: {
          const message = messageAt(definition, at);
          facts.device ??= deviceOf(message);
          facts.fileType ??= message.number(FIELD.fileId.type);
          break;
        }
        case MESSAGE.userProfile:
          facts.wearer ??= wearerOf(messageAt(definition, at));
          break;
        case MESSAGE.session:
          if (facts.sessions.length <= caps.sessions) {
            const own = appDistanceAt(definition, at);
            facts.sessions.push(sessionOf(messageAt(definition, at), timestamp, own));
          }
          break;
        case MESSAGE.lap:
          if (facts.laps.length <= MOST_LAPS)
            facts.laps.push(lapOf(messageAt(definition, at), appDistanceAt(definition, at)));
          break;
        case MESSAGE.activity: {
          const local = messageAt(definition, at).number(FIELD.activity.localTimestamp);
          if (local !== undefined && timestamp !== undefined) facts.offsetSeconds = local - timestamp;
          break;
        }
        case MESSAGE.sport: {
          const message = messageAt(definition, at);
          facts.sport ??= {
            sport: message.number(FIELD.sport.sport),
            subSport: message.number(FIELD.sport.subSport),
          };
          break;
        }
        case MESSAGE.course:
          facts.courseName ??= messageAt(definition, at).text(FIELD.course.name);
          break;
        case MESSAGE.hr:
          facts.beatCount += messageAt(definition, at).bytes(FIELD.hr.filteredBpm).length;
          break;
        case MESSAGE.fieldDescription: {
          const message = messageAt(definition, at);
          const nativeMessage = message.number(FIELD.fieldDescription.nativeMessage) ?? MESSAGE.record;
          const native = NATIVE.get(nativeMessage)?.get(message.number(FIELD.fieldDescription.nativeField) ?? -1);
          if (native !== undefined) facts.overridden.add(native);
          const distance = distanceFieldOf(message);
          if (distance !== undefined) facts.distanceFields.push(distance);
          break;
        }
      }
    },
  };
}

/** The fields that we read and that a developer field may claim to replace: message, field, our name for both. */
const NATIVE: ReadonlyMap<number, ReadonlyMap<number, string>> = new Map(
  (["session", "lap", "record"] as const).map((message) => [
    MESSAGE[message],
    new Map(Object.entries(FIELD[message]).map(([name, field]) => [field, `${message}.${name}`])),
  ]),
);

function deviceOf(message: Message): Device {
  const manufacturer = message.number(FIELD.fileId.manufacturer);
  const product = message.text(FIELD.fileId.productName) ?? message.number(FIELD.fileId.product)?.toString();
  const serial = message.number(FIELD.fileId.serial);
  const timeCreated = instantOf(message.number(FIELD.fileId.timeCreated));
  return {
    ...(manufacturer === undefined ? {} : { manufacturer: manufacturerNamed(manufacturer) }),
    ...(product === undefined ? {} : { product }),
    ...(serial === undefined ? {} : { serial: String(serial) }),
    ...(timeCreated === undefined ? {} : { timeCreated }),
  };
}

/** Undefined if the message has no value that differs between persons. A weight or an age of 0 was never set. */
function wearerOf(message: Message): Wearer | undefined {
  const { userProfile } = FIELD;
  const sex = GENDERS.get(message.number(userProfile.gender) ?? -1);
  const age = message.number(userProfile.age);
  const weight = scaled(message.number(userProfile.weight), SCALE.weight);
  const wearer: Wearer = {
    ...defined({ sex }),
    ...(age !== undefined && age > 0 && { age }),
    ...(weight !== undefined && weight > 0 && { weight: { unit: "kg", value: weight } }),
  };
  return Object.keys(wearer).length === 0 ? undefined : wearer;
}

function sessionOf(message: Message, timestamp: number | undefined, appDistance: number | undefined): FitSession {
  const { session } = FIELD;
  return {
    start: message.number(session.start),
    end: timestamp,
    startLat: message.number(session.startLat),
    startLon: message.number(session.startLon),
    sport: message.number(session.sport),
    subSport: message.number(session.subSport),
    elapsed: scaled(message.number(session.elapsed), SCALE.seconds),
    timer: scaled(message.number(session.timer), SCALE.seconds),
    distance: scaled(message.number(session.distance), SCALE.distance),
    appDistance,
    calories: message.number(session.calories),
    avgHR: heartRate(message.number(session.avgHR)),
    maxHR: heartRate(message.number(session.maxHR)),
    ascent: message.number(session.ascent),
    firstLap: message.number(session.firstLap),
    lapCount: message.number(session.lapCount),
  };
}

/** @param appDistance metres in an app's own field. They count if the device has no distance, or 0 */
function lapOf(message: Message, appDistance: number | undefined): TimedLap {
  const start = message.number(FIELD.lap.start);
  const instant = instantOf(start);
  const native = scaled(message.number(FIELD.lap.distance), SCALE.distance);
  const distance = native === undefined || native === 0 ? (appDistance ?? native) : native;
  const elapsed = scaled(message.number(FIELD.lap.elapsed), SCALE.seconds);
  const timer = scaled(message.number(FIELD.lap.timer), SCALE.seconds);
  const avgHR = heartRate(message.number(FIELD.lap.avgHR));
  const maxHR = heartRate(message.number(FIELD.lap.maxHR));
  const intensity = named(message.number(FIELD.lap.intensity), intensityNamed);
  const trigger = named(message.number(FIELD.lap.trigger), lapTriggerNamed);
  return {
    start,
    lap: {
      ...(instant === undefined ? {} : { start: instant }),
      ...(distance === undefined ? {} : { distance: { unit: "m", value: distance } }),
      ...(elapsed === undefined ? {} : { elapsed }),
      ...(timer === undefined ? {} : { timer }),
      ...(avgHR === undefined ? {} : { avgHR }),
      ...(maxHR === undefined ? {} : { maxHR }),
      ...(intensity === undefined ? {} : { intensity }),
      ...(trigger === undefined ? {} : { trigger }),
    },
  };
}

function scaled(stored: number | undefined, scale: number): number | undefined {
  return stored === undefined ? undefined : stored / scale;
}

function named(number: number | undefined, name: (number: number) => string | undefined): string | undefined {
  return number === undefined ? undefined : name(number);
}
