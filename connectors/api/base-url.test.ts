import { expect, test } from "vitest";
import { FatalError } from "../errors.ts";
import { checkedBaseUrl } from "./base-url.ts";

test.each([
  ["https://log.example", "https://log.example", ""],
  ["https://log.example/", "https://log.example", ""],
  ["https://log.example/api/", "https://log.example", "/api"],
  ["https://LOG.example:8443/a/b", "https://log.example:8443", "/a/b"],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080", ""],
  ["http://localhost:8080/x", "http://localhost:8080", "/x"],
  ["http://[::1]:8080", "http://[::1]:8080", ""],
])("%s is an address a token may go to", (text, origin, prefix) => {
  expect(checkedBaseUrl(text)).toEqual({ origin, prefix });
});

test.each([
  "http://log.example",
  "http://127.0.0.2.example",
  "http://localhost.example",
  "file:///etc/passwd",
  "ftp://log.example",
  "javascript:alert(1)",
  "https://user:s3cret@log.example",
  "https://s3cret@log.example",
  "https://@log.example",
  "https://log.example?s3cret=1",
  "https://log.example/?",
  "https://log.example/#s3cret",
  "https://169.254.169.254",
  "https://[fe80::1]",
  "https://0.0.0.0",
  "https://log.example.",
  "https://log.example/../x",
  "https://log.example/a/..",
  "https://log.example\\@s3cret",
  " https://log.example",
  "https://log.exa\tmple",
  "log.example",
  "",
])("N1 %j is refused, and the message doesn't repeat it", (text) => {
  let caught: unknown;
  try {
    checkedBaseUrl(text);
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(FatalError);
  expect(caught).toMatchObject({ code: "api/bad-url", reason: "service" });
  expect(String(caught)).not.toContain("s3cret");
});

test.each([
  ["localhost:18300", "http://localhost:18300"],
  ["127.0.0.1:8080/", "http://127.0.0.1:8080"],
  ["log.example", "https://log.example"],
  ["log.example:8443", "https://log.example:8443"],
])("%s lacks only its scheme, and the message says the whole address", (text, meant) => {
  expect(() => checkedBaseUrl(text)).toThrow(`did you mean ${meant}?`);
});

test.each(["aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE", "log.example/s3cret", "s3cret@log.example", "log.example?s3cret"])(
  "what may be a secret is not suggested as an address: %s",
  (text) => {
    expect(() => checkedBaseUrl(text)).toThrow(/^(?!.*did you mean)/);
  },
);

test("plain HTTP to another machine needs to be asked for", () => {
  expect(checkedBaseUrl("http://log.lan", true)).toEqual({ origin: "http://log.lan", prefix: "" });
});
