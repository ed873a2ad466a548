import { expect, test } from "vitest";
import { isLoopbackHost } from "./loopback-host.ts";

test.each(["localhost", "LOCALHOST", "127.0.0.1", "127.8.9.10", "::1", "[::1]"])("%s is this machine", (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

test.each([
  "localhost.example",
  "127.0.0.1.example",
  "127.0.0",
  "128.0.0.1",
  "[::2]",
  "[::1",
  "",
  "a.localhost",
  "0.0.0.0",
])("%j is another machine, or none", (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});
