/**
 * Addresses of archives that a person keeps in a file: `logferry import @address.txt`. A typed address stays in the history of the shell, in the list of
 * processes and in npm's log.
 */
import { isAddress } from "../../connectors/containers/address.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { readSecretLine } from "./secret-file.ts";

/** The most characters of an address. A signature with a session token takes some 2000. */
const LONGEST = 16_000;

/**
 * The words after a command that reads archives, with the address in place of each `@FILE`.
 *
 * @throws UsageError, which shows nothing of the file, when it can't be read, others can read it, or its first line is no address
 */
export async function withAddresses(words: readonly string[]): Promise<readonly string[]> {
  const read: string[] = [];
  for (const word of words) read.push(word.startsWith("@") ? await addressIn(word.slice(1)) : word);
  return read;
}

async function addressIn(path: string): Promise<string> {
  if (path === "") throw new UsageError("Cannot use @: name the file with the address right after it: @address.txt");
  const line = await readSecretLine(path, "address", LONGEST);
  if (isAddress(line)) return line;
  throw new UsageError(
    `Cannot use @${path}: its first line is no address that begins with https://. If ${path} isn't a file with an address, and your archive is called so, name it ./@${path}`,
  );
}
