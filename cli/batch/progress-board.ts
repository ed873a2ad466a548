/** One live line for all athletes: the number of finished ones, and the current ones. */
import type { Output, Status } from "../terminal/output.ts";

/** The most athletes that are named in the line. Further athletes are only counted. */
const NAMED = 3;

/** The live line of a batch. */
export interface ProgressBoard {
  /** The output for the steps of one athlete. It only shows their progress, in the common line. */
  outputFor(athlete: string): Output;
  /** Reports that an athlete is finished. */
  finished(athlete: string): void;
  /** Removes the line. */
  close(): void;
}

/** A progress board for this many athletes. */
export function openProgressBoard(output: Output, phase: string, total: number): ProgressBoard {
  const working = new Map<string, Status | undefined>();
  let done = 0;
  const show = () => {
    const named = [...working].slice(0, NAMED).map(([athlete, status]) => describe(athlete, status));
    const others = working.size - named.length;
    const waiting = [...working.values()].find((status) => status?.waiting !== undefined)?.waiting;
    // The line shows a wait only when every current athlete waits.
    const isStuck = working.size > 0 && [...working.values()].every((status) => status?.waiting !== undefined);
    const at = [...named, ...(others > 0 ? [`${others} more`] : [])].join(", ");
    output.progress({ phase, done, total, ...(at !== "" && { at }), ...(isStuck && { waiting }) });
  };
  return {
    outputFor(athlete) {
      working.set(athlete, undefined);
      return {
        loudness: "quiet",
        isJson: false,
        width: Number.POSITIVE_INFINITY,
        say: () => undefined,
        conclude: () => undefined,
        warn: () => undefined,
        remark: () => undefined,
        emit: () => undefined,
        progress(status) {
          working.set(athlete, status);
          show();
        },
        endProgress: () => undefined,
      };
    },
    finished(athlete) {
      working.delete(athlete);
      done++;
      show();
    },
    close: () => output.endProgress(),
  };
}

function describe(athlete: string, status: Status | undefined): string {
  if (status === undefined) return athlete;
  const { phase, done, total } = status;
  return `${athlete} ${phase} ${total === undefined ? done : `${done}/${total}`}`;
}
