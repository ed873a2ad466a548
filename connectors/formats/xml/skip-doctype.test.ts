import { expect, test } from "vitest";
import { doctypeSkipper } from "./skip-doctype.ts";

function skipped(...chunks: readonly string[]): string {
  const skipper = doctypeSkipper();
  return chunks.map((chunk) => skipper.write(chunk)).join("") + skipper.end();
}

test.each([
  ["goes, and its line ends stay", "<!DOCTYPE a [\n<!ENTITY x 'y'>\n]><a>&x;</a>", "\n\n<a>&x;</a>"],
  ["without declarations goes", '<?xml v="1"?>\n<!doctype a SYSTEM "x"><a/>', '<?xml v="1"?>\n<a/>'],
  ["may have its end in a comment", "<!DOCTYPE a [ <!-- it's ]> --> ]  ><a/>", "<a/>"],
  ["may break the rules", "<!DOCTYPE a [ <!ATTLIST b c CDATA > d CDATA> <!ELEMENT e ]><a/>", "<a/>"],
  ["in a comment is none", "<!-- <!DOCTYPE b> --><a>]></a>", "<!-- <!DOCTYPE b> --><a>]></a>"],
  ["need not be there", "<a><b/></a>", "<a><b/></a>"],
  ["behind the root element stays, to be refused", "<a/><!DOCTYPE b>", "<a/><!DOCTYPE b>"],
  ["without an end stays, to be refused", "<!DOCTYPE a [ <!ENTITY", "<!DOCTYPE a [ <!ENTITY"],
])("a document type %s, wherever the text is cut", (_, text, expected) => {
  expect(skipped(text)).toBe(expected);
  expect(skipped(...text)).toBe(expected);
});

test("one that is too long stays, to be refused", () => {
  const text = `<!DOCTYPE a [${" ".repeat(70_000)}]><a/>`;
  expect(skipped(text.slice(0, 66_000), text.slice(66_000))).toBe(text);
});
