/** Texts that say that there is no value. */
import { saysRest } from "./rest-words.ts";

/** Words for "there is none". */
const NONE = /^(n\/?a|null|nil|unknown|k\.? ?a\.?|n\.? ?v\.?|s\/d)$/i;

/** Whether a text says that there is no value: it has neither letters nor a digit above 0, or it is a word for that. */
export function saysNone(text: string): boolean {
  return !/[1-9\p{L}]/u.test(text) || NONE.test(text) || saysRest(text);
}
