/** Advice for records that were rejected when they were compared with other files, or with what the log has. */

/** Each entry is an `Advice`. */
export const COMPARISON_ADVICE = [
  {
    rule: "table/changed-row",
    means: "two files of one folder have this workout, with different values: they may be two exports of one account",
    remedy:
      "Put each export into a folder of its own, and import the two together: then the newer one counts. Or leave it out for good: logferry quarantine drop ID.",
  },
  {
    rule: "promote/perhaps-in-log",
    means: "your log may have it already, so it waits until you say whether it does",
    remedy:
      "Look at both and say whether they are one or two: logferry plan review. Then promote again: logferry promote, with --out FOLDER if the rehearsal had it. Or leave it out for good: logferry quarantine drop ID.",
  },
  {
    rule: "plan/starts-would-move",
    means: "your log has it at the time of another --zone or --date-order",
    remedy:
      "If the time in your log is right, plan again with the --zone or --date-order of that run. If the new one is right: logferry quarantine retry plan/starts-would-move --allow moved-starts. Or leave it as it is: logferry quarantine drop ID.",
    allows: "moved-starts",
  },
  {
    rule: "plan/perhaps-edited",
    means: "it may be a row that was loaded before, with other values now: your log can't delete the one that it has",
    remedy:
      "If it is the same workout, give the one in your log the values of the row, and import the table again. If it is another workout, let it in: logferry quarantine fix ID --allow implausible, then: logferry quarantine retry ID. Or leave it out for good: logferry quarantine drop ID.",
    allows: "implausible",
  },
  {
    rule: "plan/other-unit",
    means:
      "its sheet seems to be in another unit than when it was loaded: miles in place of kilometres, or the other way round",
    remedy:
      "Say the new unit in the mapping file, or propose it again with logferry map infer, and import the table again. If the new distances are right: logferry quarantine retry plan/other-unit --allow implausible. Or leave them as your log has them: logferry quarantine drop ID.",
    allows: "implausible",
  },
  {
    rule: "restore/edited-since",
    means: "the record in the log is no longer as it was in the snapshot, and was left as it is",
    remedy: "To have it as it was then: logferry restore SNAPSHOT --id ID --overwrite.",
  },
  {
    rule: "restore/not-there",
    means: "only fields of records that are in the log were to be put back, and this one isn't there",
    remedy: "To have it made again, whole: logferry restore SNAPSHOT --id ID, without --fields.",
  },
] as const;
