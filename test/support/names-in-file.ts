/** The names that a file has for its values, found without the readers of the project: columns, JSON members, XML elements and attributes. */

/** So much of a file is looked at: the header of a table, and some records of any other file. */
const HEAD = 200_000;

/** Names that belong to the format, and to no platform. */
const OF_XML = /^(?:xml|version|encoding|xmlns|xsi)$/i;

/** Ids that stand where a name does, and cells of a table without a header. */
const NUMBER = /^[\d.]+$/;

/** The names in a text. Empty for a format without names. */
export function namesInFile(path: string, whole: string): readonly string[] {
  return [...new Set(allNamesIn(path, whole))].filter((name) => !NUMBER.test(name));
}

function allNamesIn(path: string, whole: string): readonly string[] {
  const text = whole.slice(0, HEAD).replace(/^\uFEFF/, "");
  if (/\.(?:csv|tsv|txt)$/i.test(path)) return columnsIn(text);
  if (/\.(?:json|ndjson|json\.gz)$/i.test(path))
    return [...text.matchAll(/"([^"\\\n]{1,200})"\s{0,4}:/g)].map(([, name = ""]) => name);
  if (/\.(?:xml|pwx|fitlog|sml|ped)$/i.test(path)) return elementsIn(text);
  return [];
}

function columnsIn(text: string): readonly string[] {
  const [header = ""] = text.split(/\r?\n/, 1);
  const [mark = ","] = ["\t", ";", ","].filter((each) => header.includes(each));
  const cells: string[] = [];
  let [cell, isQuoted] = ["", false];
  for (const letter of header + mark) {
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter !== mark || isQuoted) cell += letter;
    else {
      if (cell.trim() !== "") cells.push(cell.trim());
      cell = "";
    }
  }
  return cells;
}

function elementsIn(text: string): readonly string[] {
  const found = text.matchAll(/<([A-Za-z][\w.-]*:)?([A-Za-z][\w.-]*)|\s([A-Za-z][\w.-]*:)?([A-Za-z][\w.-]*)="/g);
  return [...found]
    .map(([, , element, , attribute]) => element ?? attribute ?? "")
    .filter((name) => !OF_XML.test(name));
}
