/** The names of the months, as exports and spreadsheets write them. */

/**
 * Short and long names by month, in English, German, French, Dutch, Spanish, Italian, Portuguese, Swedish and Finnish. If a language has
 * two short names, both are listed. Dots and capitals don't count.
 */
const MONTHS: readonly string[] = [
  "jan january januar jänner jän janv janvier januari ene enero gen gennaio janeiro tammi tammikuu",
  "feb february februar feber févr fév février februari febrero febbraio fev fevereiro helmi helmikuu",
  "mar march mär märz mrz mars mrt maart marzo março maalis maaliskuu",
  "apr april avr avril abr abril aprile huhti huhtikuu",
  "may mai mei mayo maggio mag maio maj touko toukokuu",
  "jun june juni juin junio giugno giu junho kesä kesäkuu",
  "jul july juli juil juillet julio luglio lug julho heinä heinäkuu",
  "aug august août aou aoû augustus ago agosto augusti elo elokuu",
  "sep sept september septembre septiembre settembre set setembro syys syyskuu",
  "oct october okt oktober octobre octubre ottobre ott out outubro loka lokakuu",
  "nov november novembre noviembre novembro marras marraskuu",
  "dec december dez dezember déc décembre dic diciembre dicembre dezembro joulu joulukuu",
];

const numbers = new Map(MONTHS.flatMap((names, index) => names.split(" ").map((name) => [name, index + 1] as const)));

/** The number of a month, 1 to 12; undefined for any other word. */
export function monthNamed(name: string): number | undefined {
  return numbers.get(name.normalize("NFC").toLowerCase().replace(/\.$/, ""));
}
