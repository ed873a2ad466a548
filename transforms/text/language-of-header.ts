/** Tells in which language a table's header is. Exports translate their headers, and the same export may differ by the account's language. */

/**
 * Words of headers that only one of these languages has, folded. Sources: the headers of Strava and Garmin Connect that
 * connectors/platforms/strava and garmin list, and the header words of hand-kept sheets.
 */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  English: words(
    "date distance time duration activity type title name notes pace speed heart rate weight calories start",
  ),
  German: words(
    "datum distanz dauer zeit uhrzeit strecke titel aktivitat aktivitatstyp herzfrequenz kalorien schuhe tempo gewicht notizen",
  ),
  French: words("durée distance activité allure vitesse fréquence cardiaque titre poids chaussures temps équipement"),
  Spanish: words("fecha distancia duración tiempo actividad ritmo velocidad frecuencia cardiaca título calorías peso"),
  Italian: words(
    "data percorso dislivello distanza durata attività passo velocità frequenza cardiaca titolo calorie peso tempo",
  ),
  Portuguese: words("data distância duração atividade ritmo velocidade frequência cardíaca título calorias peso"),
  Dutch: words("datum afstand duur tijd activiteit activiteittype hartslag titel calorieën gewicht tempo snelheid"),
  Swedish: words("datum distans tid varaktighet aktivitet aktivitetstyp puls titel kalorier vikt hastighet"),
  Danish: words("dato afstand tid varighed aktivitet aktivitetstype puls titel kalorier vægt hastighed"),
  Hungarian: words("dátum távolság idő időtartam tevékenység cím pulzusszám kalóriaszám tempó súly sebesség"),
  Polish: words("data dystans czas aktywność typ tętno tytuł kalorie waga tempo prędkość"),
};

function words(list: string): readonly string[] {
  return list.split(" ").map(fold);
}

function fold(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/**
 * The language of a header: the one that has more of its words than any other.
 *
 * @returns its English name; undefined for too few words, or where two languages have as many
 */
export function languageOfHeader(header: readonly string[]): string | undefined {
  const found = new Set(header.flatMap((name) => fold(name).split(/[^\p{L}]+/u)));
  const counts = Object.entries(WORDS)
    .map(([language, own]) => ({ language, count: own.filter((word) => found.has(word)).length }))
    .sort((a, b) => b.count - a.count);
  const [first, second] = counts;
  return first === undefined || first.count < 2 || first.count === second?.count ? undefined : first.language;
}
