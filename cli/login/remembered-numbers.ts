/**
 * The activity numbers that a person gave for a log, stored beside the profile's login. They belong to one account: a profile that logs in
 * to another log starts without them.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AccountRef } from "../../pipelines/journal/remote-record.ts";
import { writePrivateFile } from "../../pipelines/private-file.ts";
import { ACTIVITY_NAMES, type Activity } from "../../transforms/activities.ts";
import { userFolders } from "../arguments/config.ts";
import { cannotUse, onSystemError } from "../errors/system-errors.ts";
import { checkedProfile } from "./credentials.ts";

/** Numbers by activity, such as `{ hike: 15 }`. */
export type Numbers = Readonly<Partial<Record<Activity, number>>>;

/** The remembered numbers of a log. If the file can't be read there are none: at worst logferry asks the person again. */
export async function rememberedNumbers(profile: string, account: AccountRef): Promise<Numbers> {
  return (await readAll(profile))[nameOf(account)] ?? {};
}

/**
 * Adds numbers to the remembered ones of a log.
 *
 * @returns the numbers that are new or have changed
 * @throws UsageError when the file can't be written
 */
export async function rememberNumbers(profile: string, account: AccountRef, numbers: Numbers): Promise<Numbers> {
  const all = await readAll(profile);
  const before = all[nameOf(account)] ?? {};
  const fresh = Object.entries(numbers).filter(([activity, number]) => before[activity as Activity] !== number);
  if (fresh.length === 0) return {};
  const text = JSON.stringify({ ...all, [nameOf(account)]: { ...before, ...numbers } }, undefined, 2);
  await writePrivateFile(fileOf(profile), `${text}\n`).catch(
    onSystemError((_problem, error) => cannotUse(fileOf(profile), error, "numbers/file")),
  );
  return Object.fromEntries(fresh);
}

/** The library that checks it is loaded only where there is such a file: it takes a tenth of the time of a short command. */
async function readAll(profile: string): Promise<Readonly<Record<string, Numbers>>> {
  const text = await readFile(fileOf(profile), "utf8").catch(() => undefined);
  if (text === undefined) return {};
  const { z } = await import("zod");
  const numbers = z.partialRecord(z.enum(ACTIVITY_NAMES as [Activity, ...Activity[]]), z.int().min(0));
  try {
    return z.record(z.string(), numbers).parse(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The account by its address and a hash of its owner's name, so that the file contains no person's name. */
function nameOf({ baseUrl, userHash }: AccountRef): string {
  return `${baseUrl} ${userHash.slice(0, 16)}`;
}

function fileOf(profile: string): string {
  return join(userFolders().config, "numbers", `${checkedProfile(profile)}.json`);
}
