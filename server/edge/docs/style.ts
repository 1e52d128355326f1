/** The look of the documents' page, in the market's own colours. */
export const DOCS_STYLE = `:root {
  color-scheme: light dark;
  --paper: light-dark(#faf6ec, #17130f);
  --surface: light-dark(#fffdf7, #211b15);
  --ink: light-dark(#1a2b20, #f3ecdc);
  --ink-soft: light-dark(#46544a, #cdc3b0);
  --hairline: light-dark(#e2d9c6, #3a3128);
  --leaf: light-dark(#2c6b39, #8bcb8e);
}
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
body { display: grid; gap: 2rem; max-width: 76rem; margin: auto; padding: 2rem 1rem 6rem; }
h1, h2, h3 { margin: 0 0 .75rem; font-family: ui-serif, Georgia, serif; line-height: 1.2; }
h2, nav { text-transform: capitalize; }
.inside h3 { margin: 1.25rem 0 .25rem; color: var(--ink-soft); font: inherit; }
p { margin: 0 0 .75rem; max-width: 70ch; }
a { color: var(--leaf); }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--leaf); outline-offset: 2px; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: .6rem 0; }
main { display: grid; gap: 3rem; min-width: 0; }
details, article {
  margin-bottom: .5rem;
  background: var(--surface);
  border: 1px solid var(--hairline);
  border-radius: 10px;
}
article, .inside { padding: 1rem; }
.inside { border-top: 1px solid var(--hairline); }
summary { display: flex; flex-wrap: wrap; gap: .25rem .75rem; padding: .6rem 1rem; cursor: pointer; }
.method { min-width: 4.5rem; color: var(--leaf); font: 600 .8rem/2 ui-monospace, monospace; }
.path, .field { font-weight: 600; }
.summary, .note { color: var(--ink-soft); overflow-wrap: anywhere; }
.shape, .refusals { margin: .25rem 0; padding-left: 1rem; list-style: none; }
.shape .shape { border-left: 2px solid var(--hairline); }
.type { margin-left: .35rem; color: var(--leaf); }
.note { margin-left: .35rem; font-size: .9rem; }
@media (min-width: 60rem) {
  body { grid-template-columns: 11rem 1fr; }
  header { grid-column: 1 / -1; }
  nav { position: sticky; top: 1rem; align-self: start; }
  nav ul { display: block; }
  nav a { padding: .2rem 0; }
}
`;
