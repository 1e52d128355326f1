import { randomUUID } from 'node:crypto';
import http from 'node:http';
import fc, { type Arbitrary } from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Endpoint, ROLES, type Role } from '#contract/platform';
import type { Schema } from './docs/shape.ts';
import { createDocumentCheck, type DocumentedApi } from './testing/documented.ts';
import {
  boundaryValue,
  brokenBody,
  type Meaning,
  nastyValue,
  validValue,
} from './testing/fuzz-values.ts';
import {
  type Caller,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
  type TestMarket,
} from './testing/market.ts';

// Requests made from the API's own description, right, at the limits and broken, as each role and
// as nobody: whatever comes, the answer is none of our failures, and is one that the description
// knows. The same seed makes the same requests, but for the ids of the market they are sent to.

type Party = Role | 'visitor';

interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  schema: Schema;
}

interface Operation {
  method: Endpoint['method'];
  path: string;
  parameters: Parameter[];
  body: Schema | undefined;
  isMultipart: boolean;
}

interface Fuzzed {
  operation: Operation;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1500);
const SEED = Number(process.env.FUZZ_SEED ?? 20_240_617);
const PARTIES: readonly Party[] = ['visitor', ...ROLES];

let market: TestMarket;
let check: ReturnType<typeof createDocumentCheck>;
let operations: Operation[];
let picture: Buffer;
const callers = {} as Record<Role, Caller>;
/** Ids of what there is, under the name of the field that takes them. */
const known: Record<string, string[]> = {};
const agent = new http.Agent({ keepAlive: true });

beforeAll(async () => {
  market = await startTestMarket();
  const document = (await market.call('GET', '/openapi.json')).body;
  check = createDocumentCheck(document);
  operations = readOperations(document);
  picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#7a4' } })
    .png()
    .toBuffer();
  for (const role of ROLES) callers[role] = await market.join(role);
  await furnish();
});
afterAll(async () => {
  agent.destroy();
  await market.close();
});

/** Puts something of everything on the market, and notes the ids. */
async function furnish(): Promise<void> {
  const { consumer, farmer, admin } = callers;
  const offers = { acceptsPickup: true, acceptsDelivery: true };
  const farm = { farmName: 'Green Valley', description: 'Good soil.', ...offers };
  await market.call('PUT', '/users/farmers/profile', { as: farmer, body: farm });
  const category = await makeCategory(market.platform, randomUUID());
  const product = async (): Promise<string> => {
    const body = productInput(category, { quantityAvailable: 100_000 });
    return (await market.call('POST', '/products', { as: farmer, body })).body.data._id;
  };
  // Enough of them that an order seldom names the same one twice.
  const first = await product();
  const products = [first];
  while (products.length < 8) products.push(await product());
  const order = async () => {
    const body = orderInput(farmer.id, [{ product: first, quantity: 1 }]);
    return (await market.call('POST', '/orders', { as: consumer, body })).body.data._id;
  };
  const send = { receiver: farmer.id, content: 'Are they sweet?' };
  const message = await market.call('POST', '/messages', { as: consumer, body: send });
  const others = [await market.join('consumer'), await market.join('farmer')];
  const people = [consumer, farmer, admin, ...others].map(({ id }) => id);
  Object.assign(known, {
    products,
    orders: [await order(), await order()],
    categories: [category],
    users: others.map(({ id }) => id),
    farmers: [farmer.id],
    people,
    messages: [message.body.data._id],
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
    if (name === 'password') return fc.constantFrom('password123', 'another password');
    if (name === 'price') return mostly(2.5, 3);
    if (name === 'quantity') return mostly(2, 1_000_000);
    if (name === 'date') return mostly('2090-05-01', '2001-05-01');
    if (name === 'phone') return fc.constant('555-0100');
    const kind =
      name !== 'id'
        ? KNOWN_AS[name]
        : path.startsWith('/users/farmers')
          ? 'farmers'
          : path.split('/')[1];
    return kind === undefined ? undefined : oneKnown(kind);
  };

const mostly = <T>(usual: T, rare: T): Arbitrary<T> =>
  oneIn([
    [9, fc.constant(usual)],
    [1, fc.constant(rare)],
  ]);

const oneKnown = (kind: string): Arbitrary<string> =>
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc.nat().map((pick) => known[kind]?.[pick % known[kind].length] ?? ''),
    },
    { weight: 1, arbitrary: fc.uuid({ version: 4 }) },
  );

function readOperations(document: DocumentedApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { parameters = [], requestBody } = operation as unknown as {
        parameters?: Parameter[];
        requestBody?: { content: Record<string, { schema: Schema }> };
      };
      const content = requestBody?.content ?? {};
      return {
        method: method.toUpperCase() as Operation['method'],
        path,
        parameters,
        body: resolve(document, content['application/json']?.schema),
        isMultipart: 'multipart/form-data' in content,
      };
    }),
  );
}

/** A schema with what it refers to in its place. */
function resolve(document: DocumentedApi, schema: Schema | undefined): Schema | undefined {
  if (!schema) return undefined;
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    typeof value?.$ref === 'string'
      ? resolve(document, document.components.schemas[value.$ref.split('/').at(-1)] as Schema)
      : value,
  );
}

const oneIn = <T>(weights: [number, Arbitrary<T>][]): Arbitrary<T> =>
  fc.oneof(...weights.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** A value as it stands in an address. */
const asText = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  // Halves of characters cannot stand in an address at all.
  return encodeURIComponent(Buffer.from(text.slice(0, 600)).toString());
};

const BROKEN_ESCAPES = ['%', '%zz', '%E0%A4%A', '%00', '%ff%fe', '%C0%AF', '..%2f..', '%2e%2e'];

function pathOf({ path, parameters }: Operation, meaning: Meaning): Arbitrary<string> {
  const values = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, schema }) =>
      oneIn<string>([
        [14, validValue(schema, meaning, name).map(asText)],
        [1, nastyValue.map(asText).map((text) => text || '%20')],
        [1, fc.constantFrom(...BROKEN_ESCAPES)],
      ]).map((value) => ({ name, value })),
    );
  return fc
    .tuple(...values)
    .map((given) =>
      given.reduce((whole, { name, value }) => whole.replace(`{${name}}`, () => value), path),
    );
}

function queryOf({ parameters }: Operation, meaning: Meaning): Arbitrary<string> {
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => {
      const value = oneIn<string>([
        [4, validValue(schema, meaning, name).map(asText)],
        [1, boundaryValue(schema).map(asText)],
        [1, nastyValue.map(asText)],
        [1, fc.constantFrom(...BROKEN_ESCAPES)],
      ]).map((text) => [`${name}=${text}`]);
      return oneIn<string[]>([
        [3, fc.constant([])],
        [4, value],
        [1, fc.tuple(value, value).map((both) => both.flat())],
        [1, value.map(([pair = '']) => [pair.replace('=', '[a]=')])],
      ]);
    });
  const odd = fc.constantFrom(
    '__proto__=1',
    'constructor[prototype]=1',
    '=',
    '&&&',
    '%=%',
    'a'.repeat(3000),
  );
  return fc
    .tuple(
      fc.tuple(...pairs),
      oneIn<string>([
        [15, fc.constant('')],
        [1, odd],
      ]),
    )
    .map(([given, more]) => [...given.flat(), more].filter(Boolean).join('&'))
    .map((query) => (query ? `?${query}` : ''));
}

const BROKEN_JSON = [
  '',
  '{',
  '{"a":',
  'null',
  '"text"',
  '[',
  '{"a":1}{"b":2}',
  '\u0000',
  "{'a':1}",
];
const CONTENT_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/json; charset=nonsense',
  'application/vnd.api+json',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'nonsense',
];

type Content = Pick<Fuzzed, 'headers' | 'body'>;

const asJson = (value: unknown): Content => ({
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});

const asForm = (name: string, file: Buffer, end = '\r\n--x--\r\n'): Content => ({
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  body: Buffer.concat([
    Buffer.from(`--x\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\n`),
    file,
    Buffer.from(end),
  ]),
});

function contentOf(operation: Operation, meaning: Meaning): Arbitrary<Content> {
  const nothing = fc.constant<Content>({ headers: {}, body: undefined });
  if (operation.method === 'GET') return nothing;
  const schema = operation.body ?? { type: 'object' };
  const valid = validValue(schema, meaning).map(asJson);
  const anything = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
  const broken = oneIn<Content>([
    [2, nastyValue.map(asJson)],
    [
      2,
      fc.constantFrom(...BROKEN_JSON).map((text) => ({ ...asJson(''), body: Buffer.from(text) })),
    ],
    [1, anything.map((body) => ({ ...asJson(''), body }))],
    [1, fc.constant(asJson({ name: 'x'.repeat(300_000) }))],
    [
      2,
      fc.tuple(fc.constantFrom(...CONTENT_TYPES), valid).map(([type, { body }]) => ({
        headers: { 'content-type': type },
        body,
      })),
    ],
    [
      1,
      fc
        .tuple(fc.constantFrom('gzip', 'deflate', 'br', 'nonsense'), anything)
        .map(([encoding, body]) => ({
          headers: { 'content-type': 'application/json', 'content-encoding': encoding },
          body,
        })),
    ],
    [1, nothing],
  ]);
  const form = oneIn<Content>([
    [4, fc.constant('images').map((name) => asForm(name, picture))],
    [1, anything.map((file) => asForm('images', file))],
    [1, nastyValue.map((name) => asForm(JSON.stringify(name), picture))],
    [1, fc.nat(picture.length).map((end) => asForm('images', picture.subarray(0, end)))],
    [1, fc.constant(asForm('images', picture, ''))],
  ]);
  return operation.isMultipart
    ? oneIn([
        [4, form],
        [1, broken],
      ])
    : oneIn([
        [5, valid],
        [5, brokenBody(schema, meaning).map(asJson)],
        [2, broken],
      ]);
}

const BROKEN_TOKENS = [
  'Bearer',
  'Bearer  ',
  'Basic YTpi',
  'Bearer a.b.c',
  `Bearer ${'x'.repeat(6000)}`,
  '\u00ff',
];

function headersOf(operation: Operation, party: Party): Arbitrary<Record<string, string>> {
  const own = fc
    .constant(party)
    .map((as) => (as === 'visitor' ? {} : { authorization: `Bearer ${callers[as].token}` }));
  const forged = fc.constantFrom(...BROKEN_TOKENS).map((authorization) => ({ authorization }));
  const takesKey = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
  const broken = fc.constantFrom('x'.repeat(201), 'a b', '\u00e9');
  const key = fc.oneof(fc.uuid(), fc.constant('one'), broken);
  const keys: Arbitrary<Record<string, string>> = takesKey
    ? key.map((name) => ({ 'idempotency-key': name }))
    : fc.constant({});
  return fc
    .tuple(
      oneIn<Record<string, string>>([
        [24, own],
        [1, forged],
      ]),
      oneIn<Record<string, string>>([
        [2, fc.constant({})],
        [1, keys],
      ]),
    )
    .map(([authorization, naming]) => ({ ...authorization, ...naming }));
}

const requestAs = (party: Party): Arbitrary<Fuzzed> =>
  fc.constantFrom(...operations).chain((operation) => {
    const meaning = meaningOn(operation.path);
    return fc
      .tuple(
        pathOf(operation, meaning),
        queryOf(operation, meaning),
        contentOf(operation, meaning),
        headersOf(operation, party),
      )
      .map(([path, query, content, headers]) => ({
        operation,
        path: `${path}${query}`,
        headers: { ...headers, ...content.headers },
        body: content.body,
      }));
  });

function send({ operation, path, headers, body }: Fuzzed) {
  return new Promise<{ status: number; text: string }>((done, fail) => {
    const request = http.request(
      `${market.url}`,
      {
        agent,
        method: operation.method,
        path: `/api${path}`,
        headers: { ...headers, ...(body ? { 'content-length': body.length } : {}) },
        timeout: 30_000,
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        response.on('end', () => done({ status: response.statusCode ?? 0, text }));
        response.on('error', fail);
      },
    );
    request.on('timeout', () => request.destroy(new Error('No answer within 30 s.')));
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
    const { status, text } = await send(request);
    const counts = answered.get(name) ?? new Map<number, number>();
    answered.set(name, counts.set(status, (counts.get(status) ?? 0) + 1));
    if (status >= 500) throw new Error(`${name} answered ${status}: ${text}`);
    check({ method, path }, { status, body: JSON.parse(text) });
    await mend(party, request, status);
  } catch (error) {
    const { message } = error as Error;
    if (faults.has(message)) return;
    const body = request.body?.toString('latin1').slice(0, 2000);
    const { headers } = request;
    faults.set(message, JSON.stringify({ party, path: request.path, headers, body }));
  }
}

/** Brings back what a request ended or removed, so that the next ones find something. */
async function mend(party: Party, { operation, headers }: Fuzzed, status: number): Promise<void> {
  const token = party === 'visitor' ? '' : callers[party].token;
  if (status === 401 && token && headers.authorization === `Bearer ${token}`) {
    callers[party as Role] = await market.join(party as Role);
  }
  if (status === 200 && operation.method === 'DELETE') await furnish();
}

it(`gives ${REQUESTS} made-up requests only answers that are documented, and no 5xx`, {
  timeout: 60_000 + REQUESTS * 200,
}, async () => {
  const startedAt = Date.now();
  const numRuns = Math.ceil(REQUESTS / PARTIES.length);
  for (const party of PARTIES) {
    const property = fc.asyncProperty(requestAs(party), (request) => tryOne(party, request));
    await fc.assert(property, { numRuns, seed: SEED });
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
  expect(answered.size).toBe(operations.length);
  // Requests that are all refused at the door would prove nothing.
  const succeeded = [...answered].filter(([, counts]) => counts.has(200) || counts.has(201));
  const never = [...answered.keys()].filter((name) => !succeeded.some(([other]) => other === name));
  if (REQUESTS >= 10_000) expect(never).toEqual(NEVER_GUESSED);
  else expect(succeeded.length).toBeGreaterThan(operations.length * 0.6);
});

/** Nobody guesses the token of a reset link. */
const NEVER_GUESSED = ['POST /auth/reset-password'];
