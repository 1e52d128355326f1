import { describe, expect, it } from 'vitest';
import { EVENTS } from '#contract/app/registry';
import { CLIENT_EVENTS } from '#contract/platform/events/socket';
import { allRoutes } from '../../app.ts';
import { closeAfter, startTestMarket } from '../../testing/market.ts';
import type { AsyncApiDocument } from './asyncapi.ts';
import { failuresOf, openApiPath } from './openapi.ts';
import { html } from './shape.ts';

const market = closeAfter(await startTestMarket());

const { get } = market;

/** Every reference in a document, and those that lead nowhere. */
function referencesOf(document: unknown): { all: string[]; broken: string[] } {
  const all = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, path = '']) => path,
  );
  const broken = all.filter((path) => {
    const target = path
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
    return target === undefined;
  });
  return { all, broken };
}

describe('the OpenAPI document', () => {
  it('holds every mounted route and no other, with all it may answer', async () => {
    const { status, body } = await get('/openapi.json');
    expect(status).toBe(200);
    expect(body.openapi).toBe('3.1.1');
    const documented = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const endpoints = allRoutes(market.platform).map(({ endpoint }) => endpoint);
    expect(documented.sort()).toEqual(
      endpoints.map((endpoint) => `${endpoint.method} ${openApiPath(endpoint)}`).sort(),
    );
    for (const endpoint of endpoints) {
      const { responses } = body.paths[openApiPath(endpoint)][endpoint.method.toLowerCase()];
      expect(Object.keys(responses).map(Number)).toEqual([
        endpoint.status,
        ...failuresOf(endpoint),
      ]);
    }
  });

  it('names each call once, and refers to nothing that is not there', async () => {
    const { body } = await get('/openapi.json');
    const ids = Object.values(body.paths).flatMap((methods) =>
      Object.values(methods as Record<string, { operationId: string }>).map(
        ({ operationId }) => operationId,
      ),
    );
    expect(new Set(ids).size).toBe(ids.length);
    const { all, broken } = referencesOf(body);
    expect(all.length).toBeGreaterThan(100);
    expect(broken).toEqual([]);
  });

  it('documents what follows from a call’s form', async () => {
    const { body } = await get('/openapi.json');
    const { put } = body.paths['/orders/{id}'];
    expect(Object.keys(put.responses)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '429',
      '503',
    ]);
    expect(put.security).toEqual([{ bearer: [] }]);
    expect(put.parameters).toHaveLength(2);
    expect(put.parameters).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ in: 'path', name: 'id', required: true }),
        expect.objectContaining({ in: 'header', name: 'Idempotency-Key' }),
      ]),
    );
    expect(put.responses['429'].headers['Retry-After']).toBeDefined();
    const { post } = body.paths['/orders'];
    expect(post.parameters).toMatchObject([{ in: 'header', name: 'Idempotency-Key' }]);
    const readsDeviceId = Object.entries<Record<string, { parameters?: { name: string }[] }>>(
      body.paths,
    ).filter(([, { post }]) => post?.parameters?.some(({ name }) => name === 'X-Device-Id'));
    expect(readsDeviceId.map(([path]) => path).sort()).toEqual([
      '/auth/forgot-password',
      '/auth/login',
      '/auth/passkeys/sign-in',
      '/auth/register',
      '/auth/reset-password',
      '/invites/{token}/accept',
      '/setup',
    ]);
    const upload = body.paths['/uploads'].post.requestBody.content;
    expect(Object.keys(upload)).toEqual(['multipart/form-data']);
  });
});

describe('the AsyncAPI document', () => {
  it('holds every event there is, and refers to nothing that is not there', async () => {
    const { status, body } = await get('/asyncapi.json');
    expect(status).toBe(200);
    const document = body as AsyncApiDocument;
    expect(document.asyncapi).toBe('3.0.0');
    const names = [
      ...Object.keys(EVENTS),
      ...Object.keys(CLIENT_EVENTS).map((name) => `client.${name}`),
    ];
    expect(Object.keys(document.components.messages).sort()).toEqual(names.sort());
    expect(document.operations.sendEvents.messages).toHaveLength(Object.keys(EVENTS).length);
    expect(document.operations.receiveEvents.messages).toHaveLength(
      Object.keys(CLIENT_EVENTS).length,
    );
    expect(referencesOf(document).broken).toEqual([]);
  });
});

describe('the page', () => {
  it('shows every call, event and shape, with nothing that our policy forbids', async () => {
    const { status, headers, body } = await get('/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/html');
    const openApi = (await get('/openapi.json')).body;
    for (const methods of Object.values(openApi.paths)) {
      for (const { operationId } of Object.values(
        methods as Record<string, { operationId: string }>,
      )) {
        expect(body).toContain(`id="${operationId}"`);
      }
    }
    for (const name of Object.keys(EVENTS)) expect(body).toContain(`>${name}</code>`);
    expect(body).not.toMatch(/<script|<style|style="|onclick/);
    const anchors = [...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    for (const id of new Set(anchors)) expect(body).toContain(`id="${id}"`);
  });

  it('has a style sheet of its own, and is not sent again to who has it', async () => {
    const style = await get('/docs.css');
    expect(style.headers.get('content-type')).toContain('text/css');
    const again = await market.call('GET', '/docs.css', {
      headers: {
        'if-none-match': style.headers.get('etag') ?? '',
        // Otherwise fetch adds one that forbids the short answer.
        'cache-control': 'max-age=0',
      },
    });
    expect(again.status).toBe(304);
  });

  it('escapes what it is given', () => {
    expect(html`<b>${'<script>"&\''}</b>${[html`<i></i>`]}`.text).toBe(
      '<b>&lt;script&gt;&quot;&amp;&#39;</b><i></i>',
    );
  });
});
