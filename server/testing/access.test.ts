import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint, Role } from '#contract/http';
import { ROLES } from '#contract/http';
import { allRoutes } from '../app.ts';
import { hashSecretToken } from '../process/secret-token.ts';
import { createDocumentCheck } from './documented.ts';
import { type Caller, makeCategory, orderInput, productInput, startTestMarket } from './market.ts';
import { pictureForm } from './upload-picture.ts';

// Every route × every role × visitor, owner and stranger. What must come out follows from the
// endpoint's own access; a route without a sample, or an owned record without a word on what
// strangers get, fails here.

type Party = Role | 'visitor';

interface Input {
  /** What stands in the path in the place of its one parameter. */
  id?: string;
  body?: unknown;
  form?: FormData;
}

interface Sample {
  /** Makes what is called on, anew for each try. `party` is who calls it. */
  input?: (party: Party) => Input | Promise<Input>;
  /** What somebody of this role gets who has nothing to do with the record. */
  stranger?: Partial<Record<Role, number>>;
}

// Up before the tests are listed, since its routes are what they are listed from.
const market = await startTestMarket();
const endpoints = allRoutes(market.platform).map(({ endpoint }) => endpoint);

let check: ReturnType<typeof createDocumentCheck>;
let category: string;
let product: string;
const own = {} as Record<Role, Caller>;
const strangers = {} as Record<Role, Caller>;

const account = () => ({
  name: 'Somebody',
  email: `${randomBytes(8).toString('hex')}@farmgate.test`,
  password: 'password123',
});

async function newProduct(): Promise<string> {
  const body = productInput(category);
  return (await market.call('POST', '/products', { as: own.farmer, body })).body.data._id;
}

async function newOrder(): Promise<string> {
  const body = orderInput(own.farmer.id, [{ product, quantity: 1 }]);
  return (await market.call('POST', '/orders', { as: own.consumer, body })).body.data._id;
}

const newCategory = () => makeCategory(market.platform, randomUUID());
const otherParty = (party: Party) => (party === 'consumer' ? own.farmer.id : own.consumer.id);
const push = {
  endpoint: 'https://push.test/somebody',
  keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) },
};

const SAMPLES: Record<string, Sample> = {
  'POST /auth/register': { input: () => ({ body: account() }) },
  'POST /auth/login': {
    input: () => ({ body: { email: own.consumer.email, password: 'password123' } }),
  },
  'GET /auth/me': {},
  'POST /auth/forgot-password': { input: () => ({ body: { email: own.consumer.email } }) },
  'POST /auth/reset-password': {
    input: async () => {
      const { id: userId } = await market.join('consumer');
      const token = randomUUID();
      const expiresAt = new Date(Date.now() + 60_000);
      const data = { userId, expiresAt, tokenHash: hashSecretToken(token) };
      await market.platform.db.passwordReset.create({ data });
      return { body: { token, password: 'brand new' } };
    },
  },

  'GET /users/farmers': {},
  'GET /users/farmers/:id': { input: () => ({ id: own.farmer.id }) },
  'PUT /users/farmers/profile': {
    input: () => ({ body: { farmName: 'Green Valley', description: 'Good soil.' } }),
  },

  'PUT /users/profile': { input: () => ({ body: { name: 'Somebody' } }) },
  'GET /users': {},
  'DELETE /users/:id': { input: async () => ({ id: (await market.join('consumer')).id }) },

  'POST /client-errors': { input: () => ({ body: { message: 'It broke.' } }) },

  'GET /categories': {},
  'GET /market': {},
  'POST /categories': { input: () => ({ body: { name: randomUUID() } }) },
  'PUT /categories/:id': {
    input: async () => ({ id: await newCategory(), body: { name: randomUUID() } }),
  },
  'DELETE /categories/:id': { input: async () => ({ id: await newCategory() }) },

  'GET /products': {},
  'GET /products/facets': {},
  'GET /products/farmer/me': {},
  'GET /products/:id': { input: () => ({ id: product }) },
  'POST /products': { input: () => ({ body: productInput(category) }) },
  'PUT /products/:id': {
    input: () => ({ id: product, body: { name: 'Best carrots' } }),
    stranger: { farmer: 403 },
  },
  'PUT /products/stock': { input: () => ({ body: { changes: [{ product, price: 3 }] } }) },
  'DELETE /products/:id': {
    input: async () => ({ id: await newProduct() }),
    stranger: { farmer: 403 },
  },
  'PUT /products/:id/hiding': {
    input: async () => ({ id: await newProduct(), body: { hidden: true, reason: 'A mistake.' } }),
  },

  'POST /orders': {
    input: () => ({ body: orderInput(own.farmer.id, [{ product, quantity: 1 }]) }),
  },
  'GET /orders/consumer': {},
  'GET /orders/farmer': {},
  'GET /orders/stats/farmer': {},
  'GET /orders/stats/farmer/pending': {},
  'GET /orders': {},
  'GET /orders/:id': {
    input: async () => ({ id: await newOrder() }),
    stranger: { consumer: 404, farmer: 404 },
  },
  'POST /orders/:id/again': {
    input: async () => ({ id: await newOrder() }),
    stranger: { consumer: 404 },
  },
  'PUT /orders/status': {
    input: async () => ({ body: { ids: [await newOrder()], status: 'accepted' } }),
  },
  'PUT /orders/:id': {
    input: async (party) => ({
      id: await newOrder(),
      body: { status: party === 'consumer' ? 'cancelled' : 'accepted' },
    }),
    stranger: { consumer: 404, farmer: 404 },
  },

  'POST /messages': {
    input: (party) => ({ body: { receiver: otherParty(party), content: 'Hello' } }),
    stranger: { consumer: 201, farmer: 404 },
  },
  'GET /messages': {},
  // A consumer may write to any farmer, and so open a thread that is still empty.
  'GET /messages/:userId': {
    input: (party) => ({ id: otherParty(party) }),
    stranger: { consumer: 200, farmer: 404 },
  },
  'PUT /messages/read/:userId': {
    input: (party) => ({ id: otherParty(party) }),
    stranger: { consumer: 200, farmer: 404 },
  },

  'GET /notifications': {},
  'PUT /notifications/read': { input: () => ({ body: {} }) },
  'GET /notifications/preferences': {},
  'PUT /notifications/preferences': { input: () => ({ body: {} }) },
  'GET /notifications/push-key': {},
  'POST /notifications/push-subscriptions': { input: () => ({ body: push }) },
  'DELETE /notifications/push-subscriptions': {
    input: () => ({ body: { endpoint: push.endpoint } }),
  },

  'POST /uploads': {
    input: async () => ({ form: await pictureForm() }),
  },

  'POST /admin/queues-session': {},
  'GET /admin/stats': {},
  'GET /admin/feed': {},
  'GET /admin/audit': {},
  'GET /admin/orders/:id/notes': { input: async () => ({ id: await newOrder() }) },
  'POST /admin/orders/:id/notes': {
    input: async () => ({ id: await newOrder(), body: { content: 'They called.' } }),
  },
  'GET /admin/orders/:id/messages': { input: async () => ({ id: await newOrder() }) },
  'GET /admin/users/:id': { input: () => ({ id: own.farmer.id }) },
  'GET /admin/users/:id/orders': { input: () => ({ id: own.consumer.id }) },
  'GET /admin/users/:id/products': { input: () => ({ id: own.farmer.id }) },
  'GET /admin/exports/orders': {},
  'GET /admin/exports/users': {},
  'GET /admin/exports/audit': {},
};

/** What admins write as everybody does, about nobody but themselves. */
const OWN_MATTERS = new Set([
  'PUT /users/profile',
  'POST /messages',
  'PUT /messages/read/:userId',
  'PUT /notifications/read',
  'PUT /notifications/preferences',
  'POST /notifications/push-subscriptions',
  'DELETE /notifications/push-subscriptions',
]);

beforeAll(async () => {
  for (const role of ROLES) {
    own[role] = await market.join(role);
    strangers[role] = await market.join(role);
  }
  category = await newCategory();
  product = await newProduct();
  // The owner's consumer and farmer know each other.
  await newOrder();
  const body = { receiver: own.farmer.id, content: 'Are the carrots sweet?' };
  await market.call('POST', '/messages', { as: own.consumer, body });
  check = createDocumentCheck((await market.call('GET', '/openapi.json')).body);
});
afterAll(() => market.close());

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const mayEnter = ({ access }: Endpoint, party: Party) =>
  typeof access === 'string' || (party !== 'visitor' && access.includes(party));

async function tryIt(endpoint: Endpoint, party: Party, as: Caller | undefined) {
  const { id, body, form } = (await SAMPLES[nameOf(endpoint)]?.input?.(party)) ?? {};
  const response = await fetch(
    `${market.url}/api${endpoint.path.replace(/:\w+/, () => id ?? 'missing')}`,
    {
      method: endpoint.method,
      headers: {
        ...(as ? { authorization: `Bearer ${as.token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: form ?? (body === undefined ? null : JSON.stringify(body)),
    },
  );
  const answer = { status: response.status, body: await response.json() };
  check(endpoint, answer);
  return answer;
}

it('has a sample for every route and for no other', () => {
  expect(Object.keys(SAMPLES).sort()).toEqual(endpoints.map(nameOf).sort());
});

for (const endpoint of endpoints) {
  const { access, path, status } = endpoint;
  const { stranger = {} } = SAMPLES[nameOf(endpoint)] ?? {};

  describe(nameOf(endpoint), () => {
    it.each(['visitor', ...ROLES] as const)(
      'answers a %s as its access declares',
      async (party) => {
        const answer = await tryIt(endpoint, party, party === 'visitor' ? undefined : own[party]);
        const refusal = party === 'visitor' ? 401 : 403;
        expect(answer.status).toBe(mayEnter(endpoint, party) ? status : refusal);
      },
    );

    it('rejects a forged token unless it is public', async () => {
      const forged = { ...own.admin, token: `${own.admin.token.slice(0, -4)}AAAA` };
      const answer = await tryIt(endpoint, 'admin', forged);
      expect(answer.status).toBe(typeof access === 'string' ? status : 401);
    });

    const isAdminsWrite = typeof access !== 'string' && access.includes('admin');
    if (endpoint.method !== 'GET' && isAdminsWrite && !OWN_MATTERS.has(nameOf(endpoint))) {
      it("audits the admin's action", async () => {
        const { auditEntry } = market.platform.db;
        const before = await auditEntry.count({ where: { adminId: own.admin.id } });
        expect((await tryIt(endpoint, 'admin', own.admin)).status).toBe(status);
        expect(await auditEntry.count({ where: { adminId: own.admin.id } })).toBe(before + 1);
      });
    }

    for (const [role, expected] of Object.entries(stranger) as [Role, number][]) {
      it(`answers ${expected} to a ${role} who is not a party`, async () => {
        expect((await tryIt(endpoint, role, strangers[role])).status).toBe(expected);
      });
    }

    if (!path.includes(':')) return;

    it('has an expected status for every role that is not a party', () => {
      const callers = typeof access === 'string' ? [] : access.filter((role) => role !== 'admin');
      expect(Object.keys(stranger)).toEqual(expect.arrayContaining(callers));
    });

    it('returns 404 for an invalid id', async () => {
      const role = ROLES.find((candidate) => mayEnter(endpoint, candidate)) ?? 'admin';
      const answer = await market.call(endpoint.method, path.replace(/:\w+/, 'no-id'), {
        as: own[role],
      });
      expect(answer).toMatchObject({ status: 404, body: { success: false, code: 'NOT_FOUND' } });
      check(endpoint, answer);
    });
  });
}
