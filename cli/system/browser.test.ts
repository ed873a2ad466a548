import { expect, test } from "vitest";
import { findOpener, openBrowser } from "./browser.ts";

const ADDRESS = "https://log.example/oauth2/authorize?a=1&b=%22;$(x)";

test("each system has its opener, and the address is one word of it, whatever stands in it", () => {
  expect(findOpener(ADDRESS, { DISPLAY: ":0" }, "linux")).toEqual(["xdg-open", ADDRESS]);
  expect(findOpener(ADDRESS, { WAYLAND_DISPLAY: "wayland-0" }, "linux")).toEqual(["xdg-open", ADDRESS]);
  expect(findOpener(ADDRESS, { BROWSER: "lynx" }, "freebsd")).toEqual(["xdg-open", ADDRESS]);
  expect(findOpener(ADDRESS, {}, "darwin")).toEqual(["open", ADDRESS]);
  expect(findOpener(ADDRESS, {}, "win32")).toEqual(["rundll32.exe", "url.dll,FileProtocolHandler", ADDRESS]);
});

test("without a screen there is no opener", () => {
  expect(findOpener(ADDRESS, {}, "linux")).toBeUndefined();
  expect(findOpener(ADDRESS, { DISPLAY: "" }, "linux")).toBeUndefined();
  expect(openBrowser(ADDRESS, { DISPLAY: "" }, () => undefined)).toBe(process.platform === "darwin");
});

test.each(["file:///etc/passwd", "javascript:alert(1)", "-x", "ftp://log.example", ""])(
  "%j is never opened",
  (address) => {
    expect(() => findOpener(address, { DISPLAY: ":0" }, "linux")).toThrow(/not one of the web/);
  },
);

test("an opener that isn't there is told of, and is no crash", async () => {
  const told = new Promise<void>((resolve) => {
    openBrowser("http://127.0.0.1:1/", { PATH: "/nowhere", DISPLAY: ":0" }, resolve);
  });
  await told;
});
