/** The frame of every page: the head, the menu, and the way to sign out. */
import { STYLE_ADDRESS } from "./assets.ts";
import { type Html, html } from "./html.ts";
import type { SignedIn } from "./signed-in.ts";

/** The pages of the menu, by the beginning of their addresses. */
const MENU = [
  ["/", "Log"],
  ["/rehearsal", "To decide"],
  ["/courses", "Courses"],
  ["/equipment", "Equipment"],
  ["/plans", "Plans"],
  ["/connected", "Applications"],
  ["/preference", "Preference"],
  ["/account", "Account"],
] as const;

/** One page. */
export interface Page {
  /** A title that identifies this page among the others: "July 2023", not "The log". */
  readonly title: string;
  readonly body: Html;
  /** `request.signedIn`: only signed-in users see the menu and the way to sign out. */
  readonly signedIn?: SignedIn | undefined;
  /** The part of the menu this page belongs to. */
  readonly within?: (typeof MENU)[number][0];
  /** Without sign-in a page is narrow, like a form. This one is as wide as the others. */
  readonly isWide?: boolean;
  /** The title stands alone, where the service's name after it would be wrong. */
  readonly isBareTitle?: boolean;
}

/** What every page of a log says about the log. */
export interface LogKind {
  /** Adds a line that says so. */
  readonly isRehearsal?: boolean | undefined;
  /** Whether there is a page of decisions, for the menu. */
  readonly hasDecisions?: boolean | undefined;
}

/** A whole document. It has no scripts, and only our own styles and addresses. */
export function documentOf(
  { title, body, signedIn, within, isBareTitle = false, isWide = false }: Page,
  { isRehearsal = false, hasDecisions = false }: LogKind = {},
): string {
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
${signedIn !== undefined && menu(signedIn, within, hasDecisions)}
</div></header>
${isRehearsal && html`<p class="rehearsal" role="note">This is a rehearsal. Nothing here is in your real log.</p>`}
<main id="main" tabindex="-1">
${body}
</main>
</body>
</html>
`.text;
}

function menu({ csrfToken }: SignedIn, within: Page["within"], hasDecisions: boolean): Html {
  const items = MENU.filter(([address]) => hasDecisions || address !== "/rehearsal").map(
    ([address, name]) =>
      html`<li><a href="${address}"${address === within && html` aria-current="page"`}>${name}</a></li>`,
  );
  return html`<nav aria-label="Main"><ul>${items}</ul></nav>
<form class="out" method="post" action="/sign-out"><input type="hidden" name="_csrf" value="${csrfToken}"><button class="quiet">Sign out</button></form>`;
}
