/** Tells a workbook from a text by its first bytes. */

/** What the first bytes of an entry say: a zip that may be a workbook, one XML file that is one, or a kind that can't be read. */
export type WorkbookHead = "zip" | "ole" | "biff" | "flat" | "xml-2003";

/** The kind of a workbook by its first bytes; undefined for text. */
export function workbookHead(head: Uint8Array): WorkbookHead | undefined {
  const begin = Buffer.from(head.subarray(0, 8)).toString("latin1");
  if (begin.startsWith("PK\x03\x04")) return "zip";
  // Excel 97 to 2003, and a workbook of today with a password, are compound files of OLE ([MS-CFB] 2.2).
  if (begin === "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") return "ole";
  // Excel 2 to 4: a record BOF, number 9, with the version in the second byte.
  if (/^\x09[\x00\x02\x04][\x04\x06]\x00/.test(begin)) return "biff";
  if (!/^(?:\xef\xbb\xbf)?\s*</.test(begin)) return undefined;
  const text = Buffer.from(head.subarray(0, 4096)).toString("latin1");
  if (/<office:document\s/.test(text)) return "flat";
  // Excel's first XML, which many programs write under the name .xls.
  return /<(?:ss:)?Workbook\s[^>]*urn:schemas-microsoft-com:office:spreadsheet/.test(text) ? "xml-2003" : undefined;
}
