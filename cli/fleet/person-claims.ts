/**
 * Claims the person of a roster's row beside the account. A token may tell nothing of its owner, and a log may have several names of its host. Then the row
 * alone says that two rosters mean one log.
 */
import { hash } from "node:crypto";
import { foldedName } from "../../pipelines/batch/names.ts";
import { NAMELESS } from "../../pipelines/log/log-view.ts";
import type { Athlete } from "../batch/roster.ts";
import type { BatchStore } from "../batch/store.ts";

/** The same store, which locks an account together with the person. Where another worker has one of the two, it locks neither. */
export function withPersonClaims(store: BatchStore, { expects }: Pick<Athlete, "expects">): BatchStore {
  const { lockAccount } = store;
  if (lockAccount === undefined) return store;
  return {
    ...store,
    async lockAccount(account, name) {
      const told = name === NAMELESS ? [] : [name];
      const names = [...told, expects.screenName, expects.email].flatMap((one) => one ?? []).map(foldedName);
      const persons = [...new Set(names)].sort().map((one) => hash("sha256", `person ${one}`).slice(0, 32));
      const claims: Awaited<ReturnType<typeof lockAccount>>[] = [];
      const release = async () => {
        for (const claim of claims.splice(0)) await claim.release();
      };
      try {
        for (const one of [account, ...persons]) claims.push(await lockAccount(one, name));
      } catch (error) {
        await release();
        throw error;
      }
      return { release };
    },
  };
}
