/** The size limits of archives as options, for a person who knows that an unusually large archive is sound. */

import { CAPS, type Limits } from "../../connectors/containers/options.ts";
import { bytesOfSize } from "../../connectors/containers/sizes.ts";
import type { SourceOptions } from "../../pipelines/sources/sources.ts";
import { defined } from "../../transforms/model/defined.ts";
import type { CommandContext } from "./command.ts";
import type { OptionValues } from "./options.ts";

/** Data that is read in chunks may be this many times as long as data that is held in memory. */
const STREAMED = CAPS.streamedBytes / CAPS.entryBytes;

/**
 * The settings for opening archives: the limits that the options change. A person who watches is told why logferry waits for a server, and
 * Ctrl-C ends the wait.
 */
export function openOptions({
  options,
  output,
  signal,
  onWait = (text) => output.remark(text),
  unreadableRemedy: remedy,
}: Pick<CommandContext, "options" | "output" | "signal" | "onWait" | "unreadableRemedy">): SourceOptions {
  return { limits: archiveLimits(options), onWait, signal, ...defined({ remedy }) };
}

function archiveLimits(options: OptionValues): Partial<Limits> {
  const entryBytes = sizeOf(options.maxEntry);
  const chosen = {
    archiveBytes: sizeOf(options.maxArchive),
    entries: options.maxEntries,
    entryBytes,
    streamedBytes: entryBytes === undefined ? undefined : entryBytes * STREAMED,
    unpackedBytes: sizeOf(options.maxUnpacked),
    ratio: options.maxRatio,
    nesting: options.nested,
  };
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
}

function sizeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : bytesOfSize(text);
}
