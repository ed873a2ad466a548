/**
 * Makes the save body of a record, with its shoe and course. If a shoe or a course is gone from the log, the workout still goes in, without
 * it. The message names the missing one.
 */
import { ItemError, saysGone } from "../../connectors/errors.ts";
import { readIfThere, type SaveBody } from "../../connectors/sink.ts";
import type { Severity } from "../../transforms/model/issue.ts";
import { GONE_MEANWHILE } from "../journal/gone.ts";
import type { Line, RecordLine, WorkoutLine } from "../journal/line.ts";
import type { Run } from "../journal/run.ts";
import { findGone, findRemoteId } from "../plan/compare/references.ts";
import type { LoadContext } from "./load-context.ts";

/** Makes the bodies of a run's records. */
export class Bodies {
  readonly #run: Run;
  readonly #context: LoadContext;
  /** Shoes and courses that turned out to be gone: `equipment 8121`. */
  readonly #gone = new Set<string>();
  /** Shoes and courses that we asked for after a refusal, and that the log still has. */
  readonly #there = new Set<string>();

  constructor(run: Run, context: LoadContext) {
    this.#run = run;
    this.#context = context;
  }

  /** The body of a record as the journal has it. */
  async of(line: RecordLine): Promise<SaveBody> {
    if (line.kind !== "workout") return this.#context.encode(line, {});
    const { course, equipment } = line.value;
    return this.#context.encode(line, {
      courseId: course === undefined ? undefined : await this.#idOf(line, "course", course),
      equipmentId: equipment?.[0] === undefined ? undefined : await this.#idOf(line, "equipment", equipment[0]),
    });
  }

  /**
   * After the log refused a workout, asks the log for the shoe and the course in its body. It marks those that are gone in the journal, and later
   * bodies leave them out.
   *
   * @returns whether one of them is gone; then the workout may be sent again without it
   */
  async markGoneReferences(line: Line, body: SaveBody, signal: AbortSignal): Promise<boolean> {
    if (line.kind !== "workout") return false;
    const { course, equipment } = body as { course?: { id?: string }; equipment?: readonly { id?: string }[] };
    const named = [["course", course?.id] as const, ["equipment", equipment?.[0]?.id] as const];
    let isGone = false;
    for (const [kind, id] of named) {
      if (id === undefined || this.#there.has(`${kind} ${id}`)) continue;
      if (!this.#gone.has(`${kind} ${id}`)) await this.#askFor(line, kind, id, signal);
      if (this.#gone.has(`${kind} ${id}`)) isGone = true;
    }
    return isGone;
  }

  async #askFor(line: WorkoutLine, kind: "course" | "equipment", id: string, signal: AbortSignal): Promise<void> {
    if ((await readIfThere(() => this.#context.sink.read(kind, id, signal))) !== undefined) {
      this.#there.add(`${kind} ${id}`);
      return;
    }
    this.#gone.add(`${kind} ${id}`);
    const { course, equipment } = line.value;
    const key = kind === "course" ? course : equipment?.[0];
    if (key !== undefined) await this.#markGone(key, id);
  }

  async #markGone(key: string, id: string): Promise<void> {
    const { journal } = this.#context;
    const thing = await journal.lineWithKey(this.#run.id, key);
    if (thing?.state !== "done" && thing?.state !== "unchanged") return;
    const reason = `${GONE_MEANWHILE} (it was there as ${id}, and the log no longer has it)`;
    await journal.receive(thing, "gone", { reason });
  }

  /** The log's id of a course or a piece of equipment. Without an id, the workout is still sent, only without this reference. */
  async #idOf(line: Line, kind: "course" | "equipment", key: string): Promise<string | undefined> {
    const { journal } = this.#context;
    const gone = await findGone(journal, this.#run.id, key);
    const id = await findRemoteId(journal, this.#run.id, key);
    if (id !== undefined && !this.#gone.has(`${kind} ${id}`)) return id;
    const isGone = gone !== undefined || id !== undefined;
    const found = isGone
      ? `the ${kind} ${nameOf(gone) ?? key} is no longer in the log: the workout is sent without it`
      : key;
    await this.#report(line, isGone ? "load/reference-gone" : "load/reference-left-out", found);
    return undefined;
  }

  async #report(line: Line, rule: string, found: string): Promise<void> {
    const severity: Severity = "warning";
    await this.#context.report({ severity, rule, found, origin: line.origin });
  }
}

/** `Nike Pegasus`; undefined if the name is unknown. */
function nameOf(line: Line | undefined): string | undefined {
  if (line?.kind === "course") return line.value.name;
  if (line?.kind !== "equipment") return undefined;
  const name = [line.value.brandName, line.value.modelName].filter((part) => part !== undefined).join(" ");
  return name === "" ? undefined : name;
}

/** Whether the log refused the body of a record, perhaps because its shoe or course is gone. That the record itself is gone is no refusal. */
export function isBodyRefused(error: unknown): error is ItemError {
  return error instanceof ItemError && !saysGone(error);
}
