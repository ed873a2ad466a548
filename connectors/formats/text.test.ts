import { isUtf8 } from "node:buffer";
import { describe, expect, test } from "vitest";
import { growth, LINEAR } from "../../test/support/growth.ts";
import { decoderOf } from "./dos-pages.ts";
import { encodedAs } from "./encode-legacy.ts";
import { decodeStream, decodeText, textReader } from "./text.ts";

const bytes = (...values: readonly (number | string)[]) =>
  Buffer.concat(values.map((value) => (typeof value === "string" ? Buffer.from(value) : Buffer.from([value]))));

const CASES = [
  ["plain UTF-8", bytes("Läufe 走る"), "Läufe 走る", "utf-8", []],
  ["UTF-8 behind its mark", bytes(0xef, 0xbb, 0xbf, "Läufe"), "Läufe", "utf-8", []],
  ["UTF-16LE behind its mark", bytes(0xff, 0xfe, 0x4c, 0, 0xe4, 0), "Lä", "utf-16le", []],
  ["UTF-16BE behind its mark", bytes(0xfe, 0xff, 0, 0x4c, 0, 0xe4), "Lä", "utf-16be", []],
  ["UTF-16LE that only its NULs give away", bytes(0x4c, 0, 0x61, 0, 0xe4, 0), "Laä", "utf-16le", []],
  [
    "German of an old Macintosh",
    bytes("m", 0x9f, "de, K", 0x8a, "lte"),
    "müde, Kälte",
    "macintosh",
    ["text/not-utf-8"],
  ],
  ["UTF-16BE that only its NULs give away", bytes(0, 0x4c, 0, 0x61, 0, 0xe4), "Laä", "utf-16be", []],
  ["Windows-1252", bytes("L", 0xe4, "ufe ", 0x80, 0x93), "Läufe €“", "windows-1252", ["text/not-utf-8"]],
  [
    "Polish, as Windows-1250",
    bytes("Odleg", 0xb3, "o", 0x9c, 0xe6, ";bie", 0xbf, "nia"),
    "Odległość;bieżnia",
    "windows-1250",
    ["text/not-utf-8"],
  ],
  [
    "Polish without such a letter",
    bytes(0x8c, "r. pr", 0xea, "dko", 0x9c, 0xe6),
    "Śr. prędkość",
    "windows-1250",
    ["text/not-utf-8"],
  ],
  [
    "French, where signs stand between words",
    bytes("c", 0x9c, "ur 5 m", 0xb2, ", 3 m", 0xb3, "/h, ", 0xbf, "qu", 0xe9, "?"),
    "cœur 5 m², 3 m³/h, ¿qué?",
    "windows-1252",
    ["text/not-utf-8"],
  ],
  [
    "French, whose letters would be kanji",
    bytes("fr", 0xe9, "quence, dur", 0xe9, "e"),
    "fréquence, durée",
    "windows-1252",
    ["text/not-utf-8"],
  ],
  [
    "Japanese, as Shift_JIS",
    bytes(0x93, 0xfa, 0x95, 0x74, ",", 0x8b, 0x97, 0x97, 0xa3, " km"),
    "日付,距離 km",
    "shift_jis",
    ["text/not-utf-8"],
  ],
  [
    "Japanese, as EUC-JP",
    bytes(0xc6, 0xfc, 0xc9, 0xd5, ",", 0xb5, 0xf7, 0xce, 0xa5, " km"),
    "日付,距離 km",
    "euc-jp",
    ["text/not-utf-8"],
  ],
  ["a stray byte among UTF-8 stays alone", bytes("für L", 0xe4, "ufe 走"), "für Läufe 走", "utf-8", ["text/not-utf-8"]],
  ["a UTF-8 character cut by the end", bytes("für ", 0xe8, 0xb5), "für èµ", "utf-8", ["text/not-utf-8"]],
  [
    "a UTF-16 character cut by the end",
    bytes(0xff, 0xfe, 0x4c, 0, 0xe4),
    "L\ufffd",
    "utf-16le",
    ["text/cut-character"],
  ],
  ["an overlong form is no character", bytes("é", 0xc0, 0xaf), "éÀ¯", "utf-8", ["text/not-utf-8"]],
  ["nothing", bytes(), "", "utf-8", []],
  ["three bytes", bytes("abc"), "abc", "utf-8", []],
  ["zeros are not UTF-16", bytes(0, 0, 0, 0), "\0\0\0\0", "utf-8", []],
] as const;

describe("bytes become text", () => {
  test.each(CASES)("%s", (_, input, text, encoding, rules) => {
    const decoded = decodeText(input);
    expect(decoded.text).toBe(text);
    expect(decoded.encoding).toBe(encoding);
    expect(decoded.issues.map((issue) => issue.rule)).toEqual(rules);
  });

  test.each(CASES)("%s, and the same a byte at a time", (_, input, text, encoding, rules) => {
    const reader = textReader();
    let read = "";
    for (const byte of input) read += reader.write(Uint8Array.of(byte));
    read += reader.end();
    expect(read).toBe(text);
    expect(reader.encoding).toBe(encoding);
    expect(reader.issues.map((issue) => issue.rule)).toEqual(rules);
  });

  test("what a file declares is used when its bytes are not UTF-8, and is then only worth knowing", () => {
    const decoded = decodeText(bytes(0xcf, 0xf0, 0xe8), "windows-1251");
    expect(decoded.text).toBe("При");
    expect(decoded.issues).toMatchObject([{ severity: "info", rule: "text/not-utf-8" }]);
  });

  test("what a file declares is not believed when its bytes are UTF-8", () => {
    expect(decodeText(bytes("Läufe"), "iso-8859-1").text).toBe("Läufe");
  });

  test.each(["utf-16", "no-such-thing", ""])("a declaration that can't be, %j, falls back to Windows-1252", (label) => {
    const decoded = decodeText(bytes("L", 0xe4), label);
    expect(decoded.text).toBe("Lä");
    expect(decoded.issues).toMatchObject([{ severity: "warning" }]);
  });

  test("every damaged byte is counted, in one issue", () => {
    expect(decodeText(bytes("ü", 0xe4, "a", 0xe4, 0xff)).issues).toMatchObject([{ count: 3 }]);
  });

  test("the encoding of a long text is told from its first bytes that are no UTF-8, whatever comes later", () => {
    const polish = bytes("Odleg", 0xb3, "o", 0x9c, 0xe6, "; ");
    const long = Buffer.concat([
      Buffer.alloc(100_000, "x;"),
      ...Array.from({ length: 5000 }, () => polish),
      bytes(0x93, 0xfa),
    ]);
    const { text, encoding } = decodeText(long);
    expect(encoding).toBe("windows-1250");
    expect(text.slice(100_000, 100_022)).toBe("Odległość; Odległość; ");
    expect(text.endsWith("; “ú")).toBe(true);
  });

  test.each([
    ["windows-1250", "Odległość; bieżnia"],
    ["windows-1250", "Datum;Čas;Běh; příliš žluťoučký"],
    ["windows-1251", "Дата;Вид;Дистанция, км;Бег 10 км"],
    ["windows-1252", "più facile; città; giro di Škocjan; lunedì"],
    ["windows-1252", "løb på øen med Žižek; Åse; è"],
    ["windows-1252", "“Long run” — café…über £5 ±3"],
    ["windows-1252", "schöne Strecke über die Brücke; Läufer; 10 km…dann Regen"],
    ["windows-1252", "l’été à la forêt, „très“ dur; cœur; ‰ †"],
    ["windows-1252", "año; corazón; rápido; así; ¡qué día!"],
    ["windows-1250", "kőr Győrben, hűvös; żółty; łatwy"],
    ["macintosh", "schöne Strecke über die Brücke; Läufer"],
    ["macintosh", "l'été à la forêt, très dur, départ"],
    ["cp850", "Gefühl"],
    ["cp850", "schöne Strecke über die Brücke; Grün; Läufer; groß"],
    ["cp850", "l'été à la forêt, très dur, garçon"],
    ["cp850", "año; corazón; rápido; así"],
    ["cp850", "på ön, kväll; grå Ängö"],
    ["cp850", "løb på øen; Åse; kvæld; dåb"],
    ["cp866", "Дата;Вид;Дистанция, км;Бег 10 км"],
    ["cp866", "пробежка в парке, солнечно"],
    ["cp866", "Дата,км,бег"],
    ["windows-1251", "бег в лесу, хорошо"],
    ["windows-1252", "sortie «\u00a0étape»"],
    ["macintosh", "müde, Kälte"],
    ["macintosh", "Lauf in Zürich"],
    ["shift_jis", "日付,距離 km ランニング"],
    ["euc-jp", "日付,距離 km ランニング"],
    ["euc-jp", "種目,心拍,備考"],
    ["gb18030", "日期,运动名称,距离"],
    ["gb18030", "跑步 在公园里，天气很好。今天的速度不错"],
    ["gb18030", "早上,中午,晚上"],
  ] as const)("a text written as %s is read again, and as the one it is", (encoding, text) => {
    const decoded = decodeText(encodedAs(text, encoding));
    expect(decoded).toMatchObject({ text, encoding });
  });

  test("a text that is one of Japan and one of China alike is said to be both", () => {
    // 早朝 of EUC-JP is 玲墨 of GB18030.
    const decoded = decodeText(bytes(0xc1, 0xe1, 0xc4, 0xab, ",5"));
    expect(decoded.text).toBe("早朝,5");
    expect(decoded.issues).toMatchObject([
      {
        severity: "warning",
        rule: "text/unsure-encoding",
        found: "bytes that euc-jp and gb18030 both fit, read as euc-jp",
      },
    ]);
  });

  test.each([
    // Letters that are no proof: a Macintosh has other ones there.
    ["sch\x94n", ["cp850", "macintosh", "windows-1252"], ["schön", "schîn", "sch”n"]],
    ["\x81ber", ["cp850", "macintosh"], ["über", "Åber"]],
    // A sign that the two pages of DOS have apart.
    ["Br\x81cke 8\x9e400", ["cp850", "cp437"], ["Brücke 8×400", "Brücke 8₧400"]],
  ])("bytes that several encodings make words of are said to fit each: %j", (latin, encodings, words) => {
    const raw = Buffer.from(latin, "latin1");
    const { text, encoding, others, issues } = decodeText(raw);
    expect([encoding, ...others]).toEqual(encodings);
    expect(text).toBe(words[0]);
    expect(encodings.map((one) => decoderOf(one).decode(raw))).toEqual(words);
    expect(issues.map(({ rule }) => rule)).toEqual(["text/unsure-encoding"]);
  });

  test("a stream gives its issues at its end", async () => {
    async function* chunks() {
      yield bytes("L");
      yield bytes(0xe4, "ufe");
    }
    const issues: string[] = [];
    let text = "";
    for await (const chunk of decodeStream(chunks(), (issue) => issues.push(issue.rule))) text += chunk;
    expect(text).toBe("Läufe");
    expect(issues).toEqual(["text/not-utf-8"]);
  });
});

test("a character is one where Node says so, and a byte that is in none is Windows-1252, whatever stands around it", () => {
  const edges = [
    0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5,
  ];
  const latin = new TextDecoder("windows-1252");
  for (const a of edges)
    for (const b of edges)
      for (const c of edges) {
        const tail = Uint8Array.of(a, b, c, 0x80);
        // The longest character at each place, as Node sees it. The \u00fc in front shows that the file is UTF-8.
        let expected = "\u00fc";
        for (let at = 0; at < tail.length; ) {
          const length = [1, 2, 3, 4].find((one) => at + one <= tail.length && isUtf8(tail.subarray(at, at + one)));
          expected +=
            length === undefined
              ? latin.decode(tail.subarray(at, at + 1))
              : Buffer.from(tail.subarray(at, at + length)).toString();
          at += length ?? 1;
        }
        expect(decodeText(Buffer.concat([Buffer.from("\u00fcabc"), tail])).text.replace("abc", "")).toBe(expected);
      }
});

test("four million damaged bytes cost by their number", async () => {
  const damaged = (length: number) =>
    Buffer.concat([Buffer.from("\u00fc"), Buffer.alloc(length, Uint8Array.of(0x61, 0xe4))]);
  expect(decodeText(damaged(4_000_000)).issues).toMatchObject([{ rule: "text/not-utf-8", count: 2_000_000 }]);
  expect(await growth(damaged, decodeText, 1_000_000)).toBeLessThanOrEqual(LINEAR);
});

test("a chunk that ends on a byte that could begin a character changes nothing: bytes one at a time read as the whole does", () => {
  for (const bytes of [
    Uint8Array.of(0x61, 0x62, 0xc0, 0x63),
    Uint8Array.of(0x61, 0xe4, 0x6c, 0xc3, 0xa4),
    Uint8Array.of(0xf0),
  ]) {
    const reader = textReader();
    let text = "";
    for (const byte of bytes) text += reader.write(Uint8Array.of(byte));
    text += reader.end();
    expect(text).toBe(decodeText(bytes).text);
  }
});
