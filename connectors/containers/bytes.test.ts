import { expect, test } from "vitest";
import { buffered, type FillingBytes } from "./bytes.ts";

const SIZE = 3 * 2 ** 20;
const content = Buffer.from(Array.from({ length: SIZE }, (_, at) => (at * 7 + (at >> 8)) & 0xff));

/** Bytes that come one event loop turn later, as from a disk. */
function slowly(): FillingBytes & { readonly asked: number[] } {
  const asked: number[] = [];
  const later = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    asked,
    sizeBytes: SIZE,
    async read(offset, length) {
      asked.push(length);
      await later();
      return Buffer.from(content.subarray(offset, offset + length));
    },
    async fill(target, offset) {
      asked.push(target.length);
      // Only the first half is there at first. A read that looks too early sees old bytes in the second half.
      content.copy(target, 0, offset, offset + (target.length >> 1));
      await later();
      content.copy(target, 0, offset, offset + target.length);
    },
  };
}

test("what was read stays as it is when the window moves on", async () => {
  const bytes = buffered(slowly());
  const first = await bytes.read(10, 2000);
  await bytes.read(2_000_000, 2000);
  expect(first.equals(content.subarray(10, 2010))).toBe(true);
});

test("reads side by side, near and far, get their own bytes", async () => {
  const bytes = buffered(slowly());
  const places = Array.from({ length: 60 }, (_, index) => [(index * 777_777) % (SIZE - 300_000), 1 + index * 4999]);
  const read = await Promise.all(places.map(([offset = 0, length = 0]) => bytes.read(offset, length)));
  for (const [index, [offset = 0, length = 0]] of places.entries())
    expect(read[index]?.equals(content.subarray(offset, offset + length))).toBe(true);
});

test("short reads one after the other ask the disk once, up to the very end", async () => {
  const disk = slowly();
  const bytes = buffered(disk);
  for (let at = SIZE - 100_000; at < SIZE; at += 1000) await bytes.read(at, 1000);
  expect(disk.asked).toEqual([100_000]);
});

test("a window that could not be filled is not taken for one that was", async () => {
  const disk = slowly();
  let fails = true;
  const bytes = buffered({
    ...disk,
    async fill(target, offset) {
      if (fails) throw new Error("the disk was taken away");
      await disk.fill(target, offset);
    },
  });
  await expect(bytes.read(0, 100)).rejects.toThrow("taken away");
  fails = false;
  expect((await bytes.read(0, 100)).equals(content.subarray(0, 100))).toBe(true);
});
