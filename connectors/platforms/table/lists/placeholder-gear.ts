/** Words that platforms and people write where no shoe or bike was chosen. They name no piece of gear. */
import type { Issue } from "../../../../transforms/model/issue.ts";
import { fold } from "../mapping/fold.ts";
import { RULES, type RuleFamily } from "../mapping/rule-names.ts";

/** Folded words, by language. Each may stand alone or before a word for gear. */
// biome-ignore format: a line a language
const NONE = [
  "default", "unknown", "no", "none", "unnamed", "unspecified", "not specified", "not set",
  "standard", "unbekannt", "unbekannter", "unbekanntes", "kein", "keine", "keiner", "keines",
  "par défaut", "inconnu", "inconnue", "aucun", "aucune", "sans",
  "por defecto", "predeterminado", "predeterminada", "desconocido", "desconocida", "ninguno", "ninguna", "ningún", "sin",
  "predefinito", "predefinita", "sconosciuto", "sconosciuta", "nessuno", "nessuna",
  "padrão", "desconhecido", "desconhecida", "nenhum", "nenhuma", "sem",
  "standaard", "onbekend", "onbekende", "geen",
];

// biome-ignore format: a line a language
const GEAR = [
  "shoe", "shoes", "bike", "bikes", "bicycle", "gear", "equipment",
  "schuh", "schuhe", "rad", "fahrrad", "ausrüstung",
  "chaussure", "chaussures", "vélo", "équipement",
  "zapatilla", "zapatillas", "bici", "bicicleta", "equipo", "material",
  "scarpa", "scarpe", "attrezzatura",
  "tênis", "tenis", "equipamento",
  "schoen", "schoenen", "fiets", "materiaal",
];

/** Words that are no placeholder alone: a shoe may be called so. */
const NEVER_ALONE = new Set(["no", "standard", "sans", "sin", "sem"]);

const PLACEHOLDERS = new Set([
  ...["standardschuh", "standardschuhe", "standardrad"],
  ...NONE.flatMap((none) => [
    ...(NEVER_ALONE.has(none) ? [] : [none]),
    ...GEAR.flatMap((gear) => [`${none} ${gear}`, `${gear} ${none}`]),
  ]),
]);

/** Letters and digits, with the signs that may stand inside a name. */
const WORDS = /[\p{L}\p{M}\p{N}]+(?:[/'’.-][\p{L}\p{M}\p{N}]+)*/gu;

/** Whether a name stands for no piece of gear: `Default shoe`, `Unknown`, `No gear`, `(none)`, `--`. */
export function isPlaceholderGear(name: string): boolean {
  const words = fold(name).match(WORDS)?.join(" ");
  return words === undefined || PLACEHOLDERS.has(words);
}

/**
 * The remark about a placeholder and the workouts that named it.
 *
 * @param count how many there are; undefined for a line of a list
 */
export function placeholderGear(name: string, count?: number, rules: RuleFamily = "table"): Issue {
  const advice = rules === "csv" ? ". If it is one, say which under values.equipment of the mapping" : "";
  return {
    severity: "info",
    rule: RULES[rules]["placeholder-gear"],
    found: name.slice(0, 100),
    expected: `the name of a shoe or a bike: this stands for none, and no gear was made of it${advice}`,
    ...(count !== undefined && count > 1 && { count }),
  };
}
