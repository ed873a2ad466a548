/** The first lines after Ctrl-C: what ends now, what stays, and that once more ends at once. */

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
