/**
 * Reads secrets from a person or a pipe, one line of standard input at a time. On a terminal the typed or pasted text is not shown.
 * logferry drops everything that a terminal adds to it (escape sequences around a paste, returns, control characters).
 */
import type { ReadStream } from "node:tty";
import { UsageError } from "../errors/exit-codes.ts";
import type { Output } from "./output.ts";

/** The most characters of one line. No secret is longer, and logferry must not read an endless input to its end. */
const LONGEST_LINE = 4_000;

/** Asks for several secrets, one after the other, from one input. */
export interface Asker {
  /**
   * The next line that is not empty.
   *
   * @param prompt shown only on a terminal
   * @param what a name for the message when there is no line: `the access token`
   * @throws UsageError when the input is over, or a line is too long; the signal's reason when it is aborted
   */
  ask(prompt: string, what: string): Promise<string>;
  /** Lets go of the input, so that the process can end. */
  close(): void;
}

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const ERASE = new Set(["\u007f", "\b"]);

/** Opens an input for questions. It reads nothing before the first question. */
export function openAsker(input: NodeJS.ReadableStream, output: Output, signal: AbortSignal): Asker {
  const terminal = (input as ReadStream).isTTY === true ? (input as ReadStream) : undefined;
  let pending = "";
  let isOver = false;
  let wake: () => void = () => undefined;

  const onData = (chunk: unknown) => {
    const text = String(chunk);
    if (terminal === undefined) pending += text;
    else for (const character of text) type(character);
    if (pending.length > LONGEST_LINE) input.pause();
    wake();
  };
  /** In raw mode a terminal leaves editing and signals to logferry. */
  const type = (character: string) => {
    if (character === CTRL_C) process.kill(process.pid, "SIGINT");
    else if (character === CTRL_D) isOver = true;
    else if (ERASE.has(character)) pending = pending.slice(0, -1);
    else pending += character;
  };
  const onEnd = () => {
    isOver = true;
    wake();
  };
  let isOpen = false;
  const open = () => {
    if (isOpen) return;
    isOpen = true;
    input.on("data", onData).on("end", onEnd).on("error", onEnd).on("close", onEnd);
    signal.addEventListener("abort", onAbort);
  };
  const onAbort = () => wake();

  /** The first line that is not empty; undefined when more text must come; empty at the end of the input. */
  const takeLine = (): string | undefined => {
    for (;;) {
      const end = pending.search(/[\r\n]/);
      if (end === -1 && !isOver) return undefined;
      const line = cleaned(end === -1 ? pending : pending.slice(0, end));
      pending = end === -1 ? "" : pending.slice(end + 1);
      if (line !== "") return line;
      if (end === -1) return "";
    }
  };

  return {
    async ask(prompt, what) {
      signal.throwIfAborted();
      if (terminal !== undefined) output.remark(prompt);
      open();
      // Only while a question waits, because in raw mode a Ctrl-C is a character, which only this loop reads.
      terminal?.setRawMode(true);
      input.resume();
      try {
        for (;;) {
          const line = takeLine();
          if (line === "") throw new UsageError(`Cannot read ${what}: there was none`);
          if (line !== undefined) return line;
          if (pending.length > LONGEST_LINE) throw new UsageError(`Cannot use ${what}: the line is too long`);
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          signal.throwIfAborted();
        }
      } finally {
        terminal?.setRawMode(false);
        input.pause();
      }
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      input.off("data", onData).off("end", onEnd).off("error", onEnd).off("close", onEnd);
      signal.removeEventListener("abort", onAbort);
      input.pause();
      // A pipe with an open other end would keep the process alive.
      (input as Partial<ReadStream>).unref?.();
    },
  };
}

/** Removes escape sequences (a terminal puts some around a paste), other control characters, and blanks at both ends. */
function cleaned(text: string): string {
  return text
    .replaceAll(/\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g, "")
    .replaceAll(/\u001b\[[0-?]*[ -/]*[@-~]/g, "")
    .replaceAll(/\u001b./g, "")
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "")
    .trim();
}
