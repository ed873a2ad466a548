/** A record as the log gives it, in the form in which it is saved. A backup keeps the one, and `Sink.read` gives the other. */
import type { Kind } from "../../transforms/model/item.ts";
import type { SaveBody } from "../sink.ts";
import { decodeCourse, decodeEquipment, decodeWorkout } from "./decode.ts";
import { courseToSaveFrom, equipmentToSaveFrom, workoutToSaveFrom } from "./to-wire.ts";

const quiet = () => undefined;

const FORMS: Readonly<Record<Kind, (value: unknown) => SaveBody>> = {
  workout: (value) => workoutToSaveFrom(decodeWorkout(value, quiet)) as SaveBody,
  course: (value) => courseToSaveFrom(decodeCourse(value, quiet)) as SaveBody,
  equipment: (value) => equipmentToSaveFrom(decodeEquipment(value, quiet)) as SaveBody,
};

/** Turns a record of a backup into the form in which it is saved. Members that the interface doesn't know are left out. */
export function savedForm(kind: Kind, value: Readonly<Record<string, unknown>>): SaveBody {
  return FORMS[kind](value);
}
