/** The names of the months, as exports and spreadsheets write them. */

/**
 * Short and long names by month, in English, German, French, Dutch, Spanish, Italian, Portuguese, Swedish, Danish, Polish and Finnish.
 * If a language has two short names, both are listed, and of Polish both cases. Dots and capitals don't count. The Japanese names are numbers.
 */
const MONTHS: readonly string[] = [
  "jan january januar jänner jän janv janvier januari ene enero gen gennaio janeiro sty stycznia styczeń tammi tammikuu",
  "feb february februar feber févr fév février februari febrero febbraio fev fevereiro lut lutego luty helmi helmikuu",
  "mar march mär märz mrz mars mrt maart marzo março marts marca marzec maalis maaliskuu",
  "apr april avr avril abr abril aprile kwi kwietnia kwiecień huhti huhtikuu",
  "may mai mei mayo maggio mag maio maj maja touko toukokuu",
  "jun june juni juin junio giugno giu junho juni cze czerwca czerwiec kesä kesäkuu",
  "jul july juli juil juillet julio luglio lug julho lip lipca lipiec heinä heinäkuu",
  "aug august août aou aoû augustus ago agosto augusti sie sierpnia sierpień elo elokuu",
  "sep sept september septembre septiembre settembre set setembro wrz września wrzesień syys syyskuu",
  "oct october okt oktober octobre octubre ottobre ott out outubro paź października październik loka lokakuu",
  "nov november novembre noviembre novembro lis listopada listopad marras marraskuu",
  "dec december dez dezember déc décembre dic diciembre dicembre dezembro gru grudnia grudzień joulu joulukuu",
];

const numbers = new Map(MONTHS.flatMap((names, index) => names.split(" ").map((name) => [name, index + 1] as const)));

/** The number of a month, 1 to 12; undefined for any other word. */
export function monthNamed(name: string): number | undefined {
  return numbers.get(name.normalize("NFC").toLowerCase().replace(/\.$/, ""));
}
