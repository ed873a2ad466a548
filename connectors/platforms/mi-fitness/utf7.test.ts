import { expect, test } from "vitest";
import { plainValue } from "./utf7.ts";

test.each([
  ["+AHsAIg-start+AF8-time+ACI-:1+AH0-", '{"start_time":1}'],
  ["+ACI-a+-b+ACI-", '"a+b"'],
  ["+ACI-+2DzfjQ-", '"\u{1f38d}'],
  ['{"note": "5 +2-3"}', '{"note": "5 +2-3"}'],
])("%j is %j", (text, plain) => expect(plainValue(text)).toBe(plain));
