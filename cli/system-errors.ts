/** Errors of the system (files, folders, sockets) in words a person can act on. */

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

/** What was found, for the end of a message: `the disk is full`. The code itself where there are no words for it. */
export function stateOf(error: unknown): string {
  const { code = "unknown trouble" } = error as NodeJS.ErrnoException;
  return STATES[code] ?? code;
}

/** Whether an error is the system's, and not a bug. */
export function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
