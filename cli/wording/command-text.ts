/** Splits a command in one text into its words. No shell reads it, so only quotes and backslashes have a meaning. */

/** Characters that only a shell understands. In quotes they are ordinary characters. */
const OF_A_SHELL = /[|&;<>()$`*?[\]{}~#!]/;

/**
 * Splits a command into its words. Blanks divide words, and `'...'` and `"..."` keep text together. `\` keeps the next character as it is,
 * except between single quotes. A JSON list of words (`["pass", "show", "log/ana"]`) is taken as it is.
 *
 * @returns the words, or the problem as text for a message
 */
export function splitCommand(text: string): readonly string[] | string {
  const command = text.trim();
  if (command === "") return "it is empty";
  if (command.includes("\0")) return "there is a NUL in it";
  if (command.startsWith("[")) return wordsOfList(command);
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < command.length; at++) {
    const character = command[at] as string;
    if (character === "'" || character === '"') {
      const end = endOfQuote(command, at);
      if (end === undefined) return `a ${character} is not closed`;
      word = `${word ?? ""}${unquoted(command.slice(at + 1, end), character)}`;
      at = end;
    } else if (character === "\\") {
      if (at + 1 === command.length) return "it ends with a backslash";
      word = `${word ?? ""}${command[++at]}`;
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (OF_A_SHELL.test(character)) {
      return `no shell reads it, so ${JSON.stringify(character)} would not mean what it means there; quote it, or write a script`;
    } else word = `${word ?? ""}${character}`;
  }
  if (word !== undefined) words.push(word);
  return words[0] === "" ? "it names no program" : words;
}

function wordsOfList(text: string): readonly string[] | string {
  const wrong = "expected a list of texts, with the program first";
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return wrong;
  }
  if (!Array.isArray(list) || list.length === 0) return wrong;
  return list.every((one) => typeof one === "string" && !one.includes("\0")) && list[0] !== "" ? list : wrong;
}

function endOfQuote(text: string, from: number): number | undefined {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === quote) return at;
    if (quote === '"' && text[at] === "\\") at++;
  }
  return undefined;
}

/** Between double quotes, a backslash escapes only a quote or another backslash. */
function unquoted(text: string, quote: string): string {
  return quote === "'" ? text : text.replace(/\\(["\\])/g, "$1");
}
