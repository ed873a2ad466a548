/**
 * Tells texts of Japanese and Chinese computers from their bytes. EUC-JP and GB18030 write nearly all characters with the same pairs of bytes, so a text in
 * one of them is a text in the other, too, of odd characters.
 */
import { TextDecoder } from "node:util";

/** An encoding with one or two bytes a character. */
export type EastAsianEncoding = "shift_jis" | "euc-jp" | "gb18030";

/** Kana, kanji, and the marks and wide letters that stand among them. Half-width kana are not among these: nearly any byte makes one. */
const WIDE = /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]/g;
const IN_RUNS = /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]{2,}/g;
const OTHER_THAN_ASCII = /[^\0-\x7f]/g;

/** The share of letters that must be of the East, and the share of these that stand in words. A French `fré` makes a kanji by accident, but alone. */
const LEAST_WIDE = 0.9;
const LEAST_IN_RUNS = 0.5;

/** Words of Japanese without kana, and of Chinese, as they stand in lists of training. */
const JAPANESE_WORDS =
  /日付|日時|時間|時刻|距離|種目|種類|運動|活動|水泳|自転車|徒歩|心拍|体重|記録|備考|天気|練習|開始|終了|大会/g;
const CHINESE_WORDS =
  /日期|时间|时长|距离|运动|活动|跑步|骑行|游泳|步行|徒步|心率|体重|重量|备注|标题|锻炼|类型|名称|公里|千米|开始|结束/g;

/** Kana. Both encodings write them with the same bytes, and Chinese of GB18030 has none; bytes of Big5 look like some. */
const KANA = /[\u3041-\u309f\u30a1-\u30fa]/;

/** Lead bytes of the frequent characters of GB2312, and of its marks. Cyrillic words have most of their bytes above these. */
const LEAST_FREQUENT = 0.7;

/**
 * Lead bytes of frequent characters in GB2312, a quarter of a Chinese text, that only rare ones have in EUC-JP. So a tenth shows Chinese, and 30 characters
 * without one show Japanese.
 */
const RARE_IN_JAPANESE = { from: 0xd0, to: 0xd7, share: 0.1, least: 2, enough: 30 } as const;

/**
 * The encodings that a text may have: the likeliest one first, and none if the text isn't of the East. There are two if nothing in the bytes tells them
 * apart.
 *
 * @param bytes a piece of the text that begins with a whole character; it may end inside of one
 */
export function eastAsianEncodingsOf(bytes: Uint8Array): readonly EastAsianEncoding[] {
  if (wideText(bytes, "shift_jis") !== undefined) return ["shift_jis"];
  const leads = leadsOf(bytes);
  const [japanese, chinese] = [wideText(bytes, "euc-jp"), isOfGb2312(leads) ? wideText(bytes, "gb18030") : undefined];
  if (japanese === undefined) return chinese === undefined || KANA.test(chinese) ? [] : ["gb18030"];
  if (chinese === undefined || KANA.test(japanese)) return ["euc-jp"];
  const words = (japanese.match(JAPANESE_WORDS)?.length ?? 0) - (chinese.match(CHINESE_WORDS)?.length ?? 0);
  if (words !== 0) return [words > 0 ? "euc-jp" : "gb18030"];
  const { from, to, share, least, enough } = RARE_IN_JAPANESE;
  const rare = leads.filter((lead) => lead >= from && lead <= to).length;
  if (rare >= least && rare >= leads.length * share) return ["gb18030"];
  return rare === 0 && leads.length >= enough ? ["euc-jp"] : ["euc-jp", "gb18030"];
}

/** The first bytes of the pairs that a text outside of ASCII is made of. A byte without its pair counts as 0. */
function leadsOf(bytes: Uint8Array): readonly number[] {
  const leads: number[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    const second = bytes[at + 1];
    // The end may cut a pair.
    if (second === undefined) break;
    const isPair = lead >= 0xa1 && second >= 0xa1;
    leads.push(isPair ? lead : 0);
    if (isPair) at++;
  }
  return leads;
}

function isOfGb2312(leads: readonly number[]): boolean {
  const frequent = leads.filter((lead) => (lead >= 0xa1 && lead <= 0xa5) || (lead >= 0xb0 && lead <= 0xd7));
  return frequent.length >= leads.length * LEAST_FREQUENT;
}

/** The text, if it is one of the encoding, and most of it stands in words of the East. */
function wideText(bytes: Uint8Array, encoding: EastAsianEncoding): string | undefined {
  const text = decodedWhole(bytes, encoding);
  if (text === undefined) return undefined;
  const letters = text.match(OTHER_THAN_ASCII)?.length ?? 0;
  const wide = text.match(WIDE)?.length ?? 0;
  const inRuns = text.match(IN_RUNS)?.reduce((sum, { length }) => sum + length, 0) ?? 0;
  return wide > 1 && wide >= letters * LEAST_WIDE && inRuns >= wide * LEAST_IN_RUNS ? text : undefined;
}

/** The text; undefined if bytes of it are none of the encoding. With `stream`, a character that is cut at the end is no fault. */
function decodedWhole(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
