/** Keeps what a verification found. */
import type { Journal } from "../journal/journal.ts";
import type { Run } from "../journal/run.ts";
import type { verify } from "./verify.ts";

/** The maximum number of differing records that are remembered with the run. */
const MOST_REMEMBERED = 100;

/** Stores the result of a verification for the status and report of the run, as it was before the reading. Do not call it for one that was stopped. */
export async function keepVerification(
  journal: Journal,
  run: Run,
  found: Awaited<ReturnType<typeof verify>>,
  now: number,
): Promise<void> {
  const named = found.discrepancies.flatMap(({ line: { kind, remoteId: id }, differences }) =>
    kind === "set-aside" || id === undefined ? [] : [{ kind, id, differences }],
  );
  const unsaved = found.discrepancies.flatMap((one) => one.unsaved ?? []);
  await journal.nameDifferences(named, unsaved);
  await journal.setVerified(run.id, {
    at: now,
    runEndedAt: run.state === "finished" ? run.finishedAt : undefined,
    checked: found.checked,
    present: found.present,
    differing: found.discrepancyCount,
    edited: found.edited.count,
    ...{ claimedTwice: found.claimedTwice.length, doubled: found.doubled },
    unread: found.unread.count,
    notAdded: found.notAdded,
    metres: found.metres,
    seconds: found.seconds,
    examples: found.discrepancies
      .slice(0, MOST_REMEMBERED)
      .map(({ line: { kind, remoteId, origin }, differences }) => ({ kind, id: remoteId, origin, differences })),
  });
}
