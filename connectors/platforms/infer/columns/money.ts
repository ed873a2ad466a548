/** Tells amounts of money: prices and fees are no values of a workout. */
import type { ColumnSample } from "../sample/column.ts";
import { foldHeader } from "../words/header-words.ts";

/** Words for money in headers, folded. */
const WORDS =
  /(?:^|[\s(/_-])(?:price|prices|cost|costs|paid|fee|fees|msrp|rrp|usd|eur|gbp|chf|jpy|pln|sek|dkk|preis|kaufpreis|kosten|bezahlt|gebuhr|euro|prix|cout|precio|coste|costo|importe|prezzo|spesa|preco|custo|valor pago|prijs|aankoopprijs|pris|kostnad|avgift|gebyr|cena|koszt|oplata)(?:$|[\s)/_-])|[$€£¥₤]|zł|価格|値段|料金|円/u;

/** `$119.99`, `119,99 €`, `1 200 kr`. */
const AMOUNT =
  /^(?:(?:[$€£¥]|USD|EUR|GBP|CHF)\s?[\d.,' ]+|[\d.,' ]+\s?(?:[$€£¥]|kr\.?|zł|円|USD|EUR|GBP|CHF|SEK|DKK|PLN))$/iu;

/** This share of the cells must be amounts. */
const SHARE = 0.8;

/** Whether a column holds amounts of money, by its header or by the signs in its cells. A header that is a known one of a workout is not asked. */
export function isMoney({ name, meaning, filled }: ColumnSample): boolean {
  if (filled.length > 0 && filled.filter((cell) => AMOUNT.test(cell)).length >= filled.length * SHARE) return true;
  return meaning.roles.length === 0 && WORDS.test(foldHeader(name));
}
