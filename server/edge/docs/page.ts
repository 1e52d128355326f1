import type { AsyncApiDocument } from './asyncapi.ts';
import type { OpenApiDocument } from './openapi.ts';
import { describeType, type Html, html, renderShape, type Schema, shapeAnchor } from './shape.ts';

interface Parameter {
  in: string;
  name: string;
  description?: string;
  required?: boolean;
  schema: Schema;
}

interface Body {
  content: Record<string, { schema: Schema }>;
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body & { description: string }>;
}

interface Call extends Operation {
  method: string;
  path: string;
}

const schemaOf = (body: Body | undefined): Schema | undefined =>
  body && Object.values(body.content)[0]?.schema;

const byTag = (document: OpenApiDocument): Map<string, Call[]> => {
  const calls = new Map<string, Call[]>();
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(methods as Record<string, Operation>)) {
      const tag = operation.tags[0] ?? '';
      const call = { ...operation, method: method.toUpperCase(), path };
      calls.set(tag, [...(calls.get(tag) ?? []), call]);
    }
  }
  return calls;
};

function renderParameters(parameters: readonly Parameter[]): Html {
  return html`
    <h3>Parameters</h3>
    <ul class="shape">${parameters.map(
      (parameter) => html`
        <li>
          <code class="field">${parameter.name}</code>
          <span class="type">${describeType(parameter.schema)}</span>
          <span class="note">${parameter.required ? '' : 'optional, '}in the ${parameter.in}</span>
          ${parameter.description ? html`<span class="note">${parameter.description}</span>` : undefined}
        </li>`,
    )}</ul>`;
}

function renderCall(call: Call): Html {
  const body = schemaOf(call.requestBody);
  const answers = Object.entries(call.responses);
  const [done, ...refusals] = answers;
  const answer = done && schemaOf(done[1]);
  return html`
    <details id="${call.operationId}">
      <summary>
        <span class="method">${call.method}</span>
        <code class="path">/api${call.path}</code>
        <span class="summary">${call.summary}</span>
      </summary>
      <div class="inside">
        <p>${call.description}</p>
        ${call.parameters?.length ? renderParameters(call.parameters) : undefined}
        ${body ? html`<h3>Body</h3>${renderShape(body)}` : undefined}
        ${answer ? html`<h3>Answer, ${done[0]}</h3>${renderShape(answer)}` : undefined}
        <h3>Refusals</h3>
        <ul class="refusals">${refusals.map(
          ([status, { description }]) => html`<li><code>${status}</code> ${description}</li>`,
        )}</ul>
      </div>
    </details>`;
}

function renderEvent(
  name: string,
  summary: string,
  direction: 'received' | 'sent',
  schema: Schema | undefined,
): Html {
  return html`
    <details id="${shapeAnchor(name)}">
      <summary>
        <span class="method">${direction}</span>
        <code class="path">${name.replace(/^client\./, '')}</code>
        <span class="summary">${summary}</span>
      </summary>
      <div class="inside">${schema ? renderShape(schema) : undefined}</div>
    </details>`;
}

/**
 * The page that shows both documents: every call, every live event, every shape. It is ours because packages that do so
 * break our content policy, or weigh twenty times as much and fail axe (docs/adr/0028).
 */
export function renderDocs(openApi: OpenApiDocument, asyncApi: AsyncApiDocument): string {
  const calls = byTag(openApi);
  const { messages, schemas } = asyncApi.components;
  const shapes = { ...openApi.components?.schemas, ...schemas } as Record<string, Schema>;
  const named = Object.keys(shapes)
    .filter((name) => !(name in messages))
    .sort();
  return `<!doctype html>${
    html`<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Farmgate API</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/api/docs.css">
  </head>
  <body>
    <header>
      <h1>Farmgate API</h1>
      <p>${openApi.info.description}</p>
      <p>As documents: <a href="/api/openapi.json">OpenAPI</a> and
        <a href="/api/asyncapi.json">AsyncAPI</a>.</p>
    </header>
    <nav aria-label="Contents">
      <ul>
        ${[...calls.keys()].map((tag) => html`<li><a href="#calls-${tag}">${tag}</a></li>`)}
        <li><a href="#live">Live events</a></li>
        <li><a href="#shapes">Shapes</a></li>
      </ul>
    </nav>
    <main>
      ${[...calls].map(
        ([tag, group]) => html`
        <section id="calls-${tag}">
          <h2>${tag}</h2>
          ${group.map(renderCall)}
        </section>`,
      )}
      <section id="live">
        <h2>Live events</h2>
        <p>${asyncApi.info.description}</p>
        ${Object.entries(messages).map(([name, { summary }]) =>
          renderEvent(
            name,
            summary,
            name.startsWith('client.') ? 'sent' : 'received',
            shapes[name],
          ),
        )}
      </section>
      <section id="shapes">
        <h2>Shapes</h2>
        ${named.map(
          (name) => html`
          <article id="${shapeAnchor(name)}">
            <h3>${name}</h3>
            ${renderShape(shapes[name] ?? {})}
          </article>`,
        )}
      </section>
    </main>
  </body>
</html>`.text
  }\n`;
}

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
.shape, .refusals { margin: .25rem 0; padding-inline-start: 1rem; list-style: none; }
.shape .shape { border-inline-start: 2px solid var(--hairline); }
.type { margin-inline-start: .35rem; color: var(--leaf); }
.note { margin-inline-start: .35rem; font-size: .9rem; }
@media (min-width: 60rem) {
  body { grid-template-columns: 11rem 1fr; }
  header { grid-column: 1 / -1; }
  nav { position: sticky; top: 1rem; align-self: start; }
  nav ul { display: block; }
  nav a { padding: .2rem 0; }
}
`;
