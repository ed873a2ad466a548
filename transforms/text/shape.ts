/**
 * The shape of a text without its words: digits become `#`, letters become `a`. A shape can be shown to anybody. It keeps only words that
 * every archive may contain (`known-words.ts`), and no other letter or digit of the text.
 */
import { isKnownExtension, isKnownWord } from "./known-words.ts";

/** A digit, capitals, a word, or one character of anything else. */
const PIECES = /\p{Nd}|\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|[\s\S]/gu;
const KEPT = /^[-.,:;/\\()[\]{}+_'"%°@#*=&!?<>|$^~]$/;
const LETTER = /^[\p{L}\p{M}]/u;
const DIGIT = /^\p{Nd}$/u;

/** A longer shape gives no further information. */
const LONGEST_NAME = 120;
const LONGEST_VALUE = 48;

/** The shape of a name, with its known words unchanged: `my Runs 2019` is `a a ####`, `heart_rate` is itself. */
export function shapeOfName(text: string): string {
  return shaped(text, LONGEST_NAME, isKnownWord);
}

/** Whether a name has words, and all of them are known. */
export function isKnownName(text: string): boolean {
  return hasKnownWord(text) && wordsOf(text).every(isKnownWord);
}

/** Whether a name holds a known word. */
export function hasKnownWord(text: string): boolean {
  return wordsOf(text).some(isKnownWord);
}

function wordsOf(text: string): string[] {
  return (text.slice(0, LONGEST_NAME).match(PIECES) ?? []).filter((piece) => LETTER.test(piece));
}

/**
 * The shape of a path: folders and files as names, and the endings of formats unchanged.
 *
 * @param isShared tells for an unknown ending whether many files have it
 */
export function shapeOfPath(path: string, isShared: (extension: string) => boolean = () => false): string {
  return path
    .split("/")
    .map((segment) => {
      const ending = endingOf(segment, isShared);
      return shapeOfName(segment.slice(0, segment.length - ending.length)) + ending;
    })
    .join("/")
    .slice(0, 2 * LONGEST_NAME);
}

/** The last ending of a file name, without its dot: a few letters; undefined if there is none. */
export function extensionOf(path: string): string | undefined {
  return /\.([A-Za-z]{1,4})$/.exec(path.slice(-6))?.[1];
}

function endingOf(segment: string, isShared: (extension: string) => boolean): string {
  let ending = "";
  for (let turn = 0; turn < 2; turn++) {
    const [dotted, extension] =
      /\.([A-Za-z0-9]{1,8})!?$/.exec(segment.slice(0, segment.length - ending.length).slice(-10)) ?? [];
    if (dotted === undefined || extension === undefined) break;
    if (!isKnownExtension(extension) && !isShared(extension)) break;
    ending = dotted + ending;
  }
  return ending;
}

/**
 * The kind of a value, without the value: `empty`, `whole number`, `decimal point`, `decimal comma`, `text`, or its shape if it contains
 * digits.
 */
export function shapeOfValue(value: string): string {
  const text = value.trim();
  if (text === "") return "empty";
  if (text.length > LONGEST_VALUE) return "long text";
  if (/^[-+]?\d{1,40}$/.test(text)) return "whole number";
  if (/^[-+]?\d{0,20}\.\d{1,20}$/.test(text)) return "decimal point";
  if (/^[-+]?\d{0,20},\d{1,20}$/.test(text)) return "decimal comma";
  if (text.includes("@")) return "text with @";
  if (/^https?:/i.test(text)) return "web address";
  if (!/\p{Nd}/u.test(text)) return "text";
  return shaped(text.replaceAll(/(\d)T(?=\d)/g, "$1\u0001").replace(/(\d)Z$/, "$1\u0002"), LONGEST_VALUE, () => false)
    .replaceAll("\u0001", "T")
    .replace("\u0002", "Z");
}

function shaped(text: string, longest: number, isShown: (word: string) => boolean): string {
  let shape = "";
  let isHidden = false;
  for (const piece of text.slice(0, longest).match(PIECES) ?? []) {
    if (LETTER.test(piece) && !isShown(piece)) {
      // A name in two capitals, or in two joined words, shows only as letters.
      if (!isHidden) shape += "a";
      isHidden = true;
      continue;
    }
    isHidden = false;
    if (DIGIT.test(piece)) shape += "#";
    else if (LETTER.test(piece) || KEPT.test(piece)) shape += piece;
    else if (piece === "\u0001" || piece === "\u0002") shape += piece;
    else shape += /^\s$/u.test(piece) ? " " : "·";
  }
  return text.length > longest ? `${shape}…` : shape;
}
