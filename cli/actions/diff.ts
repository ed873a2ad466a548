import { KINDS } from "../../connectors/repository/layout.ts";
import type { Snapshot } from "../../connectors/repository/snapshot.ts";
import { diffSnapshots, type RecordChange } from "../../pipelines/backup/snapshot-diff.ts";
import { snapshotsOf } from "../../pipelines/backup/snapshots.ts";
import type { CommandContext } from "../arguments/command.ts";
import {
  atRepository,
  counted,
  openOwnRepository,
  shortId,
  shortTime,
  snapshotAsJson,
  snapshotCalled,
} from "../backup/repository.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { count, type Output } from "../terminal/output.ts";

/** `logferry diff`: shows the changes between two snapshots. */
export async function act(context: CommandContext): Promise<ExitName> {
  const { output } = context;
  const repository = await openOwnRepository(context, "compare snapshots");
  const { snapshots } = await atRepository(repository, () => snapshotsOf(repository));
  const [a, b] = context.arguments.map((name) => snapshotCalled(snapshots, name, "compare")) as [Snapshot, Snapshot];
  const changes = await atRepository(repository, () => diffSnapshots(repository, a, b));
  output.emit("snapshot", { ...snapshotAsJson(a), side: "A" });
  output.emit("snapshot", { ...snapshotAsJson(b), side: "B" });
  for (const change of changes) output.emit("change", { ...change });
  for (const kind of KINDS)
    sayKind(
      output,
      kind,
      changes.filter((change) => change.kind === kind),
    );
  const between = `between ${shortId(a)} (${shortTime(a)}) and ${shortId(b)} (${shortTime(b)})`;
  const many = changes.length === 1 ? "1 record differs" : `${count(changes.length)} records differ`;
  output.conclude(changes.length === 0 ? `Nothing changed ${between}.` : `${many} ${between}.`);
  return "done";
}

function sayKind(output: Output, kind: string, changes: readonly RecordChange[]): void {
  for (const change of ["added", "removed"] as const) {
    const some = changes.filter((one) => one.change === change);
    if (some.length > 0) output.say(`${counted(kind, some.length)} ${change}`);
  }
  const byField = new Map<string, number>();
  for (const { fields, metres } of changes) {
    // The distance of a shoe has a sentence of its own.
    for (const { field } of fields.filter((one) => !(metres !== undefined && one.field === "distance"))) {
      byField.set(field, (byField.get(field) ?? 0) + 1);
    }
  }
  for (const [field, records] of [...byField].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    output.say(
      `${field} of ${kind === "user" || kind === "preference" ? `the ${kind}` : counted(kind, records)} changed`,
    );
  }
  for (const { metres, name, id } of changes) {
    if (metres !== undefined && Math.abs(metres) >= 1) {
      output.say(`${name || id}: ${metres < 0 ? "−" : "+"}${(Math.abs(metres) / 1000).toFixed(1)} km`);
    }
  }
  if (output.loudness !== "verbose") return;
  for (const { change, name, id, fields } of changes) {
    output.say(`  ${change} ${kind} ${id}${name === "" ? "" : ` (${name})`}`);
    for (const { field, before, after } of fields) output.say(`    ${field}: ${shown(before)} -> ${shown(after)}`);
  }
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
