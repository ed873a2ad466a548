/**
 * The one stylesheet: calm paper and ink, numbers in columns, one accent. Every colour comes from a variable, so the dark scheme is
 * another set of variables. Every pair of text and background has a contrast of 4.5 or more in both schemes.
 */

/** The colours of activities, for the classes of `kindOf`. */
const KIND_RULES = Array.from({ length: 13 }, (_, index) => `a${index + 1}`)
  .map((kind) => `.key.${kind} { background: var(--${kind}); } rect.${kind} { fill: var(--${kind}); }`)
  .join("\n");

/** CSS. */
export const STYLE: string = `
:root {
  color-scheme: light dark;
  --paper: #f5f6f8; --card: #ffffff; --ink: #18222c; --soft: #55626f; --rule: #dbe0e6; --rail: #e6eaee;
  --accent: #175a89; --accent-ink: #ffffff; --focus: #b3530c;
  --good: #1d6b40; --good-paper: #e3f3ea; --bad: #a3261c; --bad-paper: #fbe9e7;
  --a1: #2c6fa8; --a2: #c7742b; --a3: #2a8c80; --a4: #8560a8; --a5: #84909c;
  --a6: #b8433c; --a7: #6b8e23; --a8: #d0559b; --a9: #8a5a3b; --a10: #4351c4; --a11: #b08a00; --a12: #2f8f3a; --a13: #7a1f5c;
  --track: #1b66a0; --casing: #ffffff; --ground: #eef1ec; --grid: #dde2da; --start: #1f7a45; --end: #b5322a;
  --heart: #b8433c; --speed: #2c6fa8; --height: #6f7f58;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #11161b; --card: #191f26; --ink: #e4e9ee; --soft: #a3afbb; --rule: #2d3640; --rail: #2a323b;
    --accent: #86c0ea; --accent-ink: #0d1a24; --focus: #ffb266;
    --good: #8fd9ae; --good-paper: #17301f; --bad: #ffb3aa; --bad-paper: #3a1b18;
    --a1: #5c9fd6; --a2: #e09a57; --a3: #4fb5a7; --a4: #b08fd3; --a5: #8d99a5;
    --a6: #f0857c; --a7: #b3cc66; --a8: #f29aca; --a9: #c99a78; --a10: #94a0f5; --a11: #e0c04a; --a12: #7fd08a; --a13: #c07aa8;
    --track: #7cc0f0; --casing: #10151a; --ground: #1c2329; --grid: #28313a; --start: #5fcf8d; --end: #ff8a80;
    --heart: #f08a82; --speed: #6fb2e6; --height: #a9ba8a;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
h1, h2, h3, p, dl, dd, ul, ol, figure, table { margin: 0; }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.015em; overflow-wrap: anywhere; text-wrap: balance; }
h2 { font-size: 1.125rem; line-height: 1.3; overflow-wrap: anywhere; }
/* A path has no blanks. */
p, li { overflow-wrap: anywhere; }
h3 { font-size: 0.8125rem; font-weight: 600; color: var(--soft); }
a { color: var(--accent); text-underline-offset: 0.15em; text-decoration-thickness: 0.06em; }
a:hover { text-decoration-thickness: 0.12em; }
:focus-visible, [type=date]:focus-within { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
code { font: 0.9em ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.muted { color: var(--soft); font-size: 0.875rem; font-weight: 400; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999rem; top: 0.5rem; padding: 0.5rem 1rem; background: var(--accent); color: var(--accent-ink); z-index: 2; }
.skip:focus { left: 0.5rem; }

/* Its colours are those of ink and paper the other way round, so nobody takes a rehearsal for the real log. */
.rehearsal { margin: 0; padding: 0.5rem 1rem; text-align: center; background: var(--ink); color: var(--paper); font-weight: 600; }
.top { background: var(--card); border-bottom: 1px solid var(--rule); }
.bar { max-width: 68rem; margin: 0 auto; padding: 0.5rem 1rem; display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.25rem; }
.brand { font-weight: 650; letter-spacing: -0.01em; color: var(--ink); text-decoration: none; padding: 0.375rem 0; }
.bar nav { flex: 1 1 auto; }
.bar ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0 0.25rem; }
.bar li a { display: block; padding: 0.375rem 0.5rem; color: var(--soft); text-decoration: none; border-radius: 4px; }
.bar li a:hover { color: var(--ink); background: var(--paper); }
.bar li a[aria-current] { color: var(--ink); font-weight: 600; box-shadow: inset 0 -2px 0 var(--accent); border-radius: 0; }
.bar form { margin: 0; }
main { max-width: 68rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; }
main > h2 { margin-top: 0.5rem; }
main > p, main > ul:not(.cards) { max-width: 42rem; }
main > form { max-width: 34rem; }
output code { display: inline-block; font-size: 1.25rem; padding: 0.75rem 1rem; background: var(--card); border: 1px solid var(--rule); border-radius: 8px; user-select: all; }
td form { display: inline; }
.alone main { max-width: 34rem; padding-top: 3rem; }
section { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; }
.card, main > form { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 1rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; align-content: start; }
.card li { overflow-wrap: anywhere; }
main ol, main ul { padding-left: 1.25rem; }
.trail { font-size: 0.875rem; margin-bottom: -0.75rem; }
.trail ol { list-style: none; padding: 0; display: flex; flex-wrap: wrap; }
.trail li + li::before { content: "›"; color: var(--soft); margin: 0 0.4rem; }
.trail a { display: inline-block; padding: 0.25rem 0; }
.head { display: flex; flex-wrap: wrap; align-items: start; justify-content: space-between; gap: 0.75rem; }
.head h1 { flex: 1 1 16rem; }
.steps { display: flex; gap: 0.5rem; }
.lead { color: var(--soft); margin-top: -0.75rem; }
.prose { white-space: pre-wrap; overflow-wrap: anywhere; max-width: 42rem; }

.figures { display: flex; flex-wrap: wrap; gap: 0.75rem 2.25rem; }
.figures dt { font-size: 0.8125rem; color: var(--soft); }
.figures dd { font-size: 1.625rem; line-height: 1.2; font-weight: 600; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.fields { display: grid; gap: 0.125rem; }
.fields > div { display: grid; grid-template-columns: clamp(6rem, 40%, 12rem) minmax(0, 1fr); gap: 0.75rem; padding: 0.25rem 0; border-top: 1px solid var(--rule); }
.fields > div:first-child { border-top: 0; }
.fields dt { color: var(--soft); font-size: 0.875rem; }
.fields dd { overflow-wrap: anywhere; white-space: pre-wrap; }
.groups { display: grid; gap: 1rem 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); }

table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; font-size: 1.125rem; padding: 0 0 0.5rem; }
th, td { text-align: right; padding: 0.4375rem 0.5rem; border-bottom: 1px solid var(--rule); vertical-align: baseline; white-space: nowrap; }
thead th { font-size: 0.8125rem; font-weight: 500; color: var(--soft); }
tbody th { font-weight: 500; }
th:first-child, td:first-child, .text, .what, thead th:nth-child(2) { text-align: left; }
.totals thead th:nth-child(2), .numbers thead th:nth-child(n+3), .pieces thead th:nth-child(2) { text-align: right; }
.numbers thead th:nth-child(2):not(.text) { text-align: right; }
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
abbr { text-decoration: none; }
.totals tbody th { white-space: normal; overflow-wrap: break-word; }
.numbers th, .numbers td { padding-top: 0.25rem; padding-bottom: 0.25rem; }
.columns { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); align-items: start; }
.columns:empty { display: none; }
.columns > section { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 1rem; }
.workouts, .pieces, .plans { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; border-collapse: separate; border-spacing: 0; }
.workouts th, .workouts td, .pieces th, .pieces td, .plans th, .plans td { padding-left: 0.75rem; padding-right: 0.75rem; }
.workouts tbody:last-child tr:last-child > *, .pieces tbody tr:last-child > *, .plans tbody tr:last-child > * { border-bottom: 0; }
.day { width: 1%; color: var(--soft); }
.what { width: 99%; white-space: normal; overflow-wrap: anywhere; }
.what .muted { display: block; }
.what .key + a { margin-left: 0.375rem; }
.what .key ~ .muted { margin-left: 1.125rem; }
.week > * { background: var(--paper); font-weight: 600; font-size: 0.9375rem; }
.plans th { white-space: normal; overflow-wrap: anywhere; text-align: left; }
.meter { width: 8rem; }
.meter svg { display: block; width: 7rem; height: 8px; border-radius: 4px; }
.scroll { overflow-x: auto; }
.badge { display: inline-block; font-size: 0.75rem; font-weight: 500; line-height: 1.4; padding: 0 0.4rem; border-radius: 4px; background: var(--rail); color: var(--ink); letter-spacing: 0; vertical-align: middle; }
details summary { cursor: pointer; padding: 0.5rem 0; color: var(--accent); }

.key { display: inline-block; width: 0.75rem; height: 0.75rem; border-radius: 3px; background: var(--a5); }
.key.start { border-radius: 50%; background: var(--start); } .key.end { border-radius: 0; background: var(--end); }
${KIND_RULES}
rect.rail { fill: var(--rail); }
.legend { list-style: none; padding: 0 !important; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; font-size: 0.875rem; color: var(--soft); }
.chart-head { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.5rem; align-items: baseline; }
.switch { display: flex; gap: 0.25rem; font-size: 0.875rem; }
.switch a { padding: 0.25rem 0.625rem; border-radius: 4px; color: var(--soft); text-decoration: none; }
.switch a[aria-current] { background: var(--rail); color: var(--ink); }
.chart + .chart { margin-top: 0.75rem; }
.chart figcaption { font-weight: 600; font-size: 0.9375rem; padding-bottom: 0.25rem; }
.plot { display: flex; }
.plot .scale { flex: 0 0 3.25rem; width: 3.25rem; margin-right: 0.5rem; }
.plot .area { flex: 1 1 auto; min-width: 0; overflow: visible; }
.plot text { font-size: 12px; fill: var(--soft); font-variant-numeric: tabular-nums; }
.plot .grid { stroke: var(--rule); stroke-width: 1; }
.plot g:hover rect { opacity: 0.75; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
.line.speed { stroke: var(--speed); } .line.heart { stroke: var(--heart); } .line.height { stroke: var(--height); }
.fill { stroke: none; opacity: 0.25; } .fill.height { fill: var(--height); }
.track { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; }
.map svg { display: block; width: 100%; height: auto; background: var(--ground); border-radius: 5px; }
.map .grid { fill: none; stroke: var(--grid); stroke-width: 1; }
path.casing { fill: none; stroke: var(--casing); stroke-width: 5.5; stroke-linejoin: round; stroke-linecap: round; }
path.track { fill: none; stroke: var(--track); stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; }
circle.start { fill: var(--start); stroke: var(--casing); stroke-width: 2; } rect.end { fill: var(--end); stroke: var(--casing); stroke-width: 2; }
.bar-line, path.bar { fill: none; stroke: var(--ink); stroke-width: 1.5; }
.map text { font-size: 11px; fill: var(--ink); paint-order: stroke; stroke: var(--ground); stroke-width: 3px; }
.map figcaption { font-size: 0.875rem; padding-top: 0.5rem; }
.map .key { vertical-align: -1px; } .map .key.end { margin-left: 0.75rem; } .map figcaption .muted { margin-left: 0.75rem; }
.cards { list-style: none; padding: 0 !important; display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); }
.thumbnail, .no-map { display: block; width: 100%; aspect-ratio: 5 / 3; background: var(--ground); border-radius: 5px; }
.thumbnail path.track { stroke-width: 5; }
.no-map { display: grid; place-items: center; color: var(--soft); font-size: 0.875rem; }
.course h2 { font-size: 1rem; }

.doubts > p { max-width: 42rem; } .doubts h2 { margin-top: 0.5rem; } .doubts h3 { color: var(--ink); font-size: 0.9375rem; overflow-wrap: anywhere; }
.doubts p, [role=status] { overflow-wrap: anywhere; }
.doubts form { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.doubts form.values { display: grid; max-width: 34rem; border-top: 1px solid var(--rule); padding-top: 0.75rem; }
.doubts button { display: grid; grid-template-columns: minmax(0, auto); text-align: left; max-width: 100%; overflow-wrap: anywhere; } .doubts button code { color: var(--soft); font-size: 0.75rem; }
.sides th, .sides td { text-align: left; white-space: normal; overflow-wrap: anywhere; } .sides thead th { width: 40%; } .sides tbody th { overflow-wrap: normal; padding-right: 0.75rem; } .differs td { font-weight: 600; }

form p { display: grid; gap: 0.25rem; }
form p:has(> [type=checkbox]) { grid-template-columns: auto minmax(0, 1fr); align-items: baseline; }
form p:has(> button + button) { display: flex; flex-wrap: wrap; gap: 0.75rem; }
label { font-weight: 500; }
[type=checkbox] + label { font-weight: 400; }
input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea {
  font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: 5px; padding: 0.5rem 0.625rem; width: 100%; max-width: 24rem; min-height: 2.75rem;
}
input[type=checkbox], input[type=radio] { width: 1.125rem; height: 1.125rem; margin: 0 0.5rem 0 0; accent-color: var(--accent); vertical-align: -0.15rem; }
input[aria-invalid] { border-color: var(--bad); border-width: 2px; }
.hint { color: var(--soft); font-size: 0.875rem; max-width: 34rem; }
button, .button {
  font: inherit; font-weight: 500; cursor: pointer; justify-self: start; display: inline-block; text-decoration: none;
  color: var(--ink); background: var(--card); border: 1px solid var(--soft); border-radius: 5px; padding: 0.375rem 0.875rem; min-height: 2.5rem;
}
button:hover, .button:hover { border-color: var(--ink); }
button.main, main > form button[type=submit]:first-of-type { color: var(--accent-ink); background: var(--accent); border-color: var(--accent); }
button.quiet { border-color: transparent; background: none; color: var(--soft); font-weight: 400; padding-left: 0.5rem; padding-right: 0.5rem; }
button.quiet:hover { color: var(--ink); text-decoration: underline; }
button.danger { color: var(--bad); border-color: var(--bad); }
[role=alert], .bad { background: var(--bad-paper); color: var(--bad); padding: 0.625rem 0.875rem; border-radius: 5px; }
[role=status], .good { background: var(--good-paper); color: var(--good); padding: 0.625rem 0.875rem; border-radius: 5px; }
.pager { display: flex; flex-wrap: wrap; gap: 1rem; align-items: baseline; padding: 0.5rem 0; color: var(--soft); }
.pager a { padding: 0.25rem 0; }

@media (min-width: 62rem) {
  .track.with-map { grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); align-items: start; }
  .map text { font-size: 10px; }
  main > .map-card { max-width: 44rem; }
}
@media (max-width: 40rem) {
  h1 { font-size: 1.5rem; }
  main { padding-top: 1rem; gap: 1rem; }
  .bar { padding-bottom: 0; align-items: start; }
  .bar nav { order: 3; flex-basis: 100%; margin: 0 -0.5rem; }
  .bar form { margin-left: auto; }
  .figures { gap: 0.5rem 1.5rem; } .figures dd { font-size: 1.375rem; }
  .minor { display: none; }
  .map text { font-size: 14px; }
  .totals th, .totals td { font-size: 0.875rem; padding-left: 0.25rem; padding-right: 0.25rem; }
  /* Rows become two lines: the name, and under it the numbers. */
  .workouts thead, .pieces thead, .plans thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  .workouts, .pieces, .plans, .workouts tbody, .pieces tbody, .plans tbody { display: block; }
  .workouts tr, .pieces tr, .plans tr { display: flex; flex-wrap: wrap; gap: 0 0.75rem; padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--rule); align-items: baseline; }
  .workouts tr > *, .pieces tr > *, .plans tr > * { border: 0; padding: 0; width: auto; }
  .workouts .what { order: -1; flex: 1 1 100%; } .workouts td { font-size: 0.875rem; } .workouts tr { column-gap: 0.5rem; }
  .workouts .what { font-size: 1rem; }
  /* All columns fit on a phone: what is long breaks, and a badge stands below its number. */
  .numbers th, .numbers td { font-size: 0.8125rem; padding-left: 0.25rem; padding-right: 0.25rem; }
  .numbers thead th { white-space: normal; vertical-align: bottom; }
  .numbers .text { white-space: normal; overflow-wrap: anywhere; }
  .numbers .badge { display: block; width: max-content; margin-left: auto; }
  .no-map { display: none; }
  .fields > div { grid-template-columns: minmax(0, 2fr) minmax(0, 4fr); }
  .pieces .what, .plans th { flex-basis: 100%; }
  .none, .meter { display: none; }
  .week { background: var(--paper); } .week th { flex: 1 1 100%; } .week > * { background: none; }
  .workouts tbody:last-child tr:last-child, .pieces tbody tr:last-child, .plans tbody tr:last-child { border-bottom: 0; }
  .pieces td[data-name]:not([data-name=Distance])::before, .plans td[data-name]::before { content: attr(data-name) " "; color: var(--soft); font-size: 0.875rem; }
  .plans td:empty { display: none; }
}
@media (prefers-reduced-motion: no-preference) { a, button { transition: color 0.1s, background-color 0.1s; } }
@media print {
  :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #333; --rule: #999; --accent: #000; --ground: #fff; --grid: #ddd; --casing: #fff; }
  .top, .skip, .steps, .switch, .pager, .trail { display: none; }
  .card, .columns > section, .workouts, .pieces, .plans { border-color: #999; break-inside: avoid; }
  .workouts { break-inside: auto; } tr, figure { break-inside: avoid; }
  main { padding: 0; max-width: none; }
  a { text-decoration: none; }
}
`;
