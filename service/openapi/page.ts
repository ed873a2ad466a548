/** The description of the service for people: one page, made only of `/openapi.json`. */
import type { FastifyInstance } from "fastify";
import { type Html, html, type Part } from "../pages/html.ts";
import { show } from "../pages/show.ts";
import {
  DESCRIPTION_PATH,
  type DescribedOperation,
  type DescribedParameter,
  type Description,
  type JsonSchema,
} from "./describe.ts";
import { UNDOCUMENTED } from "./operation.ts";

/** The address of the page. */
export const PAGE_PATH = "/docs";

/** Adds the page, open to everybody, to a part of the app that browsers see. */
export function descriptionPage(app: FastifyInstance): void {
  app.get(PAGE_PATH, { config: { isPublic: true } }, async (request, reply) =>
    show(reply, {
      title: "Interface",
      isWide: true,
      body: bodyOf(app.swagger() as unknown as Description),
      signedIn: request.signedIn,
    }),
  );
}

function bodyOf({ info, paths }: Description): Html {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const contents = operations.map(
    ({ method, path, operation }) =>
      html`<li><a href="#${operation.operationId}">${operation.summary}</a> <code>${method} ${path}</code></li>`,
  );
  return html`<h1>The training log's interface</h1>
<p>${prose(info.description)}</p>
<p>The same for programs, as OpenAPI 3.1: <a href="${DESCRIPTION_PATH}">${DESCRIPTION_PATH}</a></p>
<section class="card"><h2>Operations</h2><ul>${contents}</ul></section>
${operations.map(({ method, path, operation }) => sectionOf(method, path, operation))}`;
}

function sectionOf(method: string, path: string, operation: DescribedOperation): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const isUndocumented = operation["x-undocumented"] === true;
  const own = withoutMark(description);
  return html`
<section class="card" id="${operationId}"><h2>${summary} ${isUndocumented && MARK}</h2>
<p><code>${method} ${path}</code></p>
${own !== "" && html`<p>${prose(own)}</p>`}
${fieldsUnder("Parameters", parameters.map(parameterRow))}
${fieldsUnder(
  "Body",
  Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) => [
    row("media type", type === "*/*" ? "any: the file's content" : type),
    ...fieldRows(schema),
  ]),
)}
${fieldsUnder(
  "Answers",
  Object.entries(responses).flatMap(([status, response]) => [
    row(status, prose(response.description)),
    ...(status === "200" ? Object.values(response.content ?? {}).flatMap(({ schema }) => fieldRows(schema)) : []),
  ]),
)}
</section>`;
}

/** The description and the mark say the same. The page shows the mark, so the sentence is removed. */
function withoutMark(description = ""): string {
  return description.replace(UNDOCUMENTED, "").trim();
}

/** Text between backticks is code. */
function prose(text: string): Part {
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

const MARK = html`<span class="badge">not shown by the interface document</span>`;

function fieldsUnder(heading: string, rows: readonly Html[]): Html | false {
  return rows.length > 0 && html`<h3>${heading}</h3><dl class="fields">${rows}</dl>`;
}

function row(name: string, meaning: Part): Html {
  return html`<div><dt><code>${name}</code></dt><dd>${meaning}</dd></div>`;
}

function parameterRow(parameter: DescribedParameter): Html {
  const { name, required, description, schema } = parameter;
  const words = [
    parameter.in === "query" ? wordsOf(schema) : `${wordsOf(schema)} in the ${parameter.in}`,
    required === true ? "required" : undefined,
  ].filter((word) => word !== undefined);
  const mark = parameter["x-undocumented"] === true && html` ${MARK}`;
  const own = withoutMark(description);
  return row(name, html`${words.join(", ")}${mark}${own !== "" && html`. ${prose(own)}`}`);
}

/** A row for each field of an object, with the path of each inner field. An object gets a row of its own only when its members aren't listed. */
function fieldRows(schema: JsonSchema, path = "", isRequired = false): readonly Html[] {
  const { properties, items, anyOf, description } = schema;
  if (anyOf !== undefined) return anyOf.flatMap((one) => fieldRows(one, path, isRequired));
  if (items !== undefined) return fieldRows(items, `${path}[]`, isRequired);
  if (properties === undefined) {
    if (path === "") return [];
    const words = [wordsOf(schema), isRequired ? "required" : undefined].filter((word) => word !== undefined);
    return [row(path, [words.join(", "), description === undefined ? "" : `. ${description}`].join(""))];
  }
  return Object.entries(properties).flatMap(([name, member]) =>
    fieldRows(member, path === "" ? name : `${path}.${name}`, schema.required?.includes(name) === true),
  );
}

function wordsOf({ type, enum: words, minimum, maximum, format, default: fallback }: JsonSchema): string {
  const parts = [
    words === undefined
      ? type === "object"
        ? "flags, true or false"
        : (format ?? type ?? "anything")
      : words.join(" or "),
    minimum === undefined ? undefined : maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`,
    fallback === undefined ? undefined : `default ${String(fallback)}`,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}
