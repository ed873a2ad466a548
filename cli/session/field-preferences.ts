/** Reads what a person says about several sources: `--prefer FIELD=SOURCE` for fields of workouts, `--same-gear NAME=NAME` for shoes and bikes. */
import { absoluteSource, nameOfSource, withoutQuery } from "../../connectors/containers/address.ts";
import { connectorNamed } from "../../connectors/registry.ts";
import type { FieldPreference, GearAnswer, Run, RunOptions, RunSource } from "../../pipelines/journal/run.ts";
import { PREFERABLE, sourcesNamed } from "../../pipelines/plan/sources/prefer-fields.ts";
import type { OpenedSource } from "../../pipelines/sources/sources.ts";
import { defined } from "../../transforms/model/defined.ts";
import type { Issue } from "../../transforms/model/issue.ts";
import { printable } from "../../transforms/text/printable.ts";
import { didYouMean } from "../../transforms/text/suggestions.ts";
import type { OptionValues } from "../arguments/options.ts";
import { UsageError } from "../errors/exit-codes.ts";

type NamedSource = Pick<RunSource, "path" | "within" | "name" | "connector">;

/** The preferences of a plan, as its run keeps them, and remarks about them. */
export interface Preferences {
  readonly options: Pick<RunOptions, "prefer" | "sameGear">;
  readonly remarks: readonly Issue[];
}

/**
 * Reads the words of the option. A retry without words has those of its base run.
 *
 * @throws UsageError for an unknown field, and for a word that is neither one of the sources nor a platform
 */
export function readPreferences(
  { prefer: words, sameGear }: Pick<OptionValues, "prefer" | "sameGear">,
  sources: readonly OpenedSource[],
  base: Run | undefined,
): Preferences {
  const gear = defined({ sameGear: sameGear?.map(readGear) ?? base?.options.sameGear });
  if (words === undefined) return { options: { ...defined({ prefer: base?.options.prefer }), ...gear }, remarks: [] };
  // A retry opens only the sources of its records.
  const named = base?.sources ?? sources.map(toNamed);
  const prefer = words.map((word) => readOne(word, named));
  const absent = prefer.filter(({ source }) => sourcesNamed(source, named).length === 0);
  return { options: { prefer, ...gear }, remarks: absent.map(absentRemark) };
}

function readGear(word: string): GearAnswer {
  const [, one = "", sign, other = ""] = /^(.+?)(!?=)(.+)$/s.exec(word) ?? [];
  if (one.trim() === "" || other.trim() === "")
    throw new UsageError(
      `Cannot use --same-gear ${JSON.stringify(printable(word, 80))}: expected NAME=NAME for one piece, NAME!=NAME for two`,
    );
  return { names: [one.trim(), other.trim()], isSame: sign === "=" };
}

function toNamed({ path, within, archive, connector }: OpenedSource): NamedSource {
  return {
    path: absoluteSource(path),
    ...(within !== undefined && { within }),
    name: archive.name || nameOfSource(path),
    connector: connector.name,
  };
}

function readOne(word: string, sources: readonly NamedSource[]): FieldPreference {
  const [, field = "", source = ""] = /^([^=]*)=(.*)$/s.exec(word) ?? [];
  if (source === "") throw new UsageError(`${problemWith(word)}: expected FIELD=SOURCE, such as notes=garmin`);
  if (!PREFERABLE.includes(field))
    throw new UsageError(
      `${problemWith(word)}: there is no field ${JSON.stringify(printable(field, 40))}${didYouMean(field, PREFERABLE)}; expected ${PREFERABLE.join(", ")}`,
    );
  const path = absoluteSource(source);
  if (sources.some((one) => one.path === path)) return { field, source: path };
  if (sourcesNamed(source, sources).length > 0 || connectorNamed(source) !== undefined) return { field, source };
  const known = [...new Set(sources.flatMap(({ name, connector }) => [name, connector]))];
  throw new UsageError(
    `${problemWith(word)}: none of the sources is ${JSON.stringify(printable(withoutQuery(source), 80))}${didYouMean(source, known)}; expected ${known.map((name) => printable(name, 80)).join(", ")}`,
  );
}

function problemWith(word: string): string {
  return `Cannot use --prefer ${JSON.stringify(printable(word, 80))}`;
}

/** A platform may be among the sources of another command, or of another athlete. */
function absentRemark({ field, source }: FieldPreference): Issue {
  return {
    severity: "info",
    rule: "plan/preferred-source-absent",
    found: `you prefer the ${field} from ${source}, and none of the sources is of that platform`,
    expected: "a source of it: the usual order decides",
  };
}
