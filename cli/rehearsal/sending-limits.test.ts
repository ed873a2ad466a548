import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SendingLimits } from "./sending-limits.ts";

test("the quota of a day is that of one log: another one that the same rehearsal is promoted into has its own", () => {
  const folder = mkdtempSync(join(tmpdir(), "logferry-limits-"));
  try {
    const now = () => new Date(2026, 5, 1, 12).getTime();
    const begin = (log: string, typed: { readonly perDay?: number } = {}) => {
      const limits = new SendingLimits(folder, { log, ...typed }, now);
      limits.beginWriting();
      return limits;
    };
    const first = begin("/home/ana/journal.db", { perDay: 40 });
    for (let request = 0; request < 40; request++) first.sent();
    first.close();
    expect(begin("/home/ana/journal.db").left).toBe(0);
    const other = begin("/home/ana/other.db", { perDay: 40 });
    expect(other.left).toBe(40);
    other.close();
    // Nothing was typed for a third one, so nothing holds it back.
    expect(begin("/home/ana/third.db").areSet).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
