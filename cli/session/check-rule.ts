/** Checks the fields that a person's rule for closing the old account names, when the sources were read and before the plan is kept. */
import { CONNECTORS } from "../../connectors/registry.ts";
import type { JournalReader } from "../../pipelines/journal/journal.ts";
import { CONDITION_FORMS, conditionValue } from "../../pipelines/plan/records/acceptance.ts";
import { printable } from "../../transforms/text/printable.ts";
import { didYouMean } from "../../transforms/text/suggestions.ts";
import { UsageError } from "../errors/exit-codes.ts";

/** Most fields that the message names. */
const MOST_NAMED = 12;

/**
 * Checks that values of each field in `losses=FIELD+FIELD` can be lost. Such a field is one that these sources have and the log lacks, or one of a
 * platform that logferry reads. A condition with any other name would never be met, or never be compared.
 *
 * @param run the number of the run that is being planned
 * @throws UsageError with the names that would fit
 */
export async function checkLossFields(
  journal: Pick<JournalReader, "losses">,
  run: number,
  accepts: readonly string[],
): Promise<void> {
  const value = conditionValue(accepts, "losses");
  if (value === undefined || value === "none") return;
  const found = (await journal.losses(run)).map(({ field }) => field);
  const known = new Set([...found, ...CONNECTORS.flatMap(({ summary }) => summary?.unsupported ?? [])]);
  const wrong = value.split("+").find((field) => !known.has(field));
  if (wrong === undefined) return;
  const shown = [...new Set(found)].toSorted().slice(0, MOST_NAMED);
  const these =
    shown.length === 0
      ? "All values of these sources have a field in the log."
      : `Of these sources stay out: ${shown.join(", ")}.`;
  throw new UsageError(
    `Cannot use --accept losses=${printable(value, 80)}: no value that stays out is called ${JSON.stringify(printable(wrong, 80))}${didYouMean(wrong, [...known])}`,
    { more: [`  ${these}`, `  --accept takes: ${CONDITION_FORMS}`] },
  );
}
