/** The trial of a limit: one below its edge, at it and one above it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Archive } from "../../connectors/containers/archive.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;

const folder = temporaryFolder("file");

export const inFolder = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
};

/** One limit, tried. */
export interface Trial {
  /** The real limit. */
  readonly most: number;
  /** The number it is tried at. Default `most`. */
  readonly at?: number;
  /** The message for an input of this size: the rule, or a part of the message; undefined when it is taken. */
  readonly said: (size: number, at: number) => Promise<string | undefined> | string | undefined;
  /** The message for an input that is too large. */
  readonly rule: RegExp;
}

/** The rule or code of the error that is thrown; undefined when none is. */
export async function thrown(action: () => unknown): Promise<string | undefined> {
  try {
    await action();
    return undefined;
  } catch (error) {
    const { rule, code, message } = error as { rule?: string; code?: string; message: string };
    return `${rule ?? code}: ${message}`;
  }
}

export const firstError = (issues: Archive["issues"]) => {
  const issue =
    issues.find(({ severity }) => severity === "error") ?? issues.find(({ rule }) => rule.includes("too-many"));
  return issue && `${issue.rule}: ${issue.found}, ${issue.expected}`;
};

export const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
