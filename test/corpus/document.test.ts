/** Takes the interface document apart anew. The conformance table stands on the committed list of its places, which must still match. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sentencesOfDocument } from "../../service/test/conformance/document.ts";
import { PLACES } from "../../service/test/conformance/table.ts";
import { DOCUMENT } from "../support/shared.ts";

test("the list of places is that of the document", async () => {
  const lines = sentencesOfDocument(readFileSync(DOCUMENT, "utf8")).map(({ mark, address }) => `${mark} ${address}\n`);
  await expect(lines.join("")).toMatchFileSnapshot(PLACES);
});
