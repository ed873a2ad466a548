import { PassThrough, Readable } from "node:stream";
import { expect, test, vi } from "vitest";
import { UsageError } from "../errors/exit-codes.ts";
import { openAsker } from "./ask.ts";
import { createOutput } from "./output.ts";

/** An input that is asked from, and what was shown meanwhile. */
function asking(input: NodeJS.ReadableStream, signal = new AbortController().signal) {
  let shown = "";
  const stream = { write: (text: string) => (shown += text) };
  const asker = openAsker(input, createOutput("normal", false, { out: stream, err: stream }), signal);
  return { ask: () => asker.ask("Paste it:", "the code"), close: () => asker.close(), shown: () => shown };
}

/** A terminal, as far as it matters: raw mode is remembered. */
function terminal() {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (mode: boolean) => modes.push(mode) });
  return { input, modes };
}

test.each([
  ["c0de-A_b.~\n"],
  ["  c0de-A_b.~  \n"],
  ["c0de-A_b.~"],
  ["\r\n\n  \nc0de-A_b.~\r\nmore\n"],
  ["\u001b[200~c0de-A_b.~\u001b[201~\n"],
  ["\u001b[1;32mc0de\u001b[0m-A_b.~\n"],
  ["\u001b]0;a title\u0007c0de-A_b.~\u0000\u0007\u009b\n"],
  ["\ufeff\u001b[Dc0de-A_b.~\t\n"],
])("O32 %j is read as the code alone: blanks, newlines and what a terminal adds are dropped", async (text) => {
  const { ask, close, shown } = asking(Readable.from([text.slice(0, 5), text.slice(5)]));
  expect(await ask()).toBe("c0de-A_b.~");
  close();
  // Nobody watches a pipe: nothing is asked, and nothing repeated.
  expect(shown()).toBe("");
});

test("several secrets may come on one input, a line each, however it is cut into chunks", async () => {
  const { ask, close } = asking(Readable.from(["fir", "st\nsec", "ond\n", "third"]));
  expect([await ask(), await ask(), await ask()]).toEqual(["first", "second", "third"]);
  await expect(ask()).rejects.toThrow("Cannot read the code: there was none");
  close();
});

test("an input without a line is said to hold none; one without an end is not read to it", async () => {
  for (const text of ["", "\n\n", " \r\n\u001b[0m\n"]) {
    await expect(asking(Readable.from([text])).ask()).rejects.toThrow(
      new UsageError("Cannot read the code: there was none"),
    );
  }
  let chunks = 0;
  const endless = (function* () {
    for (;;) {
      chunks++;
      yield "x".repeat(1000);
    }
  })();
  await expect(asking(Readable.from(endless)).ask()).rejects.toThrow("Cannot use the code: the line is too long");
  expect(chunks).toBeLessThan(100);
});

test("O32 on a terminal the prompt is shown and what is typed is not; erasing works, and the terminal is given back", async () => {
  const { input, modes } = terminal();
  const { ask, close, shown } = asking(input);
  const answer = ask();
  for (const typed of ["s3x", "\u007f", "cret", "\r"]) input.write(typed);
  expect(await answer).toBe("s3cret");
  expect(shown()).toBe("Paste it:\n");
  // At once: while something else is waited for, Ctrl-C must be a signal again.
  expect(modes).toEqual([true, false]);
  close();
  expect(modes).toEqual([true, false]);
});

test("Ctrl-C on a terminal is the signal it would be elsewhere; Ctrl-D ends the input", async () => {
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  try {
    const { input } = terminal();
    const { ask, close } = asking(input);
    const answer = ask();
    input.write("\u0003");
    input.write("\u0004");
    await expect(answer).rejects.toThrow("there was none");
    expect(kill.mock.calls).toEqual([[process.pid, "SIGINT"]]);
    close();
  } finally {
    kill.mockRestore();
  }
});

test("a stop while it is waited for ends the wait", async () => {
  const stop = new AbortController();
  const { ask, close } = asking(new PassThrough(), stop.signal);
  const answer = ask();
  stop.abort();
  await expect(answer).rejects.toBe(stop.signal.reason);
  await expect(ask()).rejects.toBe(stop.signal.reason);
  close();
});
