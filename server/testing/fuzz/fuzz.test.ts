// @long It asks each endpoint in many ways.

import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { Arbitrary } from 'fast-check';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { ROLES } from '#contract/platform/http/constants';
import type { Role } from '#contract/platform/http/http';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { scaled, WAIT_MS } from '../../../testing/until.ts';
import { type Caller, makeCategory, orderInput, productInput, startTestMarket } from '../market.ts';
import { bodyOf, createDocumentCheck } from './documented.ts';
import {
  contentOf,
  type Fuzzed,
  headersOf,
  type Operation,
  oneIn,
  type Party,
  pathOf,
  queryOf,
  readOperations,
} from './fuzz-requests.ts';
import type { Meaning } from './fuzz-values.ts';

// Requests made from the API's own description, right, at the limits and broken, as each role and
// as nobody: whatever comes, the answer is none of our failures, and is one that the description
// knows. The same seed makes the same requests, but for the ids of the market they are sent to. That requests get
// past the access checks of every call, which chance alone cannot promise, is for fuzz-samples.test.ts.

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 3500);
const SEED = Number(process.env.FUZZ_SEED ?? 20_240_617);
const PARTIES: readonly Party[] = ['visitor', ...ROLES];

const callers = {} as Record<Role, Caller>;
/** Ids of what there is, under the name of the field that takes them. */
const known: Record<string, string[]> = {};
const agent = new http.Agent({ keepAlive: true });

const market = await startTestMarket();
const document = (await market.get('/openapi.json')).body;
const check: ReturnType<typeof createDocumentCheck> = createDocumentCheck(document);
const operations: Operation[] = readOperations(document);
const picture: Buffer = await sharp({
  create: { width: 9, height: 9, channels: 3, background: '#7a4' },
})
  .png()
  .toBuffer();
for (const role of ROLES) callers[role] = await market.join(role);
await fillIn();
afterAll(async () => {
  agent.destroy();
  await market.close();
});

/** Puts something of everything on the market, and notes the ids. */
async function fillIn(): Promise<void> {
  const { consumer, farmer, admin } = callers;
  const offers = { acceptsPickup: true, acceptsDelivery: true };
  const farm = { farmName: 'Green Valley', description: 'Good soil.', ...offers };
  await market.put('/users/farmers/profile', farmer, farm);
  // A cut-off, a closed day or a pause, which some requests set, would refuse the orders below.
  await market.delete('/farm/pause', farmer);
  const schedule = { mode: 'notice', cutoff: null, exceptions: [] };
  await market.put('/farm/schedule', farmer, schedule);
  const category = await makeCategory(market.platform, randomUUID());
  const create = async (path: string, as: Caller, body: unknown): Promise<string> => {
    const made = await market.post(path, as, body);
    if (made.status !== 201) {
      throw new Error(`Nothing to fuzz of ${path}: ${JSON.stringify(made.body)}`);
    }
    return made.body.data._id;
  };
  const product = () =>
    create('/products', farmer, productInput(category, { quantityAvailable: 100_000 }));
  // Enough of them that an order seldom names the same one twice.
  const first = await product();
  const products = [first];
  while (products.length < 8) products.push(await product());
  const order = () =>
    create('/orders', consumer, orderInput(farmer.id, [{ product: first, quantity: 1 }]));
  const question = { receiver: farmer.id, content: 'Are they sweet?' };
  const message = await create('/messages', consumer, question);
  const others = [await market.join('consumer'), await market.join('farmer')];
  const people = [consumer, farmer, admin, ...others].map(({ id }) => id);
  Object.assign(known, {
    products,
    orders: [await order(), await order()],
    categories: [category],
    users: others.map(({ id }) => id),
    farmers: [farmer.id],
    people,
    messages: [message],
    emails: [consumer.email, farmer.email, 'nobody@farmgate.test'],
  });
}

const KNOWN_AS: Record<string, string> = {
  farmer: 'farmers',
  product: 'products',
  category: 'categories',
  receiver: 'people',
  userId: 'people',
  relatedOrder: 'orders',
  before: 'messages',
};

/** What fields mean in a call on `path`, so that some requests get past the first look. */
const meaningOn =
  (path: string): Meaning =>
  (name) => {
    if (name === 'email') {
      const fresh = fc.uuid().map((id) => `${id}@farmgate.test`);
      return fc.oneof(fresh, oneKnown('emails'));
    }
    // Nobody deletes the account that sends the requests.
    if (name === 'password' && path === '/users/me') return fc.constant('another password');
    if (name === 'password') return fc.constantFrom('password123', 'another password');
    if (name === 'price') return mostly(2.5, 3);
    if (name === 'expectedVersion') return mostly(undefined, 1);
    if (name === 'quantity') return mostly(2, 1_000_000);
    if (name === 'date') return mostly(addDays(dayIn('UTC'), 20), '2001-05-01');
    if (name === 'phone') return fc.constant('555-0100');
    const kind =
      name !== 'id'
        ? KNOWN_AS[name]
        : path.startsWith('/users/farmers')
          ? 'farmers'
          : path.replace(/^\/admin/, '').split('/')[1];
    return kind === undefined ? undefined : oneKnown(kind).chain(inEitherCase);
  };

const mostly = <T>(usual: T, rare: T): Arbitrary<T> =>
  oneIn([
    [9, fc.constant(usual)],
    [1, fc.constant(rare)],
  ]);

/** An id now and then in upper case, which means the same. */
const inEitherCase = (id: string): Arbitrary<string> => mostly(id, id.toUpperCase());

const oneKnown = (kind: string): Arbitrary<string> =>
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc.nat().map((pick) => known[kind]?.[pick % known[kind].length] ?? ''),
    },
    { weight: 1, arbitrary: fc.uuid({ version: 4 }) },
  );

const requestAs = (party: Party): Arbitrary<Fuzzed> =>
  fc.constantFrom(...operations).chain((operation) => {
    const meaning = meaningOn(operation.path);
    return fc
      .tuple(
        pathOf(operation, meaning),
        queryOf(operation, meaning),
        contentOf(operation, meaning, picture),
        headersOf(operation, () => (party === 'visitor' ? undefined : callers[party].token)),
      )
      .map(([path, query, content, headers]) => ({
        operation,
        path: `${path}${query}`,
        headers: { ...headers, ...content.headers },
        body: content.body,
      }));
  });

function send({ operation, path, headers, body }: Fuzzed) {
  return new Promise<{ status: number; text: string; type: string | undefined }>((done, fail) => {
    const request = http.request(
      `${market.url}`,
      {
        agent,
        method: operation.method,
        path: `/api${path}`,
        headers: { ...headers, ...(body ? { 'content-length': body.length } : {}) },
        timeout: WAIT_MS,
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        const type = response.headers['content-type'];
        response.on('end', () => done({ status: response.statusCode ?? 0, text, type }));
        response.on('error', fail);
      },
    );
    request.on('timeout', () => request.destroy(new Error('No answer.')));
    request.on('error', fail);
    request.end(body);
  });
}

/** How often each call was answered with each status. */
const answered = new Map<string, Map<number, number>>();
/** What must not be, by what was answered, each with the first request that brought it about. */
const faults = new Map<string, string>();

async function tryOne(party: Party, request: Fuzzed): Promise<void> {
  const { method, path } = request.operation;
  const name = `${method} ${path}`;
  try {
    const { status, text, type } = await send(request);
    const counts = answered.get(name) ?? new Map<number, number>();
    answered.set(name, counts.set(status, (counts.get(status) ?? 0) + 1));
    if (status >= 500) throw new Error(`${name} answered ${status}: ${text}`);
    check({ method, path }, { status, body: bodyOf(text, type) });
    await repair(party, request, status);
  } catch (error) {
    const { message } = error as Error;
    if (faults.has(message)) return;
    const body = request.body?.toString('latin1').slice(0, 2000);
    const { headers } = request;
    faults.set(message, JSON.stringify({ party, path: request.path, headers, body }));
  }
}

/** Brings back what a request ended or removed, so that the next ones find something. */
async function repair(party: Party, { operation, headers }: Fuzzed, status: number): Promise<void> {
  const token = party === 'visitor' ? '' : callers[party].token;
  if (status === 401 && token && headers.authorization === `Bearer ${token}`) {
    callers[party as Role] = await market.join(party as Role);
  }
  if (status === 200 && operation.method === 'DELETE') await fillIn();
}

it(`answers ${REQUESTS} generated requests as documented and never with 5xx`, {
  timeout: WAIT_MS + scaled(REQUESTS * 200),
}, async () => {
  const startedAt = Date.now();
  const numRuns = Math.ceil(REQUESTS / PARTIES.length);
  for (const [index, party] of PARTIES.entries()) {
    const property = fc.asyncProperty(requestAs(party), (request) => tryOne(party, request));
    // Of one seed every party would try the same calls.
    await fc.assert(property, { numRuns, seed: SEED + index });
  }
  const totals: Record<string, number> = {};
  for (const counts of answered.values()) {
    for (const [status, count] of counts) totals[status] = (totals[status] ?? 0) + count;
  }
  const sent = Object.values(totals).reduce((sum, count) => sum + count, 0);
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(0);
  console.log(
    `Fuzzed: ${sent} requests on ${answered.size} calls as ${PARTIES.join(', ')}; seed ${SEED}; ` +
      `${seconds} s; by status ${JSON.stringify(totals)}; ${faults.size} faults.`,
  );
  expect(Object.fromEntries(faults)).toEqual({});
  expect(sent).toBeGreaterThanOrEqual(REQUESTS);
  const names = operations.map(({ method, path }) => `${method} ${path}`);
  expect(names.filter((name) => !answered.has(name))).toEqual([]);
});
