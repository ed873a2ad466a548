/**
 * `npm run profile -- WORDS` runs one command line of logferry, and prints where its time goes: by function, alone and with all that it calls. The
 * profile itself stays in a folder, for the developer tools of a browser.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(import.meta.dirname, "..");
const SHOWN = 25;
/** Microseconds between two samples. */
const INTERVAL_US = 500;

/** A profile as V8 writes it: a tree of functions, and for each sample its function and the microseconds since the sample before. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const folder = mkdtempSync(join(tmpdir(), "logferry-profile-"));
const flags = ["--cpu-prof", `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${INTERVAL_US}`];
const words = process.argv.slice(2);
const child = spawn(process.execPath, [...flags, join(ROOT, "bin", "logferry.js"), ...words], { stdio: "inherit" });
// Ctrl-C is for the command. It ends, and its profile is shown.
process.on("SIGINT", () => undefined);
const [code] = await once(child, "exit");
console.log(`\nlogferry ${words.join(" ")} ended with ${code}. The profile lies in ${folder}`);
// A thread of its own has a profile of its own.
for (const name of readdirSync(folder)) print(JSON.parse(readFileSync(join(folder, name), "utf8")));

function print({ nodes, samples, timeDeltas }: Profile): void {
  const labels = new Map(nodes.map(({ id, callFrame }) => [id, labelOf(callFrame)]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const alone = new Map<string, number>();
  const withCalls = new Map<string, number>();
  const add = (to: Map<string, number>, label: string, us: number) => to.set(label, (to.get(label) ?? 0) + us);
  for (const [index, sample] of samples.entries()) {
    const us = timeDeltas[index] ?? 0;
    add(alone, labels.get(sample) ?? "", us);
    const seen = new Set<string>();
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) seen.add(labels.get(id) ?? "");
    for (const label of seen) add(withCalls, label, us);
  }
  const all = timeDeltas.reduce((sum, us) => sum + us, 0);
  for (const [title, times] of [
    ["Alone", alone],
    ["With all that it calls", withCalls],
  ] as const) {
    console.log(`\n${title}, of ${(all / 1000).toFixed(0)} ms:`);
    const longest = [...times].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
    for (const [label, us] of longest)
      console.log(`${(us / 1000).toFixed(1).padStart(10)} ms ${((100 * us) / all).toFixed(1).padStart(5)} %  ${label}`);
  }
}

/** `open pipelines/journal/sqlite.ts:24` */
function labelOf({ functionName, url, lineNumber }: Profile["nodes"][number]["callFrame"]): string {
  const place = url.startsWith("file:") ? relative(ROOT, fileURLToPath(url)) : url;
  return `${functionName || "(without a name)"} ${place}${place === "" ? "" : `:${lineNumber + 1}`}`;
}
