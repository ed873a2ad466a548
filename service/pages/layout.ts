/** What every page has around what it says. */
import { type Html, html } from "./html.ts";

/** One page. */
export interface Page {
  readonly title: string;
  readonly body: Html;
  /** The menu is shown to somebody who is signed in. */
  readonly isSignedIn?: boolean;
}

/** A whole document. No script, no style and no address in it but our own. */
export function documentOf({ title, body, isSignedIn = false }: Page): string {
  const menu = isSignedIn && html`<nav><a href="/">Log</a></nav>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/assets/style.css">
</head>
<body>
${menu}
<main>${body}</main>
</body>
</html>
`.text;
}
