/** An archive that remembers which entries were opened and which are still open. */
import type { Archive } from "../../connectors/containers/archive.ts";

/** An archive that is watched. */
export interface Watched {
  readonly archive: Archive;
  /** Paths in the order they were opened, once for every time. */
  readonly opened: readonly string[];
  /** How many streams were begun and not ended. */
  readonly stillOpen: () => number;
}

/** Watches an archive. Bytes come in pieces of at most `pieceBytes`, so that a test can see a reader stream. */
export function watched(archive: Archive, chunkBytes = 512): Watched {
  const opened: string[] = [];
  let open = 0;
  return {
    opened,
    stillOpen: () => open,
    archive: {
      ...archive,
      read(entry, maxBytes) {
        opened.push(entry.path);
        return archive.read(entry, maxBytes);
      },
      async *stream(entry, maxBytes) {
        opened.push(entry.path);
        open++;
        try {
          for await (const bytes of archive.stream(entry, maxBytes))
            for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
        } finally {
          open--;
        }
      },
    },
  };
}
