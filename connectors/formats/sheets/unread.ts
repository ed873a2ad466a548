/** Says what is wrong with a sheet that wasn't read to its end. */
import type { Issue } from "../../../transforms/model/issue.ts";
import type { XmlOutcome } from "../xml/reader.ts";

/** The problem of a sheet, by the end of its reading; undefined if all of it was read. */
export function errorOf({ end, issues }: XmlOutcome): Issue | undefined {
  if (end === "complete" || end === "stopped") return undefined;
  const last = issues.at(-1);
  return {
    severity: "error",
    rule: end === "cut" ? "sheet/cut" : (last?.rule ?? "sheet/cut"),
    found: `the sheet breaks off here: ${last?.found ?? "it can't be read"}`,
    expected: "a whole file: save the workbook once more, or copy it again. The rows before this were read",
  };
}
