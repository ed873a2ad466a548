import { expect, test } from "vitest";
import { ReceivedParts } from "./received-parts.ts";

test.each([
  ["nothing", [], 0],
  [
    "a part twice",
    [
      [10, 5],
      [10, 5],
    ],
    5,
  ],
  [
    "parts apart",
    [
      [10, 5],
      [20, 5],
    ],
    10,
  ],
  [
    "a part that joins two",
    [
      [10, 5],
      [20, 5],
      [12, 10],
    ],
    15,
  ],
  [
    "parts side by side",
    [
      [10, 5],
      [15, 5],
    ],
    10,
  ],
  [
    "a part inside another",
    [
      [0, 100],
      [20, 5],
    ],
    100,
  ],
  [
    "a part around others",
    [
      [20, 5],
      [40, 5],
      [0, 100],
    ],
    100,
  ],
] as const)("of %s each byte is counted once", (_what, parts, bytes) => {
  const received = new ReceivedParts();
  for (const [from, length] of parts) received.add(from, length);
  expect(received.bytes).toBe(bytes);
});
