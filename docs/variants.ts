/** Exports as they come: the ways in which an export may be changed, and what logferry makes of it. docs/platforms.md shows them. */
import { CAPS } from "../connectors/containers/options.ts";
import { article } from "../connectors/platforms/table/files/report-others.ts";
import { connectorNamed } from "../connectors/registry.ts";

/** Files in which a cut can't be seen. */
export interface UnseenCut {
  readonly files: RegExp;
  /** Why, for people. */
  readonly why: string;
}

/**
 * By platform. Any other cut is named, which `connectors/platforms/lost-in-files.test.ts` holds for every platform. In these files too every record
 * stays, and each of these exceptions is one that a fixture of the platform needs: the same test holds both.
 */
export const CUT_UNSEEN: Readonly<Record<string, UnseenCut>> = {
  huawei: {
    files: /HiTrack_[^/]*$/,
    why: "a HiTrack file has lines of points and no end; the workout ends at the cut",
  },
  "polar-before-flow": {
    files: /\.hrm$/i,
    why: "an HRM file has sections of lines and no end; the workout is read, and values behind the cut are missing; so it is with the last texts of a PDD file",
  },
};

/** What is done to each platform's export, and what comes of it. The tests are in `variants.test.ts`, `lost-in-files.test.ts` and the connector laws. */
const VARIANTS: readonly (readonly [given: string, comes: string])[] = [
  ["the zip in another zip, as a mail has it", "read the same"],
  ["another name, another order of the files, a folder around them", "read the same"],
  ["a byte order mark in front of each text", "read the same"],
  ["line ends of Windows, or of Unix", "read the same"],
  ["a table that names a column twice", "no other values: read the same, or rejected by name"],
  [
    "a text of 10 MB in a record",
    `the other records are read, and no value holds the text. A zip that packs it more than ${CAPS.ratio} times smaller is refused: \`--max-ratio\` lets it in`,
  ],
  ["a file of 0 bytes", "rejected, or named as not read; the others are read"],
  ["a file that is cut", "rejected, or named with its fault; what is whole is read"],
  ["bytes that are changed", "the rest is read, or the whole is refused; logferry never crashes"],
  [
    "a block of zeros in a table or an XML file, as a broken copy leaves it",
    "its row or element is rejected, as parts of two may stand in it; what is whole is read, and the old account stays open",
  ],
  ["a table that is cut behind a row, or in its last cell", "not seen: it looks whole"],
];

/** The table of the page: what holds for every platform, then the exceptions by platform, by their titles. */
export function variantTable(): string[] {
  const unseen = Object.entries(CUT_UNSEEN).map(([platform, { why }]) => [
    `a cut in a file of ${article(connectorNamed(platform)?.title ?? platform)}`,
    `not seen: ${why}`,
  ]);
  return [
    "| what is given | what comes of it |",
    "|---|---|",
    ...[...VARIANTS, ...unseen].map((row) => `| ${row.join(" | ")} |`),
  ];
}
