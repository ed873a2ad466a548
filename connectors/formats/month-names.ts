/** The names of the months, as exports and spreadsheets write them. */

/**
 * Short and long names by month. If a language has two short names, both are listed. Where a date has another case than the name of the month, both
 * cases are: Polish `marca`, Finnish `maaliskuuta`. Dots and capitals don't count. The
 * Japanese names are numbers. Croatian is missing: its `lip` and `listopad` are other months in Polish.
 *
 * Languages: English, German, French, Dutch, Spanish, Italian, Portuguese, Swedish, Danish, Norwegian, Finnish, Polish, Czech, Slovak, Hungarian,
 * Romanian, Russian, Ukrainian, Greek, Lithuanian, Estonian, Indonesian and Turkish. Source: the Unicode locale data, whose forms the platforms write.
 */
const MONTHS: readonly string[] = [
  "jan january januar jänner jän janv janvier januari ene enero gen gennaio janeiro sty stycznia styczeń tammi tammikuu ian ianuarie янв января oca ocak tammikuuta leden ledna januára січня sausio jaanuar ιανουαρίου",
  "feb february februar feber févr fév février februari febrero febbraio fev fevereiro lut lutego luty helmi helmikuu febr február фев февр февраля şub şubat peb februarie helmikuuta únor února februára лютого vasario veebruar φεβρουαρίου",
  "mar march mär märz mrz mars mrt maart marzo março marts marca marzec maalis maaliskuu márc március martie мар март марта maret mart maaliskuuta březen března березня kovo märts μαρτίου",
  "apr april avr avril abr abril aprile kwi kwietnia kwiecień huhti huhtikuu ápr április aprilie апр апреля nis nisan huhtikuuta duben dubna apríla квітня balandžio aprill απριλίου",
  "may mai mei mayo maggio mag maio maj maja touko toukokuu máj május май мая toukokuuta květen května mája травня gegužės μαΐου",
  "jun june juni juin junio giugno giu junho juni cze czerwca czerwiec kesä kesäkuu jún június iun iunie июн июнь июня haz haziran kesäkuuta červen června júna червня birželio juuni ιουνίου",
  "jul july juli juil juillet julio luglio lug julho lip lipca lipiec heinä heinäkuu juill júl július iul iulie июл июль июля tem temmuz heinäkuuta červenec července júla липня liepos juuli ιουλίου",
  "aug august août aou aoû augustus ago agosto augusti sie sierpnia sierpień elo elokuu augusztus авг август августа agu agt agustus ağu ağustos elokuuta srpen srpna augusta серпня rugpjūčio αυγούστου",
  "sep sept september septembre septiembre settembre set setembro wrz września wrzesień syys syyskuu szept szeptember сент сен сентября eyl eylül syyskuuta září septembra вересня rugsėjo σεπτεμβρίου",
  "oct october okt oktober octobre octubre ottobre ott out outubro paź października październik loka lokakuu október octombrie окт октября eki ekim lokakuuta říjen října októbra жовтня spalio oktoober οκτωβρίου",
  "nov november novembre noviembre novembro lis listopada listopad marras marraskuu ноя нояб ноября kas kasım marraskuuta listopadu novembra листопада lapkričio νοεμβρίου",
  "dec december dez dezember déc décembre dic diciembre dicembre dezembro gru grudnia grudzień joulu joulukuu des desember дек декабря ara aralık joulukuuta prosinec prosince decembra грудня gruodžio detsember δεκεμβρίου",
];

const numbers = new Map(MONTHS.flatMap((names, index) => names.split(" ").map((name) => [name, index + 1] as const)));

/** The number of a month, 1 to 12; undefined for any other word. */
export function monthNamed(name: string): number | undefined {
  return numbers.get(name.normalize("NFC").toLowerCase().replace(/\.$/, ""));
}
