/** JSON and XML files as trees of their keys. Several files of one kind grow one tree. */
import { JsonScan } from "../../connectors/formats/json/scan.ts";
import { decodeStream } from "../../connectors/formats/text.ts";
import { streamXml } from "../../connectors/formats/xml/reader.ts";
import type { Place, StructureTree } from "./tree.ts";

/** Adds a JSON file to a tree. @returns rules of what is wrong with the file */
export async function addJson(tree: StructureTree, chunks: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const rules = new Set<string>();
  const scan = new JsonScan(growing(tree));
  for await (const text of decodeStream(chunks, ({ rule }) => rules.add(rule))) if (!scan.write(text)) break;
  const end = scan.end();
  if (end !== "complete") rules.add(`json/${end}`);
  return [...rules];
}

/** What a scan tells, as places of a tree. */
function growing(tree: StructureTree) {
  const open: { readonly at: Place; readonly parent: number; readonly isList: boolean }[] = [];
  let next = tree.root;
  /** The place of the value that begins. */
  const here = (): Place => {
    const inside = open.at(-1);
    if (inside === undefined) return tree.root;
    return inside.isList ? tree.items(inside.at) : next;
  };
  return {
    open(type: "object" | "list") {
      const at = here();
      tree.value(at, type);
      open.push({ at, parent: tree.parent(), isList: type === "list" });
    },
    close() {
      open.pop();
    },
    key(text: string) {
      const inside = open.at(-1);
      if (inside !== undefined) next = tree.member(inside.at, text, inside.parent);
    },
    value(type: "text" | "number" | "true or false" | "null", text: string) {
      tree.value(here(), type, type === "text" || type === "number" ? text : undefined);
    },
  };
}

/** Adds an XML file to a tree. @returns rules of what is wrong with the file */
export async function addXml(tree: StructureTree, chunks: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const open: { readonly at: Place; readonly parent: number }[] = [{ at: tree.root, parent: tree.parent() }];
  const { issues } = await streamXml(chunks, {
    open(name, attributes) {
      const inside = open.at(-1) as (typeof open)[number];
      const at = tree.member(inside.at, name, inside.parent);
      const parent = tree.parent();
      tree.value(at, "object");
      for (const [key, value] of Object.entries(attributes))
        tree.value(tree.member(at, `@${key}`, parent), "text", value);
      open.push({ at, parent });
      return true;
    },
    close(_, text) {
      const closed = open.pop();
      if (closed !== undefined && text !== "") tree.value(closed.at, "text", text);
    },
  });
  return [...new Set(issues.map(({ rule }) => rule))];
}
