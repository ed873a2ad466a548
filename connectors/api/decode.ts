/**
 * Turns the service's answers into regular values. It accepts every deviation that was seen on the wire: numbers as texts, a single value
 * or a list, flags as names, units written out. Each function takes the JSON of one resource and returns the readable parts.
 */
import { type Defined, defined } from "../../transforms/model/defined.ts";
import { type Fields, type Remark, readObject } from "./fields.ts";
import type { WireInterval, WireIntervalSet } from "./wire.ts";

/** A workout as the log gives it. A listing gives only a summary. Get the workout for all its fields. */
export type WorkoutRead = Readonly<ReturnType<typeof decodeWorkout>>;
/** A course as the log gives it, without its map. */
export type CourseRead = Readonly<ReturnType<typeof decodeCourse>>;
/** A piece of equipment as the log gives it, in a listing or by its id. */
export type EquipmentRead = Readonly<ReturnType<typeof decodeEquipment>>;
/** The units and the offset of the log's owner. */
export type PreferenceRead = Readonly<ReturnType<typeof decodePreference>>;
/** The owner of the log. `person` is there only if the token was granted private information. */
export type UserRead = Readonly<ReturnType<typeof decodeUser>>;
/** An entry of the listing of training plans. */
export type TrainingPlanRead = Readonly<ReturnType<typeof decodeTrainingPlan>>;

/** Reads a Workout of get or of a listing. */
export function decodeWorkout(value: unknown, remark: Remark) {
  return readObject(value, "workout", remark, (workout) => {
    // Both members are read, so that neither is reported as unknown.
    const [timeOfDay, time] = [workout.time("timeOfDay"), workout.time("time")];
    return defined({
      id: workout.id("id"),
      activityID: workout.number("activityID"),
      activityName: workout.text("activityName"),
      workoutID: workout.number("workoutID"),
      workoutName: workout.text("workoutName"),
      date: workout.date("date"),
      timeOfDay: timeOfDay ?? time,
      notes: workout.text("notes"),
      course: workout.references("course")?.[0],
      equipment: workout.references("equipment"),
      details: workout.object("details", (details) =>
        defined({ distance: details.measure("distance", "distance"), duration: details.number("duration") }),
      ),
      health: workout.object("health", (health) => ({
        ...numbers(health, HEART_RATES),
        ...defined({ weight: health.measure("weight", "weight") }),
      })),
      intervalSet: workout.object("intervalSet", decodeIntervalSet),
      raceStats: workout.object("raceStats", (race) => numbers(race, RACE_STATS)),
      ratings: workout.object("ratings", (ratings) => numbers(ratings, RATINGS)),
      weather: workout.object("weather", (weather) =>
        defined({
          conditions: weather.flags("conditions"),
          falseConditions: weather.falseFlags("conditions", "falseConditions"),
          temperature: weather.measure("temperature", "temperature"),
        }),
      ),
    });
  });
}

/** Reads a Course. */
export function decodeCourse(value: unknown, remark: Remark) {
  return readObject(value, "course", remark, (course) =>
    defined({
      id: course.id("id"),
      name: course.text("name"),
      notes: course.text("notes"),
      distance: course.measure("distance", "distance"),
      surfaces: course.flags("surfaces"),
      falseSurfaces: course.falseFlags("surfaces", "falseSurfaces"),
    }),
  );
}

/** Reads an Equipment of get or list. */
export function decodeEquipment(value: unknown, remark: Remark) {
  return readObject(value, "equipment", remark, (equipment) =>
    defined({
      id: equipment.id("id"),
      activityID: equipment.number("activityID"),
      brandID: equipment.id("brandID"),
      brandName: equipment.text("brandName"),
      modelID: equipment.id("modelID"),
      modelName: equipment.text("modelName"),
      serial: equipment.text("serial"),
      gender: equipment.text("gender"),
      notes: equipment.text("notes"),
      ratings: equipment.object("ratings", (ratings) => numbers(ratings, EQUIPMENT_RATINGS)),
      distance: equipment.measure("distance", "distance"),
      purchaseDate: equipment.date("purchaseDate"),
      price: equipment.number("price"),
    }),
  );
}

/** Reads a Preference. */
export function decodePreference(value: unknown, remark: Remark) {
  return readObject(value, "preference", remark, preferenceOf);
}

/** Reads the User. Unknown members of its preference go into the user's `extra`, under `preference.`. */
export function decodeUser(value: unknown, remark: Remark) {
  return readObject(value, "user", remark, (user) =>
    defined({
      screenName: user.text("screenName"),
      person: user.object("person", (person) =>
        defined({
          birthDate: person.date("birthDate"),
          email: person.text("email"),
          givenName: person.text("givenName"),
          familyName: person.text("familyName"),
          gender: person.text("gender"),
        }),
      ),
      preference: user.object("preference", preferenceOf),
    }),
  );
}

/** Reads a TrainingPlan. */
export function decodeTrainingPlan(value: unknown, remark: Remark) {
  return readObject(value, "training plan", remark, (plan) =>
    defined({
      id: plan.id("id"),
      name: plan.text("name"),
      beginDate: plan.date("beginDate"),
      endDate: plan.date("endDate"),
      numWeeks: plan.number("numWeeks"),
      attributes: plan.flags("attributes"),
      falseAttributes: plan.falseFlags("attributes", "falseAttributes"),
    }),
  );
}

const HEART_RATES = ["avgHR", "maxHR", "restHR"] as const;
const RATINGS = ["effort", "quality"] as const;
const EQUIPMENT_RATINGS = ["avgRating"] as const;
const RACE_STATS = [
  "fieldPlacement",
  "fieldSize",
  "groupMaxAge",
  "groupMinAge",
  "groupPlacement",
  "groupSize",
] as const;

function decodeIntervalSet(set: Fields): Defined<WireIntervalSet> {
  return defined({
    id: set.id("id"),
    name: set.text("name"),
    intervals: set.objects(
      "intervals",
      (interval): WireInterval =>
        defined({
          distance: interval.measure("distance", "distance"),
          duration: interval.number("duration"),
          type: interval.text("type"),
        }),
    ),
  });
}

function preferenceOf(preference: Fields) {
  return defined({
    utcOffset: preference.number("utcOffset"),
    distanceUnit: preference.unit("distanceUnit", "distance"),
    weightUnit: preference.unit("weightUnit", "weight"),
    temperatureUnit: preference.unit("temperatureUnit", "temperature"),
  });
}

function numbers<N extends string>(fields: Fields, names: readonly N[]): { [K in N]?: number } {
  return defined(Object.fromEntries(names.map((name) => [name, fields.number(name)]))) as { [K in N]?: number };
}
