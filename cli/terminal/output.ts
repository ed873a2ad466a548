/**
 * The only place that prints. People get text on standard output and progress on standard error. Scripts get JSON lines with a `type`
 * (`--json`, see docs/json.md). Text from sources passes through `printable`, so an archive can't control a terminal.
 */
import { grouped } from "../../transforms/text/grouped.ts";
import { printable } from "../../transforms/text/printable.ts";

/** The progress of a long step. */
export interface Status {
  /** The current work: `reading`, `loading`. */
  readonly phase: string;
  readonly done: number;
  readonly total?: number | undefined;
  /** The objects of the current work, if there are several: `ana 12 of 40, ben reading`. */
  readonly at?: string | undefined;
  /** The reason for a wait, if there is one: `the server asked for 20 s`. */
  readonly waiting?: string | undefined;
}

/** The amount of output that a person wants. */
export type Loudness = "quiet" | "normal" | "verbose";

/** The streams to write to: the standard ones, except in tests. */
export interface Streams {
  readonly out: { write(text: string): unknown; readonly columns?: number | undefined };
  readonly err: {
    write(text: string): unknown;
    readonly isTTY?: boolean | undefined;
    readonly columns?: number | undefined;
  };
}

/** Every `type` of a JSON line. docs/json.md describes each, and a test compares the two. */
export const JSON_TYPES = [
  "account",
  "added",
  "answer",
  "application",
  "athlete",
  "authorization",
  "backup-status",
  "batch",
  "cause",
  "certificate",
  "change",
  "check",
  "created",
  "damage",
  "decided",
  "demo-user",
  "difference",
  "drill",
  "edited",
  "error",
  "fault",
  "file",
  "filled",
  "forgotten",
  "grant",
  "history",
  "holder",
  "issue",
  "lacking",
  "listening",
  "login",
  "logout",
  "loss",
  "lost-file",
  "mapping",
  "mapping-test",
  "match",
  "moved",
  "not-added",
  "notification",
  "pair",
  "plan",
  "profile",
  "promotion",
  "quarantined",
  "record",
  "report",
  "repository",
  "run",
  "schedule",
  "snapshot",
  "source",
  "status",
  "structure",
  "summary",
  "undone",
  "unread",
  "user",
  "verification",
] as const;

/** The `type` of a JSON line. */
export type JsonType = (typeof JSON_TYPES)[number];

/**
 * Prints for a command. Each argument is one line and stays one: a line break in it is spelt out. So a name in an archive or an answer of a
 * service can't print a line that looks like logferry's own.
 */
export interface Output {
  readonly loudness: Loudness;
  readonly isJson: boolean;
  /** The most columns of a table: those of the terminal, or no limit without a terminal. */
  readonly width: number;
  /** Prints lines of text for people, or an empty line when called without any; nothing with --json or --quiet. */
  say(...lines: readonly string[]): void;
  /** Prints the last sentence of a command, even with --quiet. */
  conclude(...lines: readonly string[]): void;
  /** Prints the error that ends a command, on standard error, even with --quiet; one `error` line with --json. */
  warn(...lines: readonly string[]): void;
  /** Prints a remark for a person who watches, on standard error, even with --quiet; nothing with --json. */
  remark(...lines: readonly string[]): void;
  /** Prints a JSON line; nothing without --json. */
  emit(type: JsonType, data: Record<string, unknown>): void;
  /** Prints live progress: one line that renews itself, or a new line now and then without a terminal. */
  progress(status: Status): void;
  /** Ends the live line, so that text can follow. */
  endProgress(): void;
  /** What becomes of the commands in a message before it is printed. Files with the same messages need the same. Absent: nothing. */
  readonly completes?: (line: string) => string;
}

/** Milliseconds between two renewals of the live line, on a terminal and without one. */
const RENEW_MS = { terminal: 100, elsewhere: 10_000 } as const;

/** Makes an output with its own clock, for progress and the estimated time. */
export function createOutput(
  loudness: Loudness,
  isJson: boolean,
  streams: Streams = { out: process.stdout, err: process.stderr },
  now: () => number = () => performance.now(),
): Output {
  const isTerminal = streams.err.isTTY === true;
  const width = Math.max(20, (streams.err.columns || 100) - 1);
  let isLive = false;
  let phase: string | undefined;
  let startedAt = 0;
  let startedWith = 0;
  let renewedAt = Number.NEGATIVE_INFINITY;

  // Only blanks and returns, and no escape codes, because escape codes can go wrong.
  const blank = `\r${" ".repeat(width)}\r`;
  const wipe = () => {
    if (isLive) streams.err.write(blank);
    isLive = false;
  };
  const print = (lines: readonly string[], stream: { write(text: string): unknown }) => {
    wipe();
    stream.write(lines.map((line) => `${printable(line, LONGEST_LINE)}\n`).join(""));
  };
  const jsonLine = (type: JsonType, data: object) => streams.out.write(`${safeJson({ type, ...data })}\n`);

  return {
    loudness,
    isJson,
    width: streams.out.columns || Number.POSITIVE_INFINITY,
    say(...lines) {
      if (!isJson && loudness !== "quiet") print(lines.length === 0 ? [""] : lines, streams.out);
    },
    conclude(...lines) {
      if (!isJson) print(lines, streams.out);
    },
    warn(...lines) {
      if (!isJson) return print(lines, streams.err);
      wipe();
      jsonLine("error", { message: lines.join("\n") });
    },
    remark(...lines) {
      if (!isJson) return print(lines, streams.err);
      wipe();
    },
    emit(type, data) {
      if (isJson) jsonLine(type, data);
    },
    progress(status) {
      const time = now();
      if (status.phase !== phase) {
        phase = status.phase;
        startedAt = time;
        startedWith = status.done;
        renewedAt = isTerminal ? Number.NEGATIVE_INFINITY : time;
      }
      const isLast = status.total !== undefined && status.done >= status.total;
      if (time - renewedAt < (isTerminal ? RENEW_MS.terminal : RENEW_MS.elsewhere) && !isLast) return;
      renewedAt = time;
      const rate = time > startedAt ? ((status.done - startedWith) * 1000) / (time - startedAt) : undefined;
      if (isJson) {
        jsonLine("status", { ...status, ...(rate !== undefined && { rate }) });
        return;
      }
      if (loudness === "quiet") return;
      const text = printable(describeStatus(status, rate), width);
      streams.err.write(isTerminal ? `${isLive ? blank : "\r"}${text}` : `${text}\n`);
      isLive = isTerminal;
    },
    endProgress() {
      wipe();
      phase = undefined;
    },
  };
}

/** `loading  214 of 611  35 %  41/s  ETA 10 s  waiting: the server asked for 20 s` */
export function describeStatus(status: Status, rate: number | undefined): string {
  const { done, total } = status;
  const left = total === undefined ? undefined : total - done;
  const parts = [
    status.phase,
    total === undefined ? count(done) : `${count(done)} of ${count(total)}`,
    total === undefined || total === 0 ? undefined : `${Math.floor((done / total) * 100)} %`,
    rate === undefined || rate === 0 ? undefined : `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`,
    rate === undefined || rate === 0 || left === undefined || left === 0 ? undefined : `ETA ${span(left / rate)}`,
    status.at,
    status.waiting === undefined ? undefined : `waiting: ${status.waiting}`,
  ];
  return parts.filter((part) => part !== undefined).join("  ");
}

/** JSON that can't control a terminal either. It escapes the characters that `printable` spells out, and it parses to the same text. */
function safeJson(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The most columns of a line. A path or an address to open may be long, but a name of ten thousand characters must not fill the screen. */
const LONGEST_LINE = 1_000;

/** A whole number in groups of three digits: `12 345`. */
export const count = (value: number): string => grouped(value);

/** A number with its noun: `1 record`, `2 140 records`. */
export function many(number: number, one: string, several = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : several}`;
}

/** `1 record`, `2 140 records`. */
export const records = (number: number): string => many(number, "record");

/** Seconds as people say them: `45 s`, `12 min`, `9 h 44 min`. */
export function span(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Rows in columns, one line for each row: numbers aligned right, indented by two blanks. */
export function table(rows: readonly (readonly (string | number)[])[]): readonly string[] {
  const widths: number[] = [];
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === "number" ? count(cell) : printable(cell, LONGEST_LINE))),
  );
  for (const row of cells) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return cells.map((row, at) => {
    const padded = row.map((cell, index) => {
      const width = widths[index] ?? 0;
      return typeof rows[at]?.[index] === "number" ? cell.padStart(width) : cell.padEnd(width);
    });
    return `  ${padded.join("  ")}`.trimEnd();
  });
}
