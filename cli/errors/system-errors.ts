/** Describes errors of the system (files, folders, sockets) in words that a person can act on. */
import { FatalError } from "../../connectors/errors.ts";
import { UsageError } from "./exit-codes.ts";

const STATES: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a file is in the way",
  EEXIST: "a file is in the way",
  EISDIR: "it is a folder",
  EACCES: "its permissions don't allow it",
  EPERM: "its permissions don't allow it",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  EFBIG: "the file would be larger than is allowed here",
  EROFS: "the disk can't be written to",
  ENAMETOOLONG: "the name is too long",
};

/** The problem, for the end of a message: `the disk is full`. An unknown code stays as it is. */
export function describeSystemError(error: unknown): string {
  const { code = "unknown problem" } = error as NodeJS.ErrnoException;
  return STATES[code] ?? code;
}

/** Whether an error comes from the system, rather than from a bug. */
export function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

/** For `.catch`: throws what `toError` makes of an error of the system, and any other error as it is. */
export function onSystemError(toError: (problem: string, error: NodeJS.ErrnoException) => Error) {
  return (error: unknown): never => {
    throw isOfSystem(error) ? toError(describeSystemError(error), error) : error;
  };
}

/**
 * The error for a folder that can't be used. A person can empty a full disk and start the command again. Any other problem is in the name
 * that the person gave.
 *
 * @param code of the error for a full disk
 */
export function cannotUse(folder: string, error: NodeJS.ErrnoException, code: string): Error {
  const verb = error.syscall === "scandir" || error.syscall === "read" ? "read" : "write to";
  const message = `Cannot ${verb} ${error.path ?? folder}: ${describeSystemError(error)}`;
  const isFull = error.code === "ENOSPC" || error.code === "EDQUOT" || error.code === "EFBIG";
  if (isFull) return new FatalError(code, "journal", message, { cause: error });
  return new UsageError(message, { cause: error });
}
