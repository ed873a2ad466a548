/** The beginning of every page that logferry writes. The page loads nothing, runs no script, and tells nobody that somebody reads it. */
import { type Html, html, made } from "./html.ts";
import { STYLE } from "./style.ts";

/**
 * The head of a page, up to its body.
 *
 * @param generator marks the page as ours: `logferry report`
 * @param style additional CSS, from our own code
 */
export function frameOf(title: string, generator: string, style = ""): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${made(generatorOf(generator))}
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${made(STYLE + style)}</style>
</head>
<body>
`;
}

/** The mark of a page. logferry may replace a file that has this mark. */
export function generatorOf(name: string): string {
  return `<meta name="generator" content="${name}">`;
}
