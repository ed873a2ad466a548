/** The words that name a journal: a path, or the name of one in a fleet. */
import { resolve } from "node:path";

/** Before the name of a journal in a fleet, where other journals have a path. */
export const OF_FLEET = "fleet:";

/** Whether these words name a journal in a fleet. */
export function isOfFleet(journal: string): boolean {
  return journal.startsWith(OF_FLEET);
}

/** The options with the whole path of their journal: a suggested command may be pasted in another folder. */
export function inAnyFolder<T extends { readonly journal?: string }>(options: T): T {
  const { journal } = options;
  return journal === undefined || isOfFleet(journal) ? options : { ...options, journal: resolve(journal) };
}
