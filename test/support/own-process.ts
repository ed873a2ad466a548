/**
 * Which test files need a process of their own. The others go through one process after another, in which the program is loaded once. A file must
 * find no traces of an earlier one. Such traces are a changed clock, a replaced module, a variable of the environment, a hook that ran already, or
 * garbage that counts in its own measurement of memory. Processor time is only ever compared with other work of the same process (growth.ts).
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A file changes its whole process. */
const CHANGES_PROCESS =
  /\bvi\.(?:mock|doMock|spyOn|stubEnv|stubGlobal|useFakeTimers)\b|\.prototype\.\w+ = |\bprocess\.(?:chdir|umask|once|on)\(|\bprocess\.env(?:\.\w+|\[\w+\]) = |\bkeepLogsIn\("/;

/** A file measures the memory of its process. */
const MEASURES_PROCESS = /\bprocess\.(?:memoryUsage|resourceUsage)\b/;

/** A helper works only for the first file that loads it: it has hooks, folders or tests at its top level. */
const IS_FOR_ONE_FILE =
  /^(?:before|after)(?:All|Each)\(|^(?:export )?const \w+ = (?:join\()?(?:temporaryFolder|mkdtempSync)\(|^(?:test|describe)\b/m;

/** An import of values. Node removes imports of types. */
const IMPORTED = /^(?:import|export)\b(?! type\b)[^;]*? from "(\.[^"]+\.ts)"|\bimport\("(\.[^"]+\.ts)"\)/gm;

/**
 * Whether a test file needs a process of its own. It does if the file, or a helper that it loads, changes or measures the process, or works only once
 * in it.
 *
 * @param file its absolute path
 * @param isHelper whether only tests load a file, by its absolute path
 */
export function needsOwnProcess(file: string, isHelper: (file: string) => boolean): boolean {
  const seen = new Set<string>();
  const needs = (path: string, text: string) =>
    CHANGES_PROCESS.test(text) || MEASURES_PROCESS.test(text) || (path !== file && IS_FOR_ONE_FILE.test(text));
  const look = (path: string): boolean => {
    if (seen.has(path)) return false;
    seen.add(path);
    const text = readFileSync(path, "utf8");
    if (needs(path, text)) return true;
    return [...text.matchAll(IMPORTED)]
      .map(([, first, second]) => join(dirname(path), first ?? second ?? ""))
      .some((imported) => isHelper(imported) && look(imported));
  };
  return look(file);
}
