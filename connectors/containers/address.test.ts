import { describe, expect, test } from "vitest";
import { absoluteSource, isShortened, wholeAddress, withoutQuery } from "./address.ts";

const AT = "https://files.example/export.zip";

describe("an address as it is stored", () => {
  test.each([
    ["without a query is whole", AT, AT],
    ["lacks the signature", `${AT}?X-Amz-Signature=s3cret&X-Amz-Date=20260101T000000Z&Expires=3600`, `${AT}?`],
    ["lacks user and password", "https://jo:s3cret@files.example/export.zip", `${AT}?`],
    ["lacks the fragment", `${AT}#s3cret`, AT],
  ])("%s", (_what, address, stored) => {
    expect(absoluteSource(address)).toBe(stored);
    expect(isShortened(stored)).toBe(stored !== AT);
    expect(wholeAddress(stored)).toBe(stored === AT ? AT : undefined);
  });

  test("tells two downloads of one page apart, and the same one again is the same, whatever its signature", () => {
    const one = absoluteSource("https://files.example/get?id=1&sig=aaa");
    expect(one).toMatch(/^https:\/\/files\.example\/get\?~[0-9a-f]{8}$/);
    expect(absoluteSource("https://files.example/get?id=2&sig=aaa")).not.toBe(one);
    expect(absoluteSource("https://files.example/get?id=1&sig=bbb")).toBe(one);
    expect(absoluteSource(one)).toBe(one);
    expect(isShortened(one)).toBe(true);
    expect(wholeAddress(one)).toBeUndefined();
    expect(withoutQuery(one)).toBe("https://files.example/get?");
  });
});
