import { expect, test } from "vitest";
import { html } from "./html.ts";
import { commandsIn } from "./records.ts";

const shown = (text: string) => html`${commandsIn(text)}`.text;

test("a command of any length is on the page to its end, and marked as one", () => {
  const sources = Array.from({ length: 60 }, (_, at) => `export_${at}.zip`).join(" ");
  const command = `logferry import ${sources} --same-gear 'Nike Pegasus 38=Pegasus "old" <3'`;
  expect(shown(`Load them again: ${command}. To leave that so: logferry certify --accept dropped=2`)).toBe(
    `Load them again: <code>logferry import ${sources} --same-gear &#39;Nike Pegasus 38=Pegasus &quot;old&quot; &lt;3&#39;</code>. To leave that so: <code>logferry certify --accept dropped=2</code>`,
  );
});

test("a folder among the sources of a command is marked as a part of it", () => {
  expect(shown("Then: logferry import garmin.zip watch log.csv --zone America/New_York --accept not-added.")).toBe(
    "Then: <code>logferry import garmin.zip watch log.csv --zone America/New_York --accept not-added</code>.",
  );
});

test("a sentence without a command has no markup of its own, and its controls are spelt out", () => {
  expect(shown("See <b>log</b>\u001b[2J.")).toBe("See &lt;b&gt;log&lt;/b&gt;\\x1b[2J.");
});
