/** Turns a record of an export into our words. It uses the same code as for a record of a log. */
import {
  ACTIVITY_NAMES,
  type Activity,
  activityNamed,
  foldSport,
  WORKOUT_TYPES,
  type WorkoutType,
} from "../../../transforms/activities.ts";
import { ACTIVITY_IDS } from "../../../transforms/assumptions.ts";
import type { Issue, Origin } from "../../../transforms/model/issue.ts";
import type { Reading } from "../../../transforms/model/item.ts";
import type { PersonEvidence } from "../../../transforms/model/owner-evidence.ts";
import { contentHash } from "../../../transforms/text/canonical.ts";
import { sportSetting } from "../../../transforms/text/shell.ts";
import { decodeCourse, decodeEquipment, decodeUser, decodeWorkout } from "../../api/decode.ts";
import { courseFromWire, equipmentFromWire, workoutFromWire } from "../../api/from-wire.ts";
import { isRecord } from "../../api/json.ts";
import type { Extra } from "../../api/wire.ts";
import { KINDS, type RecordKind } from "../../exports/tables.ts";
import type { ReadSession } from "../session.ts";

/** Names of the activities by their number in the exported log. Another log may use other numbers. */
export type ActivityNamesById = ReadonlyMap<number, string>;

/** The reason why records of a kind are left out. */
const NOT_IMPORTED: Partial<Record<RecordKind, string>> = {
  user: "another log's owner stays who they are",
  preference: "the owner's own units; change them in the log",
  "training-plan": "the interface can save no training plan",
};

/** Turns a record into a reading. */
export function readingOf(
  session: ReadSession,
  kind: RecordKind,
  value: unknown,
  origin: Origin,
  names: ActivityNamesById,
): Reading {
  const notImported = NOT_IMPORTED[kind];
  const { own, extra, retired } = parted(value);
  const id = typeof own.id === "string" ? own.id : undefined;
  const known = keyOf(kind, id ?? (notImported === undefined ? contentHash(own).slice(0, 32) : "me"));
  if (notImported !== undefined) {
    if (kind === "user") reportUser(session, own, origin);
    const word = KINDS[kind].word;
    return session.reject("skipped", known, origin, {
      severity: "info",
      rule: "logferry-export/not-imported",
      found: word,
      expected: notImported,
    });
  }
  const remark = (issue: Issue) => session.report(issue, origin);
  switch (kind) {
    case "equipment": {
      const { activityID, equipment } = equipmentFromWire(
        withExtra(decodeEquipment(own, remark), extra),
        undefined,
        retired,
      );
      const name = activityID === undefined ? undefined : names.get(activityID);
      const activity = activityOf(session, name, activityID);
      if (activity === undefined) return unknownActivity(session, known, origin, name, activityID);
      return { kind, key: session.unique(known), origin, value: { ...equipment, activity } };
    }
    case "course":
      return {
        kind,
        key: session.unique(known),
        origin,
        value: courseFromWire(withExtra(decodeCourse(own, remark), extra)).course,
      };
    default: {
      const read = withExtra(decodeWorkout(own, remark), extra);
      const { workout, activityID, activityName, workoutName } = workoutFromWire(read);
      const { activity: assumed, type: assumedType, sport: _sport, course, equipment, ...rest } = workout;
      const activity = activityName === undefined ? assumed : activityOf(session, activityName, activityID);
      const type = typeNamed(workoutName) ?? (activity === assumed ? assumedType : undefined);
      return {
        kind: "workout",
        key: session.unique(known),
        origin,
        value: {
          ...rest,
          ...(activity !== undefined && { activity }),
          ...(activityName !== undefined && { sport: activityName }),
          ...(type !== undefined && { type }),
          ...(course !== undefined && { course: keyOf("course", course) }),
          ...(equipment !== undefined && { equipment: equipment.map((one) => keyOf("equipment", one)) }),
          ...lostType(workoutName, type, workout.unsupported),
        },
      };
    }
  }
}

/** Reports the owner of the exported log. The screen name is left out, because it means nothing outside that log. */
function reportUser({ context }: ReadSession, own: unknown, { entry }: Origin): void {
  const { email, givenName, familyName, birthDate } = decodeUser(own, () => undefined).person ?? {};
  const born = Number(birthDate?.slice(0, 4));
  const person: PersonEvidence = {
    ...(email !== undefined && email !== "" && { email }),
    ...(givenName !== undefined && givenName !== "" && { givenName }),
    ...(familyName !== undefined && familyName !== "" && { familyName }),
    ...(born > 0 && { born }),
  };
  if (Object.keys(person).length > 0) context.reportOwner?.({ entry, person });
}

/** `logferry-export:workout:ID` */
export function keyOf(kind: RecordKind, id: string): string {
  return `logferry-export:${kind}:${id}`;
}

/** Separates a record into three parts: its fields, the log's answers beyond the interface (`extra`), and logferry's own field `retired`. */
function parted(value: unknown): {
  own: Record<string, unknown>;
  extra: Extra | undefined;
  retired: boolean | undefined;
} {
  if (!isRecord(value)) return { own: {}, extra: undefined, retired: undefined };
  const { extra, retired, ...own } = value;
  const isRetired = retired === true || retired === "true";
  return { own, extra: isRecord(extra) ? extra : undefined, retired: retired === undefined ? undefined : isRetired };
}

function withExtra<T extends { readonly extra?: Extra }>(read: T, extra: Extra | undefined): T {
  return extra === undefined ? read : { ...read, extra: { ...read.extra, ...extra } };
}

/** Finds the activity by its name, in the owner's words, in the table, or among ours. Otherwise it takes the number that is the same in every log. */
function activityOf(
  session: ReadSession,
  name: string | undefined,
  activityID: number | undefined,
): Activity | undefined {
  const folded = name === undefined ? undefined : foldSport(name);
  const named =
    folded === undefined
      ? undefined
      : (session.context.sports.get(folded) ?? activityNamed(folded) ?? ACTIVITY_NAMES.find((each) => each === folded));
  return named ?? ACTIVITY_NAMES.find((each) => activityID !== undefined && ACTIVITY_IDS[each] === activityID);
}

function unknownActivity(
  session: ReadSession,
  key: string,
  origin: Origin,
  name: string | undefined,
  activityID: number | undefined,
): Reading {
  const found = name ?? (activityID === undefined ? undefined : `activityID ${activityID}`);
  return session.reject("quarantined", key, origin, {
    severity: "error",
    rule: "logferry-export/unknown-activity",
    field: "activityID",
    ...(found !== undefined && { found }),
    expected:
      name === undefined
        ? "an activity; no workout of the export says what this number means"
        : `an activity: say which with ${sportSetting(name)}`,
  });
}

function typeNamed(name: string | undefined): WorkoutType | undefined {
  const folded = name?.trim().toLowerCase();
  return WORKOUT_TYPES.find((type) => type === folded);
}

/** Keeps a training type of the owner's own as an unsupported value, because another log has no place for it. */
function lostType(
  name: string | undefined,
  type: WorkoutType | undefined,
  unsupported: readonly { readonly field: string; readonly value: string }[] = [],
) {
  return name === undefined || type !== undefined
    ? {}
    : { unsupported: [...unsupported, { field: "workoutName", value: name }] };
}
