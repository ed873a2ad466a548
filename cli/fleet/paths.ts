/** Paths of a roster on the machine that reads them. */
import { resolve } from "node:path";
import { isAddress } from "../../connectors/containers/address.ts";
import type { Athlete } from "../batch/roster.ts";

/** The archives, the mapping file and the token file of an athlete, as a worker sees them. @param folder where relative paths begin */
export function atWorker(athlete: Athlete, folder: string): Athlete {
  const seen = (path: string) => (isAddress(path) ? path : resolve(folder, path));
  const { map } = athlete.options;
  const { token } = athlete;
  return {
    ...athlete,
    archives: athlete.archives.map(seen),
    token: token.from === "token-file" ? { ...token, is: seen(token.is) } : token,
    options: { ...athlete.options, ...(map !== undefined && { map: seen(map) }) },
  };
}
