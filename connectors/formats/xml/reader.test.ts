import { describe, expect, test } from "vitest";
import { growth, LINEAR } from "../../../test/support/growth.ts";
import { readXml, streamXml, XML_CAPS, type XmlHandler } from "./reader.ts";

/** Writes one line for each event. */
function scribe(): XmlHandler & { readonly lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    open(name, attributes, path) {
      const values = Object.entries(attributes).map(([key, value]) => ` ${key}=${value}`);
      lines.push(`${path.join("/")}+${name}${values.join("")}`);
      return name !== "stop";
    },
    close(name, text, path) {
      lines.push(`${path.join("/")}-${name} ${text}`.trim());
    },
  };
}

function read(source: string | Uint8Array, caps = XML_CAPS) {
  const handler = scribe();
  const outcome = readXml(source, handler, caps);
  return {
    lines: handler.lines,
    end: outcome.end,
    issues: outcome.issues,
    rules: outcome.issues.map((issue) => issue.rule),
  };
}

const nested = (depth: number) => `${"<a>".repeat(depth)}${"</a>".repeat(depth)}`;
const withAttributes = (count: number) =>
  `<a ${Array.from({ length: count }, (_, index) => `b${index}="1"`).join(" ")}/>`;

describe("the reader of XML", () => {
  test("tells elements by their local names, with their text and their ancestors", () => {
    expect(read('<a x="1"><n:b> <![CDATA[1 < 2]]> </n:b><c/></a>')).toMatchObject({
      end: "complete",
      rules: [],
      lines: ["+a x=1", "a+b", "a-b 1 < 2", "a+c", "a-c", "-a"],
    });
  });

  test("an undeclared prefix is no problem", () => {
    expect(read("<a><gpxtpx:hr>120</gpxtpx:hr></a>")).toMatchObject({
      rules: [],
      lines: ["+a", "a+hr", "a-hr 120", "-a"],
    });
  });

  test("a cut document gives what came before, and the line", () => {
    const { lines, end, issues } = read("<a>\n<b>1</b>\n<b>2");
    expect(end).toBe("cut");
    expect(lines).toEqual(["+a", "a+b", "a-b 1", "a+b"]);
    expect(issues).toMatchObject([{ rule: "xml/truncated", found: "the text ends in line 3 inside b" }]);
  });

  test("what stops being XML gives what came before, and the line counted from the file's own first", () => {
    const { lines, end, issues } = read("\n\n<a>\n<b>1</b>\n<b></c>");
    expect(end).toBe("cut");
    expect(lines.slice(0, 3)).toEqual(["+a", "a+b", "a-b 1"]);
    expect(issues[0]?.rule).toBe("xml/not-well-formed");
    expect(issues[0]?.found).toContain("line 5");
  });

  test("a tail of NULs is a cut, and the NULs are counted", () => {
    const { lines, issues } = read(`<a><b>1</b>${"\0".repeat(500)}`);
    expect(lines).toContain("a-b 1");
    expect(issues).toMatchObject([{ rule: "xml/control-characters", count: 500 }, { rule: "xml/truncated" }]);
  });

  test("a bare ampersand costs nothing but a remark", () => {
    expect(read("<a><b>Tom & Jerry</b><c>1</c></a>")).toMatchObject({
      end: "complete",
      lines: ["+a", "a+b", "a-b Tom & Jerry", "a+c", "a-c 1", "-a"],
      issues: [{ rule: "xml/bare-ampersand", count: 1 }],
    });
  });

  test("a document type is refused, whatever is in it", () => {
    for (const type of ["<!DOCTYPE a>", '<!DOCTYPE a SYSTEM "file:///etc/passwd">', '<!DOCTYPE a [<!ENTITY b "c">]>']) {
      expect(read(`<?xml version="1.0"?>\n${type}<a>&b;</a>`)).toMatchObject({
        end: "refused",
        lines: [],
        rules: ["xml/doctype"],
      });
    }
  });

  test("XML 1.1 is read like 1.0", () => {
    expect(read('<?xml version="1.1"?><a>\u0085x</a>')).toMatchObject({ end: "complete", rules: [] });
  });

  test("remarks that cost nothing are counted in one issue", () => {
    expect(read('<a b="1" b="2">]]>]]></a>trailer')).toMatchObject({
      end: "complete",
      issues: [{ severity: "info", rule: "xml/oddity", count: 4 }],
    });
  });

  test("of two documents in a file the first is read", () => {
    expect(read("<a>1</a><a>2</a>")).toMatchObject({
      end: "complete",
      lines: ["+a", "-a 1"],
      rules: ["xml/second-document"],
    });
  });

  test.each([
    ["", "nothing"],
    ["   \n", "blanks"],
    ["just words", "words"],
    ["<!-- only a comment -->", "a comment"],
  ])("%j holds no element", (text) => {
    const { end, rules } = read(text);
    expect(end).toBe("refused");
    expect(rules.at(-1)).toBe("xml/no-element");
  });

  test("the handler can end the reading", () => {
    expect(read("<a><stop/><b/></a>")).toMatchObject({ end: "stopped", lines: ["+a", "a+stop"] });
  });

  test("what a handler throws is thrown through", () => {
    const handler = {
      open: () => true,
      close: () => {
        throw new TypeError("a bug");
      },
    };
    expect(() => readXml("<a/>", handler)).toThrow(TypeError);
  });

  test("a stream is read alike wherever its chunks are cut, and left early when the reading ends", async () => {
    const source = Buffer.from('<a x="ü"><b>Tom &amp; Jérôme</b></a>');
    for (const size of [1, 2, 3, 7, 1000]) {
      const handler = scribe();
      let given = 0;
      async function* chunks() {
        for (let at = 0; at < source.length; at += size) {
          given++;
          yield source.subarray(at, at + size);
        }
      }
      const outcome = await streamXml(chunks(), handler);
      expect(outcome).toEqual({ end: "complete", issues: [] });
      expect(handler.lines).toEqual(["+a x=ü", "a+b", "a-b Tom & Jérôme", "-a"]);
      expect(given).toBe(Math.ceil(source.length / size));
    }
    let given = 0;
    async function* endless() {
      for (;;) {
        given++;
        yield Buffer.from("<!DOCTYPE a><a>");
      }
    }
    expect((await streamXml(endless(), scribe())).end).toBe("refused");
    expect(given).toBe(1);
  });

  test("the declared encoding is used for text in another encoding than UTF-8", () => {
    const source = Buffer.concat([
      Buffer.from('<?xml version="1.0" encoding="windows-1251"?><a>'),
      Buffer.of(0xcf),
      Buffer.from("</a>"),
    ]);
    expect(read(source)).toMatchObject({
      lines: ["+a", "-a П"],
      issues: [{ severity: "info", rule: "text/not-utf-8" }],
    });
  });
});

describe("the caps of XML", () => {
  test.each([
    ["depth", XML_CAPS.depth, nested, "xml/depth"],
    ["attributes", XML_CAPS.attributes, withAttributes, "xml/attributes"],
    ["names of elements", XML_CAPS.name, (size: number) => `<${"n".repeat(size)}/>`, "xml/name"],
    ["names of attributes", XML_CAPS.name, (size: number) => `<a ${"n".repeat(size)}="1"/>`, "xml/name"],
    ["text", XML_CAPS.text, (size: number) => `<a>${"t".repeat(size)}</a>`, "xml/text"],
    ["text in CDATA", XML_CAPS.text, (size: number) => `<a><![CDATA[${"t".repeat(size)}]]></a>`, "xml/text"],
    ["attribute values", XML_CAPS.text, (size: number) => `<a b="${"t".repeat(size)}"/>`, "xml/text"],
  ])("%s: one less and just as many pass, one more is refused", (_, cap, make, rule) => {
    expect(read(make(cap - 1)).end).toBe("complete");
    expect(read(make(cap)).end).toBe("complete");
    expect(read(make(cap + 1))).toMatchObject({ end: "refused", rules: [rule] });
  });

  test("they can be set", () => {
    expect(read(nested(4), { ...XML_CAPS, depth: 3 })).toMatchObject({ end: "refused", rules: ["xml/depth"] });
  });

  test("a token that never ends is refused before it fills the memory", () => {
    for (const opening of ["<!--", "<?", "<a b='", "<![CDATA[", "<a><![CDATA["]) {
      expect(read(opening + "x".repeat(2 ** 21)).end).not.toBe("complete");
    }
  });
});

describe("hostile XML is refused quickly", () => {
  const HOSTILE: readonly (readonly [name: string, source: (count: number) => string, half: number])[] = [
    ["elements within each other", (count) => "<a>".repeat(count), 50_000],
    ["elements within each other, all closed", nested, 200_000],
    [
      "namespaces within each other",
      (count) => Array.from({ length: count }, (_, n) => `<a xmlns:n${n}="urn:${n}">`).join(""),
      10_000,
    ],
    ["attributes", withAttributes, 50_000],
    ["numeric references", (count) => `<a>${"&#65;".repeat(count)}</a>`, 100_000],
    ["opened tags in a tag soup", (count) => "<a<".repeat(count), 50_000],
    ["bare ampersands", (count) => `<a>${"&".repeat(count)}</a>`, 100_000],
    ["forbidden brackets", (count) => `<a>${"]]>".repeat(count)}</a>`, 50_000],
    [
      "entities that repeat each other",
      (count) =>
        `<!DOCTYPE a [${Array.from({ length: count }, (_, n) => `<!ENTITY l${n} "${`&l${n - 1};`.repeat(10)}">`).join("")}]><a>&l8;</a>`,
      9,
    ],
  ];

  test.each(HOSTILE)("twice as many %s cost about twice as much", async (_, source, half) => {
    expect(await growth(source, read, half)).toBeLessThanOrEqual(LINEAR);
  });
});
