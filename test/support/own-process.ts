/**
 * Which test files need a process of their own. The others go through one process after another, in which the program is loaded once. A file
 * must not find what an earlier one left: a changed clock, a replaced module, a variable of the environment, a hook that ran already.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A file changes its whole process. */
const CHANGES_PROCESS =
  /\bvi\.(?:mock|doMock|spyOn|stubEnv|stubGlobal|useFakeTimers)\b|\.prototype\.\w+ = |\bprocess\.(?:chdir|umask|once|on)\(|\bprocess\.env(?:\.\w+|\[\w+\]) = |\bkeepLogsIn\("/;

/** A helper works for the first file that loads it: hooks, folders and variables at its top level, tests that it holds. */
const IS_FOR_ONE_FILE =
  /^(?:before|after)(?:All|Each)\(|^(?:export )?const \w+ = (?:join\()?(?:temporaryFolder|mkdtempSync)\(|^(?:test|describe)\b/m;

/** An import of values: Node takes those of types away. */
const IMPORTED = /^(?:import|export)\b(?! type\b)[^;]*? from "(\.[^"]+\.ts)"|\bimport\("(\.[^"]+\.ts)"\)/gm;

/**
 * Whether a test file needs a process of its own: it or a helper that it loads changes the process, or works only once in it.
 *
 * @param file its absolute path
 * @param isHelper whether a file, by its absolute path, is loaded by tests alone
 */
export function needsOwnProcess(file: string, isHelper: (file: string) => boolean): boolean {
  const seen = new Set<string>();
  const look = (path: string): boolean => {
    if (seen.has(path)) return false;
    seen.add(path);
    const text = readFileSync(path, "utf8");
    if (CHANGES_PROCESS.test(text) || (path !== file && IS_FOR_ONE_FILE.test(text))) return true;
    return [...text.matchAll(IMPORTED)]
      .map(([, first, second]) => join(dirname(path), first ?? second ?? ""))
      .some((imported) => isHelper(imported) && look(imported));
  };
  return look(file);
}
