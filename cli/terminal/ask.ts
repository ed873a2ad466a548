/**
 * Secrets from a person or a pipe: a line of standard input at a time. On a terminal what is typed or pasted is not shown, and
 * what a terminal adds to it (escape sequences around a paste, returns, control characters) is dropped.
 */
import type { ReadStream } from "node:tty";
import { UsageError } from "../errors/exit-codes.ts";
import type { Output } from "./output.ts";

/** Characters of one line at the most: no secret is longer, and no input without an end is read to it. */
const LONGEST_LINE = 4_000;

/** Asks for secrets, one after the other, from one input. */
export interface Asker {
  /**
   * The next line that holds anything.
   *
   * @param prompt shown on a terminal, and nowhere else
   * @param what for the message when there is none: `the access token`
   * @throws UsageError when the input is over, or a line is too long; the signal's reason when it is aborted
   */
  ask(prompt: string, what: string): Promise<string>;
  /** Lets go of the input, so that the process can end. */
  close(): void;
}

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const ERASE = new Set(["\u007f", "\b"]);

/** Opens an input for questions. Nothing is read before the first. */
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
  /** A terminal in raw mode leaves editing to us, and signals too. */
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

  /** The first line of what is there that holds anything; undefined when more must come. */
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
      // Only while it is asked: in raw mode a Ctrl-C is a character, which nobody would read afterwards.
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
      // A pipe whose other end stays open would keep the process.
      (input as Partial<ReadStream>).unref?.();
    },
  };
}

/** Without escape sequences (a terminal puts some around a paste), other control characters, and blanks at either end. */
function cleaned(text: string): string {
  return text
    .replaceAll(/\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g, "")
    .replaceAll(/\u001b\[[0-?]*[ -/]*[@-~]/g, "")
    .replaceAll(/\u001b./g, "")
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "")
    .trim();
}
