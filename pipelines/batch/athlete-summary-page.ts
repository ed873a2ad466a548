/**
 * An athlete summary as a page, and as text for a mail. All of its values are treated as text: they can't break out of the page, or control
 * a terminal.
 */
import { printable } from "../../transforms/text/printable.ts";
import { wrap } from "../../transforms/text/wrap.ts";
import { frameOf } from "../report/page/frame.ts";
import { html } from "../report/page/html.ts";
import type { AthleteSummary } from "./athlete-summary.ts";

/** The most columns of a text line, and of a list item. */
const WIDTH = 76;

const STYLE =
  "\nmain.summary { max-width: 42rem; } .summary ul { padding-left: 1.25rem; } .summary li { overflow-wrap: anywhere; } .summary p { overflow-wrap: anywhere; } a { color: var(--accent); }\n";

/** The page. */
export function summaryPage({ title, greeting, sections, closing }: AthleteSummary): string {
  const parts = sections.map(
    ({ heading, paragraphs = [], items = [], link }) =>
      html`<section>${heading !== undefined && html`<h2>${heading}</h2>`}${paragraphs.map((text) => html`<p>${text}</p>`)}${
        items.length > 0 && html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`
      }${link !== undefined && html`<p>${link.text}: ${linkTo(link.url)}</p>`}</section>
`,
  );
  return html`${frameOf(title, "logferry athlete summary", STYLE)}<main class="summary">
<h1>${title}</h1>
<p>${greeting}</p>
${parts}<p>${closing}</p>
</main>
</body>
</html>
`.text;
}

/** An address becomes a link only if a browser opens it by HTTP. */
function linkTo(url: string) {
  return /^https?:\/\//i.test(url) ? html`<a href="${url}">${url}</a>` : html`${url}`;
}

/** The summary as text. Each value is made safe before the layout, so that a line break in a name can't start a line of ours. */
export function summaryText({ title, greeting, sections, closing }: AthleteSummary): string {
  const blocks = [plain(title), underline(title), "", plain(greeting)];
  for (const { heading, paragraphs = [], items = [], link } of sections) {
    blocks.push("");
    if (heading !== undefined) blocks.push(plain(heading), "");
    blocks.push(paragraphs.map((text) => wrapped(text, "")).join("\n\n"));
    if (items.length > 0) blocks.push("", ...items.map((item) => wrapped(item, "- ")));
    if (link !== undefined) blocks.push("", `${plain(link.text)}: ${plain(link.url)}`);
  }
  blocks.push("", plain(closing), "");
  return blocks.join("\n").replaceAll(/\n{3,}/g, "\n\n");
}

function underline(title: string): string {
  return "=".repeat(Math.min(WIDTH, title.length));
}

/** One line, safe to show. The page's narrow blanks become ordinary blanks. */
function plain(text: string): string {
  return printable(text.replaceAll("\u202f", " "), 1_000);
}

/** A paragraph, or an item behind its bullet. */
function wrapped(text: string, bullet: string): string {
  const lines = wrap(plain(text), WIDTH - bullet.length);
  return lines.map((line, index) => (index === 0 ? bullet : " ".repeat(bullet.length)) + line).join("\n");
}
