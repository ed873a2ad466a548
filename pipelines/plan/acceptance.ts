/** What must be so before logferry says that the old account can be closed. The plan fixes it, before the first record is sent. */

/** Changes with the rules. A plan keeps the version that it was made with. */
export const ACCEPTANCE = 2;

/** The rules of this version, in words. `verdict.ts` applies them. */
export const ACCEPTANCE_RULES: readonly string[] = [
  "Every record of the sources is in exactly one class, and the classes add up.",
  "Every record that is to be in the log was read back from it after the last write, and each of its fields is as planned, or was edited in the log and left so.",
  "No record was rejected, refused or lost, and none is in doubt or still to be sent.",
  "No record of an earlier run is still out.",
  "No track or map was lost, and no file that may hold workouts stayed unread.",
  "Every value that could be read, and that the log has a field for, is in the log. The certificate lists what could not be read.",
  "The log has nothing twice.",
  "No record was left out by dates.",
];
