/** A hook inside a service at each write: before the write is done, and after it is done but before it is answered. */
import type { Service } from "../../service/server.ts";

/** Everything a client can make a store write. */
export const STORE_WRITES = [
  "addWorkout",
  "addImport",
  "replaceWorkout",
  "addCourse",
  "replaceCourse",
  "putCourseMap",
  "addEquipment",
  "replaceEquipment",
] as const;

/** One of them. */
export type StoreWrite = (typeof STORE_WRITES)[number];

/** Called with the write and the number of writes before it, of any kind. */
export type AtWrite = (write: StoreWrite, index: number) => void | Promise<void>;

/** Calls these at every write to a service's store. */
export function atWrites(
  service: Pick<Service, "store">,
  { before, after }: { before?: AtWrite; after?: AtWrite },
): void {
  const store = service.store as unknown as Record<StoreWrite, (...values: unknown[]) => Promise<unknown>>;
  let index = 0;
  for (const write of STORE_WRITES) {
    const real = store[write].bind(store);
    store[write] = async (...values) => {
      const mine = index++;
      await before?.(write, mine);
      const result = await real(...values);
      await after?.(write, mine);
      return result;
    };
  }
}
