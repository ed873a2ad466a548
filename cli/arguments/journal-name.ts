/** The words that name a journal: a path, or the name of one in a fleet. */
import { resolve } from "node:path";

/** Before the name of a journal in a fleet, where other journals have a path. */
export const OF_FLEET = "fleet:";

/** Whether these words name a journal in a fleet. */
export function isOfFleet(journal: string): boolean {
  return journal.startsWith(OF_FLEET);
}

/** The options with the whole paths of their journal and of their token's file: a suggested command may be pasted in another folder. */
export function inAnyFolder<T extends { readonly journal?: string; readonly tokenFile?: string }>(options: T): T {
  const { journal, tokenFile } = options;
  return {
    ...options,
    ...(journal !== undefined && !isOfFleet(journal) && { journal: resolve(journal) }),
    ...(tokenFile !== undefined && { tokenFile: resolve(tokenFile) }),
  };
}
