/**
 * Reads all records of a source, for code that counts them. First come the entries that were refused when the archive was opened, then the
 * connector's records. A connector never sees a refused entry. Each refused entry may have been a workout, so each gets a line.
 */
import type { Archive } from "../../connectors/containers/archive.ts";
import { stoppable } from "../../connectors/containers/overlay.ts";
import type { Connector, ReadContext } from "../../connectors/contract.ts";
import type { Reading } from "../../transforms/model/item.ts";

/**
 * Every record of a source. Each refused entry is one, rejected as quarantined.
 *
 * @param context `report` receives further remarks about the archive. When its signal is aborted, the records end soon, and without an error
 * @throws FatalError as `Connector.read`
 */
export async function* readSource(
  { archive, connector }: { readonly archive: Archive; readonly connector: Connector },
  context: ReadContext,
): AsyncGenerator<Reading> {
  const times = new Map<string, number>();
  for (const issue of archive.issues) {
    if (issue.severity !== "error") {
      context.report(issue);
      continue;
    }
    const origin = issue.origin ?? { connector: "archive", archive: archive.name, entry: archive.name };
    const key = `archive:refused:${origin.entry}`;
    const time = (times.get(key) ?? 0) + 1;
    times.set(key, time);
    yield { kind: "set-aside", key: time === 1 ? key : `${key}#${time}`, origin, as: "quarantined", issue };
  }
  try {
    yield* connector.read(stoppable(archive, context.signal), context);
  } catch (error) {
    if (!context.signal.aborted || error !== context.signal.reason) throw error;
  }
}
