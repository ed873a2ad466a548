/** Shows the guide's questions on a terminal. It is the only file that uses @clack/prompts. */
import { isCancel, log, select, text } from "@clack/prompts";
import { printable } from "../../transforms/text/printable.ts";
import { wrap } from "../../transforms/text/wrap.ts";
import { type Asking, BACK, Stopped } from "./asking.ts";

/** A terminal, or what stands for one in a test. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

type Key = { readonly name?: string; readonly ctrl?: boolean } | undefined;

/** What a question of the library needs. */
type Shared = Parameters<typeof text>[0] extends infer O
  ? Pick<Extract<O, object>, keyof O & ("input" | "output" | "signal")>
  : never;

/**
 * Asks on a terminal.
 *
 * @param signal ends the question that is shown
 */
export function questionsOn({ input, output }: Terminal, signal: AbortSignal): Asking {
  /** Shows one question. The library gives one answer for Escape and Ctrl-C, so the last key tells them apart. */
  const put = async <T>(show: (shared: Shared) => Promise<T | symbol>): Promise<T | typeof BACK> => {
    if (signal.aborted) throw new Stopped();
    const over = new AbortController();
    const end = () => over.abort();
    let isBack = false;
    const onKey = (_text: string | undefined, key: Key) => {
      isBack = key?.name === "escape";
      // The library would wait for ever after the end of the input.
      if (key?.ctrl === true && key.name === "d") end();
    };
    input.on("keypress", onKey).on("end", end).on("close", end);
    signal.addEventListener("abort", end, { once: true });
    try {
      const answer = await show({ input, output, signal: over.signal } as Shared);
      if (!isCancel(answer)) return answer as T;
      if (isBack && !over.signal.aborted) return BACK;
      throw new Stopped();
    } finally {
      signal.removeEventListener("abort", end);
      input.off("keypress", onKey).off("end", end).off("close", end);
      input.pause();
    }
  };
  return {
    choose: async (question, answers) => {
      const options = answers.map(({ label, hint }, at) => ({
        value: at,
        label: inFull(label),
        ...(hint !== undefined && { hint: inFull(hint) }),
      }));
      const at = await put<number>((shared) => select({ message: question, options, ...shared }));
      const answer = at === BACK ? undefined : answers[at];
      return answer === undefined ? BACK : answer.value;
    },
    type: async ({ question, usual, problem }) => {
      const validate = (typed: string | undefined) => {
        const answer = (typed ?? "").trim() || usual;
        return answer === undefined ? "Type an answer, or press Escape to go back" : problem?.(answer);
      };
      const message = usual === undefined ? question : `${question} Enter takes ${usual}`;
      const shown = { message, validate, ...(usual !== undefined && { placeholder: usual, defaultValue: usual }) };
      const typed = await put<string>((shared) => text({ ...shown, ...shared }));
      return typed === BACK ? BACK : typed.trim() || (usual ?? "");
    },
    say: (sentence, command) => {
      const lines = wrap(inFull(sentence), columnsOf(output) - BAR);
      log.message([...lines, ...(command === undefined ? [] : [inFull(command)])], {
        output: output as NodeJS.WriteStream,
      });
    },
  };
}

/** The columns of the bar at the left. */
const BAR = 3;

function columnsOf(output: NodeJS.WritableStream): number {
  const { columns } = output as Partial<NodeJS.WriteStream>;
  return Math.max(30, columns || 80);
}

/** A command must stay whole, however long it is. */
function inFull(line: string): string {
  return printable(line, Number.POSITIVE_INFINITY);
}
