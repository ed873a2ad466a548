import type { KeyObject } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { readKey } from "../../pipelines/certificate/signature.ts";
import { userFolders } from "../arguments/config.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { describeSystemError, isOfSystem } from "../errors/system-errors.ts";
import { refuseOpenToOthers } from "../login/secret-file.ts";

/** The file with the key that signs the certificates of this user. */
export function ownKeyPath(): string {
  return join(userFolders().data, "certificate-key.pem");
}

/**
 * The key that signs the certificates of this user; undefined before the first certificate.
 *
 * @throws UsageError when others can read it, or it is no key
 */
export async function checkOwnKey(path: string): Promise<KeyObject | undefined> {
  try {
    const key = await readKey(path);
    if (key !== undefined) await refuseOpenToOthers(path, await stat(path));
    return key;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (isOfSystem(error)) throw new UsageError(`Cannot read the key ${path}: ${describeSystemError(error)}`);
    throw new UsageError(
      `Cannot use ${path}: it should hold the key that signs your certificates, and is damaged. Put it back from a backup. Or remove it: logferry then makes a new key, with another fingerprint`,
      { cause: error },
    );
  }
}
