/**
 * Reads one archive to its end, as `inspect` does, in a process of its own. It prints a JSON line: milliseconds, records, and the most memory the
 * process ever had. Started by `large.ts`.
 */
import { inspectSource } from "../pipelines/sources/inspect.ts";
import { closeSources, openSources } from "../pipelines/sources/sources.ts";

const [archive] = process.argv.slice(2);
if (archive === undefined) throw new Error("usage: read-child.ts ARCHIVE");
const startedAt = performance.now();
const sources = await openSources([archive], undefined);
let read = 0;
for (const source of sources) {
  const context = { signal: new AbortController().signal, sports: new Map() };
  read += (await inspectSource(source, context, () => {})).read;
}
const ms = performance.now() - startedAt;
await closeSources(sources);
console.log(JSON.stringify({ ms, read, peakBytes: process.resourceUsage().maxRSS * 1024 }));
