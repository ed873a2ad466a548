import { KINDS } from "../../connectors/repository/layout.ts";
import { recordsOf } from "../../connectors/repository/snapshot.ts";
import { snapshotsOf } from "../../pipelines/backup/snapshots.ts";
import type { CommandContext } from "../arguments/command.ts";
import {
  atRepository,
  openOwnRepository,
  shortId,
  shortTime,
  snapshotAsJson,
  tellDamage,
} from "../backup/repository.ts";
import type { ExitName } from "../errors/exit-codes.ts";
import { count, many, table } from "../terminal/output.ts";

/** `logferry snapshots`: lists the backups. */
export async function act(context: CommandContext): Promise<ExitName> {
  const { output } = context;
  const repository = await openOwnRepository(context, "list the snapshots");
  const { snapshots: all, damaged } = await atRepository(repository, () => snapshotsOf(repository));
  for (const snapshot of all) output.emit("snapshot", snapshotAsJson(snapshot));
  const kinds = KINDS.filter(
    (kind) => kind !== "user" && kind !== "preference" && all.some((one) => recordsOf(one, kind) > 0),
  );
  const rows = all.map((one) => [
    shortId(one),
    shortTime(one),
    ...kinds.map((kind) => recordsOf(one, kind)),
    one.pass,
    one.unread.length === 0 ? "" : `${one.unread.length} unread`,
  ]);
  if (rows.length > 0) output.say(...table([["id", "time (UTC)", ...kinds, "pass", ""], ...rows]));
  tellDamage(output, damaged);
  const name = all.at(-1)?.log.name;
  const whose = name === undefined ? "" : ` of the log of ${name}`;
  const broken = damaged.length === 0 ? "" : `; ${count(damaged.length)} more can't be read`;
  output.conclude(`${many(all.length, "snapshot")}${whose}${broken}.`);
  return damaged.length === 0 ? "done" : "differs";
}
