/** One live line for all athletes: how many are done, and who is being worked on. */
import type { Output, Status } from "../terminal/output.ts";

/** Athletes named in the line; of more only how many. */
const NAMED = 3;

/** What the line is made of. */
export interface ProgressBoard {
  /** The output of an athlete's own steps: only where they stand is shown, in the line of all. */
  outputFor(athlete: string): Output;
  /** An athlete is through. */
  finished(athlete: string): void;
  /** Takes the line away. */
  close(): void;
}

/** A progress board for so many athletes. */
export function openProgressBoard(output: Output, phase: string, total: number): ProgressBoard {
  const working = new Map<string, Status | undefined>();
  let done = 0;
  const show = () => {
    const named = [...working].slice(0, NAMED).map(([athlete, status]) => describe(athlete, status));
    const others = working.size - named.length;
    const waiting = [...working.values()].find((status) => status?.waiting !== undefined)?.waiting;
    // Those who wait are waited for; the line says so where nobody gets on.
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
