/** A web page in place of an archive. When a download link expired, a browser saves the page that says so, under the name of the zip. */

/** So many bytes are enough for `looksLikeWebPage`. */
export const WEB_PAGE_BYTES = 512;

/** What a person does about it. */
export const WEB_PAGE = "it is a web page, no zip. The link has expired, or asks for a login: download it once more";

/** Whether a file begins like a web page. */
export function looksLikeWebPage(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, WEB_PAGE_BYTES)).toString("latin1");
  return /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body)\b/i.test(text);
}
