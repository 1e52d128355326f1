import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type Answer,
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';

// Anyone who changes something that has a version may say which one: what somebody else did meanwhile is then
// not overwritten.

const market = closeAfter(await startTestMarket());
const [admin, farmer, consumer] = [
  await market.join('admin'),
  await market.join('farmer'),
  await market.join('consumer'),
];
const category = await makeCategory(market.platform);

/** Something with a version. */
interface Entity {
  as: Caller;
  /** Where it is changed. */
  path: string;
  /** Different bodies that can be sent one after the other, without a version. */
  bodies: Record<string, unknown>[];
  /** Returns it as it is now. */
  read: () => Promise<{ version: number }>;
}

async function product(): Promise<Entity> {
  const { body } = await market.post('/products', farmer, productInput(category));
  const path = `/products/${body.data._id}`;
  return {
    as: farmer,
    path,
    bodies: [{ price: 3 }, { price: 4 }],
    read: async () => (await market.get(path, farmer)).body.data,
  };
}

const ENTITIES: Record<string, () => Promise<Entity>> = {
  'a product': product,
  'the hiding of a product': async () => {
    const { path } = await product();
    const bodies = [
      { hidden: true, reason: 'One.' },
      { hidden: true, reason: 'Two.' },
    ];
    const asAdmin = async () => (await market.get(path, admin)).body.data;
    return { as: admin, path: `${path}/hiding`, bodies, read: asAdmin };
  },
  'an order': async () => {
    const { path: ofProduct } = await product();
    const items = [{ product: ofProduct.slice('/products/'.length), quantity: 1 }];
    const placed = await market.post('/orders', consumer, orderInput(farmer.id, items));
    const path = `/orders/${placed.body.data._id}`;
    return {
      as: farmer,
      path,
      bodies: [{ status: 'accepted' }, { status: 'completed' }],
      read: async () => (await market.get(path, farmer)).body.data,
    };
  },
  'a profile': async () => ({
    as: consumer,
    path: '/users/profile',
    bodies: [{ name: 'Ada' }, { name: 'Bea' }],
    read: async () => (await market.get('/auth/me', consumer)).body.user,
  }),
  'a farm profile': async () => ({
    as: farmer,
    path: '/users/farmers/profile',
    bodies: [
      { farmName: 'Hill', description: 'Soil.' },
      { farmName: 'Dale', description: 'Soil.' },
    ],
    read: async () => (await market.get(`/users/farmers/${farmer.id}`)).body.data.profile,
  }),
};

const change = (
  { as, path }: Entity,
  body: unknown,
  expectedVersion?: number,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  market.call('PUT', path, { as, headers, body: { ...(body as object), expectedVersion } });

describe.each(Object.entries(ENTITIES))('%s', (_, make) => {
  it('is changed when it is as expected, and when nothing is expected', async () => {
    const entity = await make();
    const { version } = await entity.read();
    const [one, two] = entity.bodies;
    expect((await change(entity, one, version)).body.data.version).toBe(version + 1);
    const { status, body } = await change(entity, two);
    expect([status, body.data.version]).toEqual([200, version + 2]);
    expect(await entity.read()).toEqual(body.data);
  });

  it('is not changed when somebody was quicker, who sees it as it is now', async () => {
    const entity = await make();
    const { version } = await entity.read();
    const [one, two] = entity.bodies;
    await change(entity, one);
    const present = await entity.read();
    const refused = await change(entity, two, version);
    expect(refused).toMatchObject({ status: 409, body: { code: 'VERSION_CONFLICT' } });
    expect(refused.body.data).toEqual(present);
    expect(await entity.read()).toEqual(present);
    // A version that is yet to come is none.
    expect((await change(entity, two, version + 5)).status).toBe(409);
    expect((await change(entity, two, present.version)).status).toBe(200);
  });

  it('is changed by one of several at once', async () => {
    const entity = await make();
    const { version } = await entity.read();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => change(entity, entity.bodies[index % 2], version)),
    );
    const codes = answers.map(({ status, body }) => body.code ?? status).sort();
    // An order cannot be completed before it is accepted, whatever its version.
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    expect((await entity.read()).version).toBe(version + 1);
  });

  it('is changed once by a repeat, whose version is the old one by then', async () => {
    const entity = await make();
    const { version } = await entity.read();
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => change(entity, entity.bodies[0], version, headers);
    const first = await send();
    expect(first.status).toBe(200);
    expect((await send()).body).toEqual(first.body);
    expect((await entity.read()).version).toBe(version + 1);
  });

  it('has versions from 1 on, in whole numbers', async () => {
    const entity = await make();
    for (const version of [0, -1, 1.5, '1', null]) {
      expect((await change(entity, entity.bodies[0], version as number)).status).toBe(400);
    }
  });
});

it('shows a product to nobody who may not change it', async () => {
  const other = await market.join('farmer');
  const entity = await product();
  expect((await change({ ...entity, as: other }, { price: 9 }, 7)).body).toMatchObject({
    code: 'FORBIDDEN',
  });
  await change(entity, { isActive: false });
  const hidden = await change({ ...entity, as: other }, { price: 9 }, 7);
  expect(hidden.status).toBe(404);
  expect(hidden.body).not.toHaveProperty('data');
});
