/** Lines about Ctrl-C. The first ones say what ends now, what stays, and that once more ends at once. The last ones say what a stopped command leaves. */

/** While archives or the log are read, and nothing of it is kept. */
export const READING_ENDS = "Stopping: reading ends here. Once more ends at once.";

/** While records are read and planned. */
export const PLANNING_ENDS =
  "Stopping: reading ends here, and no plan is made. Your log is unchanged. Once more ends at once.";

/** While the athletes of a batch are checked. Some may have their plan already. */
export const CHECKING_ENDS = "Stopping: reading ends here. No log was changed. Once more ends at once.";

/** While records are written. */
export const WRITING_ENDS = "Stopping: what is under way is finished. Once more ends at once.";

/** While records are written for several athletes at once. */
export const BATCH_ENDS = "Stopping: what is under way is finished, for every athlete. Once more ends at once.";

/** The end of a stopped inspection. */
export const NOT_ALL_READ = "Stopped: not everything was read.";

/** The end of a stopped verification. */
export const NOT_ALL_COMPARED = "Stopped: not everything was compared.";

/** The end of an export that was stopped before its first record. */
export const NOTHING_READ = "Stopped before anything was read: nothing is written.";

/** The end of a stopped certificate. */
export const NO_CERTIFICATE = "Stopped: no certificate was written.";
