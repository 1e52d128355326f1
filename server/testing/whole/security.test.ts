import { randomUUID } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Caller,
  makeCategory,
  productInput,
  startTestMarket,
  type TestMarket,
} from '../market.ts';

/** The same behind TLS. */

const market = await startTestMarket();
const secure = await startTestMarket({ PUBLIC_URL: 'https://farm.test' });
const farmer = await market.join('farmer');
const body = productInput(await makeCategory(market.platform));
const product: string = (await market.post('/products', farmer, body)).body.data._id;
afterAll(async () => {
  await market?.close();
  await secure?.close();
});

describe('security headers', () => {
  /** Every kind of answer there is: from memory, from the app, refusals, files, no API at all. */
  const paths = (): [string, string][] => [
    ['GET', '/api/products'],
    ['GET', '/api/products'],
    ['GET', `/api/products/${product}`],
    ['GET', '/api/nowhere'],
    ['GET', '/api/auth/me'],
    ['POST', '/api/auth/login'],
    ['OPTIONS', '/api/products'],
    ['OPTIONS', '/api/orders'],
    ['GET', '/api/openapi.json'],
    ['GET', '/api/docs'],
    ['GET', '/uploads/nothing.webp'],
    ['GET', '/healthz'],
    ['GET', '/readyz'],
    ['GET', '/admin/queues/api/queues'],
    ['GET', '/'],
    ['GET', '/%'],
  ];

  /** What no browser shows as a page. */
  const isData = ([, path]: [string, string]) => path.startsWith('/api/') && path !== '/api/docs';

  const ask = (at: TestMarket, [method, path]: [string, string]) =>
    fetch(at.url + path, {
      method,
      redirect: 'manual',
      headers: {
        origin: 'https://evil.test',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization',
      },
    });

  it('are set on every response', async () => {
    for (const what of paths()) {
      const { headers } = await ask(market, what);
      const name = what.join(' ');
      expect(headers.get('x-content-type-options'), name).toBe('nosniff');
      expect(headers.get('x-powered-by'), name).toBeNull();
      const policy = headers.get('content-security-policy') ?? '';
      if (isData(what)) {
        expect(policy, name).toBe("default-src 'none';frame-ancestors 'none'");
        continue;
      }
      expect(headers.get('cross-origin-opener-policy'), name).toBe('same-origin');
      expect(headers.get('cross-origin-resource-policy'), name).toBe('same-origin');
      expect(headers.get('x-frame-options'), name).toBe('SAMEORIGIN');
      expect(headers.get('referrer-policy'), name).toBe('same-origin');
      expect(policy, name).toContain("default-src 'none'");
      expect(policy, name).toContain("script-src 'self';");
      expect(policy, name).toContain("style-src 'self';");
      expect(policy, name).toContain("frame-ancestors 'none'");
      expect(policy, name).not.toMatch(/unsafe|\*/);
    }
  });

  it('allow no other origin', async () => {
    for (const what of paths()) {
      const { headers } = await ask(market, what);
      const opened = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
      expect(opened, what.join(' ')).toEqual([]);
    }
  });

  it('include HSTS only over TLS', async () => {
    for (const what of paths()) {
      const plain = await ask(market, what);
      expect(plain.headers.get('strict-transport-security')).toBeNull();
      const { headers } = await ask(secure, what);
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
      if (isData(what)) continue;
      expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests');
      expect(headers.get('content-security-policy')).toContain('wss://farm.test');
    }
  });

  it('forbid caching of personal responses', async () => {
    const as = await market.join('consumer');
    for (const path of ['/auth/me', '/orders/consumer', '/messages', '/notifications']) {
      const { headers } = await market.get(path, as);
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('a token', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

  let someone: Caller;
  let another: Caller;
  beforeAll(async () => {
    [someone, another] = [await market.join('farmer'), await market.join('farmer')];
  });

  const session = () => decodeJwt(someone.token).sid;
  const sign = (claims: Record<string, unknown>, alg = 'HS256', secret = market.env.JWT_SECRET) =>
    new SignJWT({ sub: someone.id, v: 1, sid: session(), exp: inAnHour(), ...claims })
      .setProtectedHeader({ alg })
      .sign(bytes(secret));

  const forgeries: [string, () => Promise<string> | string][] = [
    [
      'without a signature',
      () =>
        `${part({ alg: 'none' })}.${part({ sub: someone.id, v: 1, sid: session(), exp: inAnHour() })}.`,
    ],
    ['whose signature was cut off', () => `${someone.token.split('.').slice(0, 2).join('.')}.`],
    [
      'with the algorithm "none" and a valid signature',
      () => `${part({ alg: 'none' })}.${someone.token.split('.').slice(1).join('.')}`,
    ],
    ['of another algorithm of the same family', () => sign({}, 'HS512')],
    [
      'signed with another key',
      () => sign({}, 'HS256', 'another secret of at least 32 characters'),
    ],
    ['signed with nothing', () => sign({}, 'HS256', ' ')],
    ['that is over', () => sign({ exp: Math.floor(Date.now() / 1000) - 1 })],
    ['that counts only later', () => sign({ nbf: inAnHour() })],
    ['that never ends', () => sign({ exp: undefined })],
    ['of nobody', () => sign({ sub: randomUUID() })],
    ['of no id', () => sign({ sub: "' OR 1=1 --" })],
    ['without a subject', () => sign({ sub: undefined })],
    ['of an earlier password', () => sign({ v: 0 })],
    ['of a password to come', () => sign({ v: 2 })],
    ['of no session', () => sign({ sid: undefined })],
    ['of a session that is none', () => sign({ sid: randomUUID() })],
    ['of the session of somebody else', () => sign({ sid: decodeJwt(another.token).sid })],
    ['without a version', () => sign({ v: undefined })],
    ['whose version is a text', () => sign({ v: '1' })],
    [
      'with the claims of another token',
      () => {
        const [head, , signature] = someone.token.split('.');
        return [
          head,
          part({ sub: someone.id, v: 1, sid: session(), exp: inAnHour(), role: 'admin' }),
          signature,
        ].join('.');
      },
    ],
  ];

  it.each(forgeries)('%s is rejected', async (_, forge) => {
    const as = { ...someone, token: await forge() };
    const me = await market.get('/auth/me', as);
    expect(me).toMatchObject({ status: 401, body: { success: false, code: 'UNAUTHORIZED' } });
    // Where all may look it is as good as none, whether the answer is cached or computed.
    for (const query of ['', `?${randomUUID()}`]) {
      expect((await market.get(`/products/${product}${query}`, as)).status).toBe(200);
    }
  });

  it('grants nothing for additional claims', async () => {
    const token = await sign({ role: 'admin', isAdmin: true, admin: true });
    const as = { ...someone, token };
    expect((await market.get('/auth/me', as)).body.user.role).toBe('farmer');
    expect((await market.get('/users', as)).status).toBe(403);
  });

  it('that has ended no longer shows what only its owner sees', async () => {
    const owner = await market.join('farmer');
    const body = productInput(await makeCategory(market.platform), { isActive: false });
    const own = (await market.post('/products', owner, body)).body.data._id;
    expect((await market.get(`/products/${own}`, owner)).status).toBe(200);
    const ended = { ...owner, token: `${owner.token.slice(0, -4)}AAAA` };
    expect((await market.get(`/products/${own}`, ended)).status).toBe(404);
  });

  it('is revoked with its account, and the sockets are closed', async () => {
    const admin = await market.join('admin');
    const victim = await market.join('consumer');
    const credentials = { email: victim.email, password: 'password123' };
    const second = await market.call('POST', '/auth/login', { body: credentials });
    const tokens = [victim.token, second.body.token];
    const sockets = await Promise.all(tokens.map((token) => market.connect({ token })));
    const closed = sockets.map(
      (socket) => new Promise((resolve) => socket.once('disconnect', resolve)),
    );
    await market.delete(`/users/${victim.id}`, admin);
    for (const token of tokens) {
      const as = { ...victim, token };
      expect((await market.get('/auth/me', as)).status).toBe(401);
    }
    await Promise.all(closed);
    expect((await market.call('POST', '/auth/login', { body: credentials })).status).toBe(401);
  });
});
