import { expect, test } from "vitest";
import { memoryArchive } from "../../../containers/memory.ts";
import { samsung } from "../../samsung/table.ts";

const HEADER = "exercise_type,start_time";

async function isSamsung(name: string, text: string): Promise<boolean> {
  return (await samsung.identify(memoryArchive("x", { [name]: Buffer.from(text) }))) !== undefined;
}

test("a table is known by the line above its header, with or without a mark of its encoding", async () => {
  expect(await isSamsung("exercise (1).csv", `com.samsung.shealth.exercise,1,2\n${HEADER}\n`)).toBe(true);
  expect(await isSamsung("exercise.csv", `\ufeffcom.samsung.shealth.exercise,1,2\r\n${HEADER}\r\n`)).toBe(true);
});

test("neither its name nor its columns alone make it known", async () => {
  expect(await isSamsung("com.samsung.shealth.exercise.2024.csv", `${HEADER}\n1002,2024-01-01\n`)).toBe(false);
  expect(await isSamsung("exercise.csv", `com.samsung.shealth.exercise.weather,1,2\n${HEADER}\n`)).toBe(false);
  expect(await isSamsung("exercise.csv", "com.samsung.shealth.exercise,1,2\nfoo,bar\n")).toBe(false);
  expect(await isSamsung("exercise.csv", "com.samsung.shealth.exercise,1,2")).toBe(false);
});
