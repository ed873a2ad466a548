/**
 * Checks the folder of a journal. The journal's locks and its write-ahead log need a file system on this machine. On a network file system,
 * SQLite may give a lock twice (https://sqlite.org/faq.html#q5), and two runs would load the same workouts.
 */
import { statfsSync } from "node:fs";
import { FatalError } from "../../connectors/errors.ts";

/** Network file systems, by their numbers in Linux: linux/magic.h, and the modules' own headers. */
const NETWORK: Readonly<Record<number, string>> = {
  26985: "NFS",
  20859: "SMB",
  4283649346: "CIFS",
  4266872130: "SMB",
  1397113167: "AFS",
  1937076805: "Coda",
  22092: "NCP",
};

/** Reads the type of a folder's file system. Only tests use another function than `statfsSync`. */
export type StatFs = (folder: string) => { readonly type: number };

/**
 * Refuses a folder on a network file system.
 *
 * @throws FatalError `journal/on-network`
 */
export function refuseNetwork(folder: string, statfs: StatFs = statfsSync): void {
  // On other systems, the numbers have other meanings.
  if (process.platform !== "linux") return;
  const name = NETWORK[statfs(folder).type >>> 0];
  if (name === undefined) return;
  throw new FatalError(
    "journal/on-network",
    "journal",
    `Cannot keep the journal in ${folder}: it is on a network file system (${name}), where two runs could hold it at once. Name another place with --journal. If no other machine ever uses this journal, say --network-journal.`,
  );
}
