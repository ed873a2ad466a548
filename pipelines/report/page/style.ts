/**
 * The page's only stylesheet: paper and ink, numbers in columns, few colours. Every colour comes from a variable, so the dark scheme only
 * sets other values. Text and background have a contrast of 4.5 or more in both.
 */

/** CSS. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f6f5f1; --card: #ffffff; --ink: #1c2420; --soft: #59635d; --rule: #dedcd4; --accent: #1d5c63; --focus: #b3530c;
  --good: #1d6b40; --good-paper: #e4f2e9; --wait: #7a4d05; --wait-paper: #fbf0d9; --bad: #a3261c; --bad-paper: #fbe8e5;
  --a1: #24707a; --a2: #d08a2e; --a3: #7d9a4f; --a4: #8a5f8f; --a5: #a3a79f;
  --ground: #eceee6; --grid: #d3d8cb; --place: #b4442a; --land: #b9c0b0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181a; --card: #1c2225; --ink: #e5e9e6; --soft: #a6b0aa; --rule: #323a3d; --accent: #8ccbd0; --focus: #ffb266;
    --good: #93dbb0; --good-paper: #17301f; --wait: #f0c67c; --wait-paper: #37290f; --bad: #ffb3aa; --bad-paper: #3d1d19;
    --a1: #4da3ad; --a2: #e3a552; --a3: #a3bf76; --a4: #b78fbb; --a5: #7f8783;
    --ground: #1f2629; --grid: #303a3d; --place: #f08f72; --land: #4c5654;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1, h2, h3, p, dl, dd, ul, ol, figure, table { margin: 0; }
h1, h2, h3, p, li, dd, summary, figcaption { overflow-wrap: anywhere; }
h1 { font-size: 1.9rem; line-height: 1.2; letter-spacing: -0.02em; text-wrap: balance; }
h2 { font-size: 1.25rem; line-height: 1.3; letter-spacing: -0.01em; }
h3 { font-size: 1rem; line-height: 1.4; }
code { font: 0.9em ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
header, main, footer { max-width: 66rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 2rem; display: grid; gap: 0.375rem; }
main { padding-top: 1.5rem; padding-bottom: 2rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 2.25rem; }
footer { padding-bottom: 3rem; color: var(--soft); font-size: 0.875rem; display: grid; gap: 0.375rem; }
section { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.875rem; }
section > p { max-width: 44rem; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
.kicker { color: var(--soft); font-size: 0.875rem; }
.muted { color: var(--soft); font-weight: 400; }
.small { font-size: 0.875rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.card { background: var(--card); border: 1px solid var(--rule); border-radius: 10px; padding: 1rem 1.125rem; }

.answers { display: grid; gap: 0.75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); }
.answer { border-radius: 10px; padding: 0.875rem 1.125rem 1rem; display: grid; gap: 0.125rem; align-content: start; }
.answer h2 { font-size: 0.875rem; font-weight: 500; letter-spacing: 0; }
.answer .word { font-size: 1.375rem; font-weight: 650; letter-spacing: -0.01em; line-height: 1.3; }
.answer p { color: var(--ink); font-size: 0.9375rem; }
.good { background: var(--good-paper); color: var(--good); } .wait { background: var(--wait-paper); color: var(--wait); } .bad { background: var(--bad-paper); color: var(--bad); }
.todo { display: grid; gap: 0.75rem; padding: 0; list-style: none; counter-reset: todo; }
.todo li { counter-increment: todo; display: grid; grid-template-columns: 1.75rem minmax(0, 1fr); gap: 0.625rem; align-items: start; }
.todo li::before { content: counter(todo); display: grid; place-items: center; width: 1.75rem; height: 1.75rem; border-radius: 50%; background: var(--accent); color: var(--card); font-size: 0.875rem; font-weight: 600; }
.todo b { display: block; font-weight: 600; } .todo b::first-letter { text-transform: uppercase; }

.figures { display: flex; flex-wrap: wrap; gap: 0.75rem 2.5rem; }
.figures dt { font-size: 0.875rem; color: var(--soft); }
.figures dd { font-size: 1.75rem; line-height: 1.2; font-weight: 600; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.pair { display: grid; gap: 1.5rem 2.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); align-items: start; }
.key { display: inline-block; width: 0.75rem; height: 0.75rem; border-radius: 3px; vertical-align: -0.0625rem; background: var(--a5); }
.key.a1 { background: var(--a1); } .key.a2 { background: var(--a2); } .key.a3 { background: var(--a3); } .key.a4 { background: var(--a4); }
rect.a1 { fill: var(--a1); } rect.a2 { fill: var(--a2); } rect.a3 { fill: var(--a3); } rect.a4 { fill: var(--a4); } rect.a5 { fill: var(--a5); }
.legend { list-style: none; padding: 0.375rem 0 0; display: flex; flex-wrap: wrap; gap: 0.125rem 1.125rem; font-size: 0.875rem; color: var(--soft); }
.plot { display: flex; }
.plot .scale { flex: 0 0 2.5rem; width: 2.5rem; margin-right: 0.5rem; }
.plot .area { flex: 1 1 auto; min-width: 0; overflow: visible; }
.plot text { font-size: 12px; fill: var(--soft); font-variant-numeric: tabular-nums; }
.plot .grid { stroke: var(--rule); stroke-width: 1; } .plot .tick { stroke: var(--soft); stroke-width: 1; }

.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: 0.9375rem; }
caption { text-align: left; font-weight: 600; padding: 0 0 0.375rem; }
th, td { text-align: right; padding: 0.3125rem 0.5rem; border-bottom: 1px solid var(--rule); vertical-align: baseline; white-space: nowrap; }
thead th { font-size: 0.8125rem; font-weight: 500; color: var(--soft); }
tbody th { font-weight: 500; }
tfoot > tr > * { font-weight: 600; border-bottom: 0; }
th:first-child, td:first-child { text-align: left; padding-left: 0; } th:last-child, td:last-child { padding-right: 0; }
th.text, td.text { text-align: left; white-space: normal; overflow-wrap: anywhere; }
.ledger td { font-size: 1rem; min-width: 3.25rem; } .ledger .none { color: var(--soft); } .ledger tbody th { white-space: normal; }
.ledger thead th { white-space: normal; overflow-wrap: anywhere; vertical-align: bottom; min-width: 4.5rem; max-width: 13rem; }
.ledger thead th:nth-child(2) { min-width: 3rem; } .ledger thead th:last-child { min-width: 5rem; } .ledger td:nth-child(2) { font-weight: 600; }
.means { display: block; font-size: 0.8125rem; font-weight: 400; color: var(--soft); }
.less { color: var(--bad); font-weight: 600; }

.maps { display: grid; gap: 1rem 1.25rem; grid-template-columns: repeat(6, minmax(0, 1fr)); align-items: start; }
.main-map, .world { grid-column: span 6; } .inset { grid-column: span 2; }
.world { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem; }
.map svg { display: block; width: 100%; height: auto; background: var(--ground); border-radius: 8px; }
.map figcaption { font-size: 0.875rem; padding-top: 0.375rem; }
.map figcaption b { display: inline-grid; place-items: center; min-width: 1.375rem; height: 1.375rem; padding: 0 0.25rem; margin-right: 0.25rem; border-radius: 1rem; background: var(--place); color: var(--card); font-size: 0.75rem; }
.map .grid { fill: none; stroke: var(--grid); stroke-width: 1; }
.map text { font-size: 11px; fill: var(--ink); } .map text.degree { fill: var(--soft); font-size: 10px; }
.map .bar { fill: none; stroke: var(--ink); stroke-width: 1.5; }
.place { fill: var(--place); fill-opacity: 0.42; stroke: var(--place); stroke-opacity: 0.9; stroke-width: 1; }
.land { fill: none; stroke: var(--land); stroke-width: 2.2; stroke-linecap: round; }
.mark { fill: var(--place); fill-opacity: 0.35; stroke: var(--place); stroke-width: 1.5; }
.map text.count { font-size: 12px; font-weight: 600; paint-order: stroke; stroke: var(--ground); stroke-opacity: 0.6; stroke-width: 2px; }

details { border-top: 1px solid var(--rule); }
details:last-of-type { border-bottom: 1px solid var(--rule); }
summary { cursor: pointer; padding: 0.625rem 0; font-weight: 500; }
details[open] > summary { padding-bottom: 0.375rem; }
details > :last-child:not(summary) { margin-bottom: 1rem; }
.records { list-style: none; padding: 0; display: grid; gap: 0.5rem; }
.records li { display: grid; gap: 0; padding-left: 0.875rem; border-left: 3px solid var(--rule); }
.records .where { font-weight: 500; font-size: 0.9375rem; } .records .why { color: var(--soft); font-size: 0.875rem; }
.advice { padding: 0 0 0.625rem; max-width: 44rem; }
.losses { display: flex; flex-wrap: wrap; gap: 0.375rem; padding: 0; list-style: none; }
.losses li { background: var(--card); border: 1px solid var(--rule); border-radius: 1rem; padding: 0.0625rem 0.6875rem; font-size: 0.875rem; }
.losses b { font-weight: 600; font-variant-numeric: tabular-nums; }
.facts { display: grid; gap: 0.25rem; } .facts > div { display: grid; grid-template-columns: minmax(7rem, 12rem) minmax(0, 1fr); gap: 0.75rem; }
.facts dt { color: var(--soft); }

@media (min-width: 52rem) {
  .main-map { grid-column: span 4; } .maps:not(:has(.world)) .main-map { grid-column: span 6; max-width: 46rem; }
  .world { grid-column: span 2; }
}
@media (max-width: 40rem) {
  h1 { font-size: 1.5rem; } header { padding-top: 1.25rem; } main { gap: 1.75rem; }
  .figures { gap: 0.5rem 1.5rem; } .figures dd { font-size: 1.375rem; }
  .minor { display: none; } .wide { display: none; }
  .inset { grid-column: span 3; }
  .map text, .map text.count { font-size: 22px; } .map text.degree { font-size: 20px; } .inset .map text.degree { display: none; }
  th, td { padding-left: 0.3125rem; padding-right: 0.3125rem; }
  .facts > div { grid-template-columns: minmax(0, 1fr); gap: 0; }
}
@media print {
  :root { --paper: #ffffff; }
  body { font-size: 10.5pt; } main { gap: 1.25rem; } .card { border: 0; padding: 0; }
  section, figure, tr, .answer { break-inside: avoid; } section:has(details, table) { break-inside: auto; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
