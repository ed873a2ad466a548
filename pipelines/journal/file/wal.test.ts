import type { NoParamCallback } from "node:fs";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { WriteAheadLog } from "./wal.ts";

const folder = temporaryFolder();

/** A log whose disk answers when the test says so. */
function slowDisk() {
  const path = join(folder, "journal.db-wal");
  writeFileSync(path, "");
  const waiting: NoParamCallback[] = [];
  const log = new WriteAheadLog(path, ((_file: number, done: NoParamCallback) => void waiting.push(done)) as never);
  const over: string[] = [];
  const sync = (name: string) =>
    log.sync().then(
      () => over.push(name),
      (error: Error) => over.push(`${name}: ${error.message}`),
    );
  /** The disk answers once. */
  const answer = async (error: Error | null = null) => {
    waiting.shift()?.(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { log, sync, answer, over, waiting };
}

test("what is committed while the disk is busy waits for its next answer, and shares it", async () => {
  const { log, sync, answer, over, waiting } = slowDisk();
  for (const name of ["first", "second", "third"]) sync(name);
  await answer();
  expect([over, waiting.length]).toEqual([["first"], 1]);
  sync("fourth");
  await answer();
  expect(over).toEqual(["first", "second", "third"]);
  await answer();
  expect([over.length, waiting.length]).toEqual([4, 0]);
  sync("fifth");
  const closed = log.close().then(() => over.push("closed"));
  await answer();
  await closed;
  expect(over.slice(4)).toEqual(["fifth", "closed"]);
});

test("after an error of the disk nothing counts as durable any more, whatever the disk says later", async () => {
  const { sync, answer, over, waiting } = slowDisk();
  for (const name of ["first", "second"]) sync(name);
  await answer(new Error("EIO"));
  sync("third");
  await answer();
  expect([over, waiting.length]).toEqual([["first: EIO", "second: EIO", "third: EIO"], 0]);
});
