/** Reads headers that ask, as the tables of a form have them: `How many minutes?`, `Wie weit bist du gelaufen (km)?`. */

/** The words that begin a question, folded, and the header that it stands for. Without one, it is the next word: `minutes`, `shoes`. */
const QUESTIONS: readonly (readonly [words: RegExp, header?: string])[] = [
  [/^(?:how far|wie weit|que tan lejos|quanto lontano|hoe ver|hur langt|hvor langt|jak daleko)(?= |$)/, "distance"],
  [
    /^(?:how long|wie lange?|combien de temps|cuanto tiempo|quanto tempo|hoe lang|hur lange|hvor laenge|jak dlugo)(?= |$)/,
    "duration",
  ],
  [/^(?:when|wann|quand|cuando|quando|wanneer|hvornar|kiedy)(?= |$)/, "date"],
  [/^(?:how many|wie ?viele?|combien de|cuant[oa]s|quanti|quante|quant[oa]s|hoeveel|hur manga|hvor mange|ile)(?= )/],
  [/^(?:which|what|welche[rs]?|quel(?:le)?s?|quali|welke|vilka|hvilke|jakie)(?= )/],
];

/** The header that a question stands for, with a unit in brackets if it has one; undefined for any other header. */
export function askedFor(folded: string): string | undefined {
  const text = folded.replace(/[?!]$/, "").replace(/^[¿¡]/, "").trim();
  for (const [words, header] of QUESTIONS) {
    const begin = words.exec(text)?.[0];
    if (begin === undefined) continue;
    const rest = text.slice(begin.length).trim();
    const unit = /[([][^)\]]{1,20}[)\]]?$/.exec(rest)?.[0] ?? "";
    const [next = ""] = rest.split(/[\s([]/);
    const asked = header ?? next;
    return asked === "" ? undefined : `${asked} ${unit}`.trim();
  }
  return text === folded ? undefined : text;
}
