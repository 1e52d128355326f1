/** The look of the documents' page, in the market's own colours. */
export const DOCS_STYLE = `:root {
  color-scheme: light dark;
  --paper: light-dark(#faf6ec, #17130f);
  --surface: light-dark(#fffdf7, #211b15);
  --ink: light-dark(#1a2b20, #f3ecdc);
  --ink-soft: light-dark(#46544a, #cdc3b0);
  --hairline: light-dark(#e2d9c6, #3a3128);
  --leaf: light-dark(#2c6b39, #8bcb8e);
  --leaf-soft: light-dark(#e2eeda, #233120);
  --leaf-ink: light-dark(#1f5229, #b8e1b5);
  --tomato-soft: light-dark(#fbe5dc, #3b1f17);
  --tomato-ink: light-dark(#8f2a17, #f9bdab);
  --straw-soft: light-dark(#faefcb, #342a14);
  --straw-ink: light-dark(#684b00, #efd08a);
  --sky-soft: light-dark(#e0ecf7, #1b2b3d);
  --sky-ink: light-dark(#174c84, #b3d4f6);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0 auto;
  max-width: 76rem;
  padding: 2rem 1rem 6rem;
  display: grid;
  gap: 2rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.6 ui-sans-serif, system-ui, sans-serif;
}
h1, h2, h3 { font-family: ui-serif, Georgia, serif; line-height: 1.2; }
h1 { margin: 0 0 .5rem; font-size: 2.25rem; }
h2 { margin: 0 0 .75rem; font-size: 1.5rem; text-transform: capitalize; }
h3 { margin: 0 0 .5rem; font-size: 1.1rem; }
h4 { margin: 1.25rem 0 .25rem; font-size: .9rem; color: var(--ink-soft); }
p { margin: 0 0 .5rem; max-width: 70ch; }
a { color: var(--leaf); }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--leaf); outline-offset: 2px; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
nav ul { margin: 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
nav a { display: block; padding: .6rem 0; text-transform: capitalize; }
main { display: grid; gap: 3rem; min-width: 0; }
section > p { margin-bottom: 1rem; }
details, article {
  background: var(--surface);
  border: 1px solid var(--hairline);
  border-radius: 10px;
  margin-bottom: .5rem;
}
article { padding: 1rem; }
summary {
  display: flex;
  flex-wrap: wrap;
  gap: .25rem .75rem;
  align-items: baseline;
  min-height: 44px;
  padding: .6rem 1rem;
  cursor: pointer;
}
.inside { padding: 0 1rem 1rem; border-top: 1px solid var(--hairline); padding-top: .75rem; }
.method {
  min-width: 4.5rem;
  padding: .1rem .5rem;
  border-radius: 5px;
  font: 600 .8rem/1.5 ui-monospace, monospace;
  text-align: center;
}
.get, .received { background: var(--leaf-soft); color: var(--leaf-ink); }
.post { background: var(--sky-soft); color: var(--sky-ink); }
.put, .sent { background: var(--straw-soft); color: var(--straw-ink); }
.delete { background: var(--tomato-soft); color: var(--tomato-ink); }
.path { font-weight: 600; }
.summary { color: var(--ink-soft); }
.shape, .refusals { margin: .25rem 0; padding-left: 1rem; list-style: none; }
.shape .shape { border-left: 2px solid var(--hairline); margin: .15rem 0 .35rem; }
.field { font-weight: 600; }
.type { margin-left: .35rem; color: var(--leaf-ink); }
.note { margin-left: .35rem; font-size: .9rem; color: var(--ink-soft); overflow-wrap: anywhere; }
.note:empty { display: none; }
@media (min-width: 60rem) {
  body { grid-template-columns: 11rem 1fr; }
  header { grid-column: 1 / -1; }
  nav { position: sticky; top: 1rem; align-self: start; }
  nav ul { flex-direction: column; }
  nav a { padding: .2rem 0; }
}
`;
