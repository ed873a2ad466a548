/** Writes items into the log: the loader's `Sink`, made of the client's operations. */
import type { Kind } from "../../transforms/model/item.ts";
import type { SaveBody, Sink } from "../sink.ts";
import {
  getCourse,
  getEquipment,
  getWorkout,
  importWorkouts,
  saveCourseMap,
  saveExistingCourse,
  saveExistingEquipment,
  saveExistingWorkout,
  saveNewCourse,
  saveNewEquipment,
  saveNewWorkout,
} from "./client.ts";
import type { Connection } from "./connection.ts";
import { courseToSaveFrom, equipmentToSaveFrom, workoutToSaveFrom } from "./to-wire.ts";
import type { CourseToSave, EquipmentToSave, WorkoutToSave } from "./wire.ts";

/** The operations on one kind of record. `encodeBody` checks every member of a body before it leaves. */
interface Operations {
  create(connection: Connection, body: SaveBody, signal: AbortSignal): Promise<string>;
  read(connection: Connection, id: string, signal: AbortSignal): Promise<SaveBody>;
  replace(connection: Connection, id: string, body: SaveBody, signal: AbortSignal): Promise<string>;
}

const KINDS: Readonly<Record<Kind, Operations>> = {
  workout: {
    create: (connection, body, signal) => saveNewWorkout(connection, body as WorkoutToSave, signal),
    read: async (connection, id, signal) => workoutToSaveFrom(await getWorkout(connection, id, signal)),
    replace: (connection, id, body, signal) => saveExistingWorkout(connection, id, body as WorkoutToSave, signal),
  },
  course: {
    create: (connection, body, signal) => saveNewCourse(connection, body as CourseToSave, signal),
    read: async (connection, id, signal) => courseToSaveFrom(await getCourse(connection, id, signal)),
    replace: (connection, id, body, signal) => saveExistingCourse(connection, id, body as CourseToSave, signal),
  },
  equipment: {
    create: (connection, body, signal) => saveNewEquipment(connection, body as EquipmentToSave, signal),
    read: async (connection, id, signal) => equipmentToSaveFrom(await getEquipment(connection, id, signal)),
    replace: (connection, id, body, signal) => saveExistingEquipment(connection, id, body as EquipmentToSave, signal),
  },
};

/** Makes the sink of a connection. The sink holds no resources. The opener of the connection closes it. */
export function createSink(connection: Connection): Sink {
  return {
    create: (kind, body, signal) => KINDS[kind].create(connection, body, signal),
    importFile: (format, bytes, signal) => importWorkouts(connection, format, bytes, signal),
    saveMap: (courseId, gpx, signal) => saveCourseMap(connection, courseId, gpx, signal),
    read: (kind, id, signal) => KINDS[kind].read(connection, id, signal),
    replace: async (kind, id, body, signal) => {
      await KINDS[kind].replace(connection, id, body, signal);
    },
  };
}
