/** Backups into a repository beside a log, and the content of the repository, read without logferry's reader. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { expect } from "vitest";
import { jsonLines } from "./cli.ts";
import { runHere } from "./here.ts";
import { type Ran, type Rehearsal, type RehearsalOptions, rehearse } from "./rehearsal.ts";
import { type RequestLog, requestLog } from "./request-log.ts";

/** The log of the test that runs, and the requests to it. */
export let log: Rehearsal;
export let asked: RequestLog;

/** Opens a log of its own for a test, which closes it. */
export async function open(options: RehearsalOptions = {}): Promise<void> {
  asked = requestLog();
  log = await rehearse("kilometres", { log: asked, ...options });
}

export const repository = () => join(log.folder, "repository");

/** A command with the repository, in this process. */
export const here = (...words: string[]): Promise<Ran> => runHere(log, [...words, "--repository", repository()]);

/** The one JSON line of a type that a command printed. */
export async function line(type: string, ...words: string[]): Promise<Record<string, unknown>> {
  const ran = await here(...words, "--json");
  const [only, ...others] = jsonLines(ran.out).filter((one) => one.type === type);
  if (only === undefined || others.length > 0) expect.unreachable(`${ran.out}${ran.err}`);
  return { ...only, code: ran.code };
}

export async function save(path: string, body: object, id?: string): Promise<string> {
  const answer = await fetch(
    `${log.service.url}/rest/logs/me/${path}${id === undefined ? "" : `/${id}`}?access_token=${log.token}`,
    {
      method: id === undefined ? "POST" : "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    },
  );
  const { code, data } = (await answer.json()) as { code: number; data: { id: string } };
  expect(code).toBe(0);
  return data.id;
}

/** The records of the last snapshot of the repository, by the kind's folder. They are found by the snapshot's page, without logferry's reader. */
export function held(): Record<string, Record<string, unknown>[]> {
  const name = readdirSync(join(repository(), "snapshots")).toSorted().at(-1) ?? "";
  const { pieces } = JSON.parse(readFileSync(join(repository(), "snapshots", name), "utf8")) as {
    pieces: { file: string }[];
  };
  const records = pieces.flatMap(({ file }) =>
    zstdDecompressSync(readFileSync(join(repository(), file)))
      .toString()
      .trimEnd()
      .split("\n")
      .map((text) => ({ folder: file.split("/")[1] ?? "", value: JSON.parse(text).value as Record<string, unknown> })),
  );
  const byFolder = Object.groupBy(records, ({ folder }) => folder);
  return Object.fromEntries(
    Object.entries(byFolder).map(([folder, some = []]) => [folder, some.map(({ value }) => value)]),
  );
}
