/**
 * Encodes strictly: a body has exactly the members that the document has for a save, each of the right type. Display-only members (names,
 * the record's id, accumulated distance) are left out. Values that would change on the way are refused before they are sent.
 */
import { UNITS_TO_WRITE } from "../../transforms/assumptions.ts";
import { isLocalDate, isLocalTime } from "../../transforms/calendar.ts";
import { printable } from "../../transforms/text/printable.ts";
import type { Dimension } from "../../transforms/units.ts";
import { ItemError } from "../errors.ts";
import { isRecord } from "./json.ts";

/** The type of a member. */
type Leaf = keyof typeof LEAVES;

/** The form of a resource: a leaf, an object of forms, a list of one form. */
type Shape = Leaf | { readonly [member: string]: Shape } | readonly [Shape];

/** The save forms, from the document's tables of fields. */
export const SAVE_SHAPES = {
  workout: {
    activityID: "integer",
    workoutID: "integer",
    date: "date",
    time: "time of day",
    notes: "text",
    course: { id: "text" },
    equipment: [{ id: "text" }],
    details: { distance: "distance", duration: "number" },
    health: { avgHR: "integer", maxHR: "integer", restHR: "integer", weight: "weight" },
    intervalSet: {
      id: "text",
      name: "text",
      intervals: [{ distance: "distance", duration: "number", type: "text" }],
    },
    raceStats: {
      fieldPlacement: "integer",
      fieldSize: "integer",
      groupMaxAge: "integer",
      groupMinAge: "integer",
      groupPlacement: "integer",
      groupSize: "integer",
    },
    ratings: { effort: "integer", quality: "integer" },
    weather: { conditions: "flags", temperature: "temperature" },
  },
  course: { name: "text", notes: "text", distance: "distance", surfaces: "flags" },
  equipment: {
    activityID: "integer",
    brandName: "text",
    modelName: "text",
    serial: "text",
    gender: "text",
    notes: "text",
    ratings: { avgRating: "number" },
    purchaseDate: "date",
    price: "number",
  },
  preference: { utcOffset: "number", distanceUnit: "text", weightUnit: "text", temperatureUnit: "text" },
} as const satisfies Record<string, Shape>;

/** The kinds of records that can be saved. */
export type Resource = keyof typeof SAVE_SHAPES;

/**
 * Makes the body of a save. Undefined members, and members that the document doesn't have, are left out.
 *
 * @throws ItemError `api/bad-value` with the name of the member that breaks the document: NaN, a date that doesn't exist, an unknown unit;
 *   `api/too-much-equipment` for more than one piece
 */
export function encodeBody(resource: Resource, body: object): Readonly<Record<string, unknown>> {
  const pieces = (body as { equipment?: unknown }).equipment;
  if (resource === "workout" && Array.isArray(pieces) && pieces.length > 1) {
    throw new ItemError(
      "api/too-much-equipment",
      `Cannot save the workout: a save takes 1 piece of equipment, it has ${pieces.length}`,
    );
  }
  return encode(SAVE_SHAPES[resource], body, resource) as Readonly<Record<string, unknown>>;
}

function encode(shape: Shape, value: unknown, path: string): unknown {
  if (typeof shape === "string") {
    const { isIt, expected } = LEAVES[shape];
    if (!isIt(value)) throw badValue(path, value, expected);
    return value;
  }
  if (isListShape(shape)) {
    if (!Array.isArray(value)) throw badValue(path, value, "a list");
    return value.map((member, i) => encode(shape[0], member, `${path}.${i}`));
  }
  if (!isRecord(value)) throw badValue(path, value, "an object");
  const encoded: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(shape)) {
    if (Object.hasOwn(value, name) && value[name] !== undefined) {
      encoded[name] = encode(member, value[name], `${path}.${name}`);
    }
  }
  return encoded;
}

function isListShape(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

const LEAVES = {
  text: { isIt: (value: unknown) => typeof value === "string", expected: "a text" },
  number: { isIt: (value: unknown) => Number.isFinite(value), expected: "a number" },
  integer: { isIt: (value: unknown) => Number.isSafeInteger(value), expected: "a whole number" },
  date: {
    isIt: (value: unknown) => typeof value === "string" && isLocalDate(value),
    expected: "a date, YYYY-MM-DD",
  },
  "time of day": {
    isIt: (value: unknown) => typeof value === "string" && isLocalTime(value),
    expected: "a time of day, HH:MM:SS",
  },
  flags: {
    isIt: (value: unknown) => isRecord(value) && Object.values(value).every((flag) => typeof flag === "boolean"),
    expected: "an object of true and false",
  },
  distance: measureOf("distance"),
  weight: measureOf("weight"),
  temperature: measureOf("temperature"),
};

function measureOf(dimension: Dimension) {
  const units: readonly string[] = UNITS_TO_WRITE[dimension];
  return {
    isIt: (value: unknown) =>
      isRecord(value) &&
      Object.keys(value).length === 2 &&
      Number.isFinite(value.value) &&
      units.includes(value.unit as string),
    expected: `{unit, value} in ${units.join(" or ")}`,
  };
}

function badValue(path: string, value: unknown, expected: string): ItemError {
  const [resource] = path.split(".");
  const found = typeof value === "number" ? String(value) : JSON.stringify(value);
  return new ItemError(
    "api/bad-value",
    `Cannot save the ${resource}: ${path} is ${printable(found ?? String(value), 80)}, expected ${expected}`,
  );
}
