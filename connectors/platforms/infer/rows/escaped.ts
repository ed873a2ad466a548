/** A text as a part of a pattern that stands for itself. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}
