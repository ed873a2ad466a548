/** The question how the durations of a column are written. */
import type { OpenChoice } from "../choices/choice.ts";
import { FORMAT_MEANS } from "../columns/durations.ts";
import { durationWords } from "./mixed-durations.ts";

/** The question, with its answers. @param values formats as a mapping file has them, the likeliest first */
export function askingFormat(values: readonly string[]): Pick<OpenChoice, "question" | "options"> {
  return {
    question: "How are the durations written?",
    options: values.map((value) => ({
      value,
      means: meaningOf(value),
    })),
  };
}

/** What a choice of formats means. */
function meaningOf(value: string): string {
  const { format, hoursBelow } = durationWords(value);
  if (hoursBelow !== undefined) return `both: a number below ${hoursBelow} before the colon is hours`;
  return format.map((one) => FORMAT_MEANS[one as keyof typeof FORMAT_MEANS]).join("; ");
}
