/**
 * One reading of one archive: what every connector needs to place its records and to keep its keys apart.
 */
import type { Fix } from "../../transforms/model/fix.ts";
import { type Issue, type Origin, withOrigin } from "../../transforms/model/issue.ts";
import type { Rejected } from "../../transforms/model/item.ts";
import type { Archive } from "../containers/archive.ts";
import type { ReadContext } from "../contract.ts";
import { KeyTable } from "./key-table.ts";

/** What a reading carries along. */
export interface ReadSession {
  readonly archive: Archive;
  readonly context: ReadContext;
  /** A place in the archive. `entry` is left out for the archive as a whole. */
  origin(entry?: string, locator?: string): Origin;
  /**
   * The key itself the first time it is asked for, then with an occurrence number behind it: `a`, `a#2`. Of records that are equal
   * it doesn't matter which is which, so the order of the source doesn't show.
   */
  unique(key: string): string;
  /** Whether the facts under a key are those of its first record. The first call for a key gives these. */
  isAsFirst(key: string, facts: string): boolean;
  /** Reports an issue at a place, unless it has a more precise one. */
  report(issue: Issue, origin: Origin): void;
  /** A record that can't or shouldn't go into the log. */
  reject(as: Rejected["as"], key: string, origin: Origin, issue: Issue): Rejected;
  /**
   * Begins to give out what a person said about records rejected under a key: to the first of them, then, of as many as are
   * equal, to the second. One for each time the records are gone through; undefined where nothing was said.
   */
  fixes(): ((key: string) => Fix | undefined) | undefined;
}

/** Begins a reading by the connector called `connector`. */
export function createReadSession(connector: string, archive: Archive, context: ReadContext): ReadSession {
  const keys = new KeyTable();
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
    isAsFirst: (key, facts) => keys.isAsFirst(key, facts),
    report: (issue, origin) => context.report(withOrigin(issue, origin)),
    reject: (as, key, origin, issue) => ({
      kind: "set-aside",
      key: session.unique(key),
      origin,
      as,
      issue: withOrigin(issue, origin),
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
