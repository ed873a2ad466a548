import { expect, test } from "vitest";
import { redactor } from "./redact.ts";

// Written by hand for the secret `a+b/c="d`. The tested code computes nothing here.
const SECRET = 'a+b/c="d';

test.each([
  ["as it is", 'a+b/c="d'],
  ["URL-encoded", "a%2Bb%2Fc%3D%22d"],
  ["URL-encoded in small letters", "a%2bb%2fc%3d%22d"],
  ["escaped as JSON", 'a+b/c=\\"d'],
  ["in base64", "YStiL2M9ImQ="],
  ["in base64 without its padding", "YStiL2M9ImQ"],
])("S6 a secret %s is taken out", (_how, spelling) => {
  const clean = redactor([SECRET])(`before ${spelling} after`);
  expect(clean).toBe("before [redacted] after");
});

test.each(["12345678", "abc", "ÿ"])(
  "a text that is nothing but the secret %s is taken out, in base64 too",
  (secret) => {
    const base64 = { "12345678": "MTIzNDU2Nzg", abc: "YWJj", ÿ: "w78" }[secret];
    for (const text of [secret, base64 as string]) expect(redactor([secret])(text)).toBe("[redacted]");
  },
);

test("whatever follows access_token= goes, known or not", () => {
  expect(redactor([])("GET /x?limit=1&access_token=other&offset=2 failed")).toBe(
    "GET /x?limit=1&access_token=[redacted]&offset=2 failed",
  );
});

test("an empty secret redacts nothing", () => {
  expect(redactor([""])("a text")).toBe("a text");
});

test("a short secret is taken out where it stands by itself, and not out of the middle of words", () => {
  const clean = redactor(["re"]);
  expect(clean('the request was refused: re, (re) "re" /re/')).toBe(
    'the request was refused: [redacted], ([redacted]) "[redacted]" /[redacted]/',
  );
  expect(clean("GET /x?access_token=re&a=1")).toBe("GET /x?access_token=[redacted]&a=1");
});
