import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import type { Connector } from "../../connectors/contract.ts";
import { readSource } from "./read-source.ts";

test("a connector that reads a whole table ahead of its records is stopped within the table, without an error", async () => {
  const controller = new AbortController();
  const archive = memoryArchive("export", { "a.csv": "first", "b.csv": "second" });
  const read: string[] = [];
  const connector: Connector = {
    name: "ahead",
    title: "Connector that reads ahead",
    howToGet: "made up",
    identify: async () => undefined,
    // Without a look at the signal, as while it finds out the order of dates.
    async *read(given) {
      for (const entry of given.entries()) {
        for await (const chunk of given.stream(entry)) read.push(Buffer.from(chunk).toString());
        controller.abort();
      }
      yield* [];
      throw new Error("it read to the end");
    },
  };
  const context = { signal: controller.signal, report: () => undefined, sports: new Map() };
  const records = [];
  for await (const record of readSource({ archive, connector }, context)) records.push(record);
  expect(records).toEqual([]);
  expect(read).toEqual(["first"]);
});
