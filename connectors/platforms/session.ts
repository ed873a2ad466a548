/** The state of reading one archive. Every connector uses it to place its records and to keep its keys distinct. */
import type { Fix } from "../../transforms/model/fix.ts";
import { type Issue, type Origin, withOrigin } from "../../transforms/model/issue.ts";
import type { Rejected } from "../../transforms/model/item.ts";
import type { Archive } from "../containers/archive.ts";
import type { ReadContext } from "../contract.ts";
import { KeyTable } from "./key-table.ts";

/** The data and functions of a reading. */
export interface ReadSession {
  readonly archive: Archive;
  readonly context: ReadContext;
  /** A place in the archive. Without `entry`, it is the archive as a whole. */
  origin(entry?: string, locator?: string): Origin;
  /**
   * Makes a key unique. The first call returns the key itself, later calls add a number: `a`, `a#2`. Equal records may swap their numbers without
   * harm, so the order of the source doesn't matter.
   */
  unique(key: string): string;
  /** Whether the facts under a key equal those of its first record. The first call for a key and a kind of facts sets these. */
  isAsFirst(key: string, facts: string, kind?: string): boolean;
  /** Reports an issue at a place, unless it has a more precise one. */
  report(issue: Issue, origin: Origin): void;
  /** Whether an issue or a rejected record already names this file of 0 bytes. Files with content are not remembered. */
  isTold(entry: string): boolean;
  /** Rejects a record that can't or shouldn't go into the log. */
  reject(as: Rejected["as"], key: string, origin: Origin, issue: Issue): Rejected;
  /**
   * Gives a person's decisions about rejected records, by key. If several records share a key, the first record gets the first decision, and so on.
   * Call it once for each pass over the records; undefined if there are no decisions.
   */
  fixes(): ((key: string) => Fix | undefined) | undefined;
}

/** Begins a reading by the connector called `connector`. */
export function createReadSession(connector: string, archive: Archive, context: ReadContext): ReadSession {
  const keys = new KeyTable();
  const told = new Set<string>();
  const placed = (issue: Issue, origin: Origin): Issue => {
    const { entry = "" } = issue.origin ?? origin;
    if (archive.entry(entry)?.sizeBytes === 0) told.add(entry);
    return withOrigin(issue, origin);
  };
  const session: ReadSession = {
    archive,
    context,
    origin: (entry = archive.name, locator) => ({
      connector,
      archive: archive.name,
      entry,
      ...(locator !== undefined && { locator }),
    }),
    unique(key) {
      const count = keys.count(key);
      return count === 1 ? key : `${key}#${count}`;
    },
    isAsFirst: (key, facts, kind) => keys.isAsFirst(key, facts, kind),
    report: (issue, origin) => context.report(placed(issue, origin)),
    isTold: (entry) => told.has(entry),
    reject: (as, key, origin, issue) => ({
      kind: "set-aside",
      key: session.unique(key),
      origin,
      as,
      issue: placed(issue, origin),
    }),
    fixes() {
      const { fixes } = context;
      if (fixes === undefined || fixes.size === 0) return undefined;
      const taken = new Set<string>();
      return (key) => {
        const found = [...fixes.keys()].find(
          (each) => !taken.has(each) && (each === key || (each.startsWith(`${key}#`) && /#\d+$/.test(each))),
        );
        if (found === undefined) return undefined;
        taken.add(found);
        return fixes.get(found);
      };
    },
  };
  return session;
}
