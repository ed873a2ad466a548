/** Suggests the known word that a person probably meant by an unknown one. */

/** The most edits between a word and its suggestion. */
const NEAR = 2;

/**
 * `; did you mean "zone"?` if a known word is near, else an empty text.
 *
 * @param shown writes the known word for the message
 */
export function didYouMean(word: string, known: readonly string[], shown = (near: string) => near): string {
  const [near] = known
    .map((candidate) => ({ candidate, edits: distanceBetween(candidate, word) }))
    .filter(({ candidate, edits }) => edits <= NEAR && edits < candidate.length)
    .sort((a, b) => a.edits - b.edits);
  return near === undefined ? "" : `; did you mean ${JSON.stringify(shown(near.candidate))}?`;
}

/** Edits from one word to another (Levenshtein). The words are keys, so they are short. */
function distanceBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > NEAR) return NEAR + 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(
        Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
