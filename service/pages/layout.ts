/** What every page has around what it says: the head, the menu, and the way to sign out. */
import { STYLE_ADDRESS } from "./assets.ts";
import { type Html, html } from "./html.ts";
import type { SignedIn } from "./signed-in.ts";

/** The pages of the menu, by the address each begins with. */
const MENU = [
  ["/", "Log"],
  ["/courses", "Courses"],
  ["/equipment", "Equipment"],
  ["/plans", "Plans"],
  ["/connected", "Applications"],
  ["/preference", "Preference"],
  ["/account", "Account"],
] as const;

/** One page. */
export interface Page {
  /** Says what this page is among the others: "July 2023", not "The log". */
  readonly title: string;
  readonly body: Html;
  /** `request.signedIn`: the menu and the way out are for somebody who is signed in. */
  readonly signedIn?: SignedIn | undefined;
  /** The part of the menu this page belongs to. */
  readonly within?: (typeof MENU)[number][0];
  /** For somebody who isn't signed in a page is narrow, like a form; this one is as wide as the others. */
  readonly isWide?: boolean;
  /** The whole title, where the service's name after it would be wrong. */
  readonly isBareTitle?: boolean;
}

/** A whole document. No script, no style and no address in it but our own. */
export function documentOf({ title, body, signedIn, within, isBareTitle = false, isWide = false }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${isBareTitle ? title : `${title} · Training log`}</title>
<link rel="stylesheet" href="${STYLE_ADDRESS}">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
</head>
<body${signedIn === undefined && !isWide && html` class="alone"`}>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><div class="bar">
<a class="brand" href="/">Training log</a>
${signedIn !== undefined && menu(signedIn, within)}
</div></header>
<main id="main" tabindex="-1">
${body}
</main>
</body>
</html>
`.text;
}

function menu({ csrfToken }: SignedIn, within: Page["within"]): Html {
  const items = MENU.map(
    ([address, name]) =>
      html`<li><a href="${address}"${address === within && html` aria-current="page"`}>${name}</a></li>`,
  );
  return html`<nav aria-label="Main"><ul>${items}</ul></nav>
<form class="out" method="post" action="/sign-out"><input type="hidden" name="_csrf" value="${csrfToken}"><button class="quiet">Sign out</button></form>`;
}
