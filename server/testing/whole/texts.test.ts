// @long It asks each endpoint in many ways.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../market.ts';
import { TEXTS } from '../samples/stored-texts.ts';

// Whatever people write is kept and returned to the letter, but for controls and overrides, and means nothing to
// anything it passes through: no mark-up, no pattern, no statement.

const market = closeAfter(await startTestMarket());
const [consumer, farmer, admin] = await Promise.all([
  market.join('consumer'),
  market.join('farmer'),
  market.join('admin'),
]);
const category = await makeCategory(market.platform);
const profile = { farmName: 'Green Valley', description: 'Good soil.', acceptsDelivery: true };
await market.put('/users/farmers/profile', farmer, profile);
const body = productInput(category, { quantityAvailable: 10_000 });
const product: string = (await market.post('/products', farmer, body)).body.data._id;

interface Field {
  name: string;
  /** Writes the text into the field. @returns the answer, and what the field says when read again */
  write: (text: string) => Promise<{ answer: Answer; reread?: () => Promise<unknown> }>;
  /** Where the answer to the write has it. */
  answered: (body: Answer['body']) => unknown;
}

const me = async (token: string, pick: (user: Answer['body']) => unknown) =>
  pick((await market.get('/auth/me', { ...consumer, token })).body.user);

/** A field of the call that opens an account, and of the one that changes it. */
const userField = (
  name: string,
  input: (text: string) => object,
  pick: (user: Answer['body']) => unknown,
): Field[] => [
  {
    name: `register: ${name}`,
    write: async (text) => {
      const email = `${randomUUID()}@farmgate.test`;
      const body = { name: 'Somebody', email, password: 'password123', ...input(text) };
      const answer = await market.call('POST', '/auth/register', { body });
      return { answer, reread: () => me(answer.body.token, pick) };
    },
    answered: (body) => pick(body.user),
  },
  {
    name: `profile: ${name}`,
    write: async (text) => {
      const body = { name: 'Somebody', ...input(text) };
      const answer = await market.put('/users/profile', consumer, body);
      return { answer, reread: () => me(consumer.token, pick) };
    },
    answered: (body) => pick(body.data),
  },
];

const farmField = (
  name: string,
  input: (text: string) => object,
  pick: Field['answered'],
): Field => ({
  name: `farm: ${name}`,
  write: async (text) => {
    const body = { farmName: 'Green Valley', description: 'Good soil.', ...input(text) };
    const answer = await market.put('/users/farmers/profile', farmer, body);
    const reread = async () =>
      pick((await market.get(`/users/farmers/${farmer.id}`)).body.data.profile);
    return { answer, reread };
  },
  answered: (body) => pick(body.data),
});

const productField = (name: 'name' | 'description'): Field => ({
  name: `product: ${name}`,
  write: async (text) => {
    const body = productInput(category, { [name]: text });
    const answer = await market.post('/products', farmer, body);
    const address = `/products/${answer.body.data?._id}`;
    return { answer, reread: async () => (await market.get(address)).body.data[name] };
  },
  answered: (body) => body.data[name],
});

const categoryField = (name: 'name' | 'description' | 'icon'): Field => ({
  name: `category: ${name}`,
  write: async (text) => {
    const body = { name: randomUUID(), [name]: text };
    const answer = await market.post('/categories', admin, body);
    const id = answer.body.data?._id;
    const reread = async () => {
      const { body: all } = await market.get('/categories');
      return all.data.find((row: { _id: string }) => row._id === id)[name];
    };
    return { answer, reread };
  },
  answered: (body) => body.data[name],
});

const orderField = (
  name: string,
  input: (text: string) => Record<string, unknown>,
  answered: Field['answered'],
): Field => ({
  name: `order: ${name}`,
  write: async (text) => {
    const body = orderInput(farmer.id, [{ product, quantity: 1 }], input(text));
    const answer = await market.post('/orders', consumer, body);
    const address = `/orders/${answer.body.data?._id}`;
    const reread = async () => answered((await market.get(address, farmer)).body);
    return { answer, reread };
  },
  answered,
});

const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const ADDRESS = ['street', 'city', 'state', 'zipCode'] as const;
const home = { street: '1 Mill Lane', city: 'Ashford', state: 'VT', zipCode: '05001' };

const FIELDS: Field[] = [
  ...userField(
    'name',
    (name) => ({ name }),
    (user) => user.name,
  ),
  ...userField(
    'phone',
    (phone) => ({ phone }),
    (user) => user.phone,
  ),
  ...ADDRESS.flatMap((part) =>
    userField(
      `address.${part}`,
      (text) => ({ address: { [part]: text } }),
      (user) => user.address[part],
    ),
  ),
  farmField(
    'farmName',
    (farmName) => ({ farmName }),
    (profile) => profile.farmName,
  ),
  farmField(
    'description',
    (description) => ({ description }),
    (profile) => profile.description,
  ),
  farmField(
    'farmingPractices',
    (practice) => ({ farmingPractices: [practice] }),
    (profile) => profile.farmingPractices[0],
  ),
  productField('name'),
  productField('description'),
  categoryField('name'),
  categoryField('description'),
  categoryField('icon'),
  orderField(
    'notes',
    (notes) => ({ notes }),
    ({ data }) => data.notes,
  ),
  orderField(
    'pickupDetails.location',
    (location) => ({ pickupDetails: { date: day, time: '10:00', location } }),
    ({ data }) => data.pickupDetails.location,
  ),
  ...ADDRESS.map((part) =>
    orderField(
      `deliveryDetails.address.${part}`,
      (text) => ({
        pickupDetails: undefined,
        deliveryDetails: { date: day, time: '10:00', address: { ...home, [part]: text } },
      }),
      ({ data }) => data.deliveryDetails.address[part],
    ),
  ),
  {
    name: 'order: reason',
    write: async (reason) => {
      const placed = orderInput(farmer.id, [{ product, quantity: 1 }]);
      const order = await market.post('/orders', consumer, placed);
      const address = `/orders/${order.body.data._id}`;
      const body = { status: 'rejected', reason };
      const answer = await market.put(address, farmer, body);
      const reread = async () =>
        (await market.get(address, consumer)).body.data.timeline.at(-1).reason;
      return { answer, reread };
    },
    answered: (body) => body.data.timeline.at(-1).reason,
  },
  {
    name: 'message: content',
    write: async (content) => {
      const body = { receiver: farmer.id, content };
      const answer = await market.post('/messages', consumer, body);
      const reread = async () =>
        (await market.get(`/messages/${consumer.id}`, farmer)).body.data.at(-1).content;
      return { answer, reread };
    },
    answered: (body) => body.data.content,
  },
  {
    name: 'suspension: reason',
    write: async (reason) => {
      const { id } = await market.join('consumer');
      const body = { suspended: true, reason };
      const answer = await market.put(`/users/${id}/suspension`, admin, body);
      const address = `/admin/users/${id}`;
      const reread = async () => (await market.get(address, admin)).body.data.suspension.reason;
      return { answer, reread };
    },
    answered: (body) => body.data.reason,
  },
  {
    name: 'report: text',
    write: async (text) => {
      const body = { kind: 'farm', id: farmer.id, reason: 'other', text };
      const as = await market.join('consumer');
      const answer = await market.post('/reports', as, body);
      const reread = async () =>
        (await market.get('/admin/reports?limit=1', admin)).body.data[0].text;
      return { answer, reread };
    },
    answered: (body) => body.data.text,
  },
  {
    name: 'note: content',
    write: async (content) => {
      const address = `/admin/users/${(await market.join('consumer')).id}/notes`;
      const answer = await market.post(address, admin, { content });
      const reread = async () => (await market.get(address, admin)).body.data[0].content;
      return { answer, reread };
    },
    answered: (body) => body.data.content,
  },
];

const TAKEN_OUT = new Set(['\u202e', '\u2067', '\u001b', '\u0007']);

/** Names are one line in which every character shows. */
const NAMES_OF = new Set([
  'register: name',
  'profile: name',
  'farm: farmName',
  'farm: farmingPractices',
  'product: name',
  'category: name',
]);

describe.each(FIELDS.map((field) => [field.name, field] as const))('%s', (_, field) => {
  const isName = NAMES_OF.has(field.name);

  it.each([...TEXTS, ['controls', 'a\u001bb\u0007'] as const])(
    'stores %s, and nothing that would reorder or control the page',
    async (kind, text) => {
      if (isName && ['right-to-left text and marks', 'controls'].includes(kind)) {
        expect((await field.write(text)).answer.status).toBe(400);
        return;
      }
      const own = field.name === 'category: name' ? `${text}${randomUUID().slice(0, 4)}` : text;
      const { answer, reread } = await field.write(own);
      const stored = [...own].filter((each) => !TAKEN_OUT.has(each)).join('');
      expect(answer.status).toBeLessThan(300);
      expect(field.answered(answer.body)).toBe(stored);
      expect(await reread?.()).toBe(stored);
    },
  );

  it.each([
    ['NUL', 'a\u0000b'],
    ['half a character', 'a\ud800b'],
    ...(isName
      ? [
          ['nothing that can be seen', '\u200b\u200b'],
          ['empty Braille cells', '\u2800\u2800'],
          ['a second line', 'a\nb'],
          ['a tab', 'a\tb'],
          ['a mark that turns the direction', 'a\u202eb'],
          ['a character that is not seen', 'a\u200bb'],
        ]
      : []),
  ])('rejects %s and names the field', async (_, text) => {
    const { answer } = await field.write(text);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ success: false, code: 'INVALID' });
    const place = (field.name.split(': ')[1] ?? '').replace(
      'farmingPractices',
      'farmingPractices.0',
    );
    expect(answer.body.errors[0].path).toBe(place);
  });
});

describe('links', () => {
  const BAD = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.test/x',
    'evil.test',
  ];

  it.each(BAD)('rejects %j on farms and products', async (link) => {
    for (const site of ['facebook', 'instagram', 'twitter']) {
      const body = { farmName: 'Farm', description: 'Soil.', socialMedia: { [site]: link } };
      const { status } = await market.put('/users/farmers/profile', farmer, body);
      expect(status).toBe(400);
    }
    const body = productInput(category, { images: [link] });
    expect((await market.post('/products', farmer, body)).status).toBe(400);
    const push = { endpoint: link, keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) } };
    const address = '/notifications/push-subscriptions';
    expect((await market.post(address, farmer, push)).status).toBe(400);
  });

  it('accepts web addresses', async () => {
    const socialMedia = { facebook: 'https://facebook.test/farm?a=1&b="2"', twitter: '' };
    const body = { farmName: 'Farm', description: 'Soil.', socialMedia };
    const { body: answer } = await market.put('/users/farmers/profile', farmer, body);
    expect(answer.data.socialMedia).toMatchObject(socialMedia);
  });
});

describe('searches', () => {
  const NAMES = [
    '100% rye',
    '100 rye',
    'a_b beans',
    'axb beans',
    "O'Neill'; -- peas",
    'back\\slash',
    '$1 (.*) [x]',
  ];
  beforeAll(async () => {
    for (const name of NAMES) {
      const body = productInput(category, { name, description: 'Fresh.' });
      await market.post('/products', farmer, body);
    }
  });

  it.each([
    ['0%', ['100% rye']],
    ['a_b', ['a_b beans']],
    ["'; --", ["O'Neill'; -- peas"]],
    ['\\s', ['back\\slash']],
    ['(.*)', ['$1 (.*) [x]']],
    ['%rye', []],
    ['\\%', []],
    ["' OR 1=1 --", []],
    ["') UNION SELECT", []],
  ])('matches %j literally', async (search, expected) => {
    const { status, body } = await market.get(`/products?search=${encodeURIComponent(search)}`);
    expect(status).toBe(200);
    const found = body.data.map(({ name }: { name: string }) => name);
    expect(found.filter((name: string) => NAMES.includes(name)).sort()).toEqual(expected);
  });

  it('rejects NUL', async () => {
    expect((await market.get('/products?search=%00')).status).toBe(400);
  });
});
