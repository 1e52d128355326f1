import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { PAYMENT_DETAILS_MAX } from '#contract/money/payment/constants';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';
import { changeMarket } from '../../testing/market-settings.ts';
import { hire } from '../../testing/staff.ts';

const ACCOUNT = 'Hill Farm\nFirst Bank of Putney\nGB33 BUKB 2020 1555 5555 55';

let farmer: Caller;

const market = closeAfter(await startTestMarket());
const category = await makeCategory(market.platform);
beforeEach(async () => {
  farmer = await market.join('farmer');
});

const save = (details: unknown, as = farmer, more = {}) =>
  market.put('/farm/payment', as, { details, ...more });
const read = async (as = farmer) => (await market.get('/farm/payment', as)).body.data;
const ofOrder = (id: string, as?: Caller) =>
  market.call('GET', `/orders/${id}/payment`, as ? { as } : {});

async function placeOrder(at = farmer): Promise<{ id: string; consumer: Caller }> {
  const consumer = await market.join('consumer');
  const made = await market.post('/products', at, productInput(category));
  const body = orderInput(at.id, [{ product: made.body.data._id, quantity: 1 }]);
  const order = await market.post('/orders', consumer, body);
  expect(order.status).toBe(201);
  return { id: order.body.data._id, consumer };
}

describe('how to pay a farm', () => {
  it('is nothing until its owner says it, and can be taken away', async () => {
    expect(await read()).toEqual({ details: '', version: 1 });
    expect((await save(`  ${ACCOUNT}\n`)).body.data).toEqual({ details: ACCOUNT, version: 2 });
    expect(await read()).toEqual({ details: ACCOUNT, version: 2 });
    expect((await save('')).body.data).toEqual({ details: '', version: 3 });
  });

  it('is written by owners alone, and read by them and managers', async () => {
    await save(ACCOUNT);
    const { id } = await placeOrder();
    for (const role of ['manager', 'packer', 'seller'] as const) {
      const as = await hire(market, farmer, role);
      expect((await save('Mine.', as)).status).toBe(403);
      const answers = [await market.get('/farm/payment', as), await ofOrder(id, as)];
      const expected = role === 'manager' ? [200, 200] : [403, 403];
      expect(
        answers.map(({ status }) => status),
        role,
      ).toEqual(expected);
      expect(JSON.stringify(answers).includes('First Bank')).toBe(role === 'manager');
    }
    const owner = await hire(market, farmer, 'owner');
    expect((await save('Ours.', owner)).status).toBe(200);
    expect((await read()).details).toBe('Ours.');
  });

  it.each([
    ['no text', undefined],
    ['a number', 7],
    ['more than fits', 'x'.repeat(PAYMENT_DETAILS_MAX + 1)],
  ])('is not %s', async (_, details) => {
    const { status, body } = await save(details);
    expect([status, body.errors?.[0]?.path]).toEqual([400, 'details']);
    expect((await read()).version).toBe(1);
  });

  it('is not overwritten unseen', async () => {
    const answers = await Promise.all(
      ['One.', 'Two.'].map((details) => save(details, farmer, { expectedVersion: 1 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ code: 'VERSION_CONFLICT', data: await read() });
  });

  it('is shown to the customers of its orders and to admins, and to nobody else', async () => {
    await save(ACCOUNT);
    const { id, consumer } = await placeOrder();
    const admin = await market.join('admin');
    for (const as of [consumer, farmer, admin]) {
      expect((await ofOrder(id, as)).body.data).toEqual({ details: ACCOUNT });
      expect((await ofOrder(id.toUpperCase(), as)).status).toBe(200);
    }
    for (const as of [await market.join('consumer'), await market.join('farmer')]) {
      expect((await ofOrder(id, as)).status).toBe(404);
    }
    expect((await ofOrder(randomUUID(), consumer)).status).toBe(404);
    expect((await ofOrder(id)).status).toBe(401);
    const { body } = await market.get(`/users/farmers/${farmer.id}`);
    expect(JSON.stringify(body)).not.toContain('First Bank');
  });

  it('stays as it is while the farm is suspended: for its other people, and for the person who ordered there', async () => {
    await save(ACCOUNT);
    const { id, consumer } = await placeOrder();
    const owner = await hire(market, farmer, 'owner');
    const admin = await market.join('admin');
    const suspend = (suspended: boolean) =>
      market.put(`/users/${farmer.id}/suspension`, admin, { suspended });
    expect((await suspend(true)).status).toBe(200);
    // Anyone who is suspended neither reads nor changes it.
    expect((await save('Mine.')).status).toBe(401);
    expect((await market.get('/farm/payment', farmer)).status).toBe(401);
    for (const as of [consumer, owner, admin]) {
      expect((await ofOrder(id, as)).body.data).toEqual({ details: ACCOUNT });
    }
    expect((await ofOrder(id, await market.join('consumer'))).status).toBe(404);
    expect((await save('Ours.', owner)).status).toBe(200);
    expect((await ofOrder(id, consumer)).body.data).toEqual({ details: 'Ours.' });
    expect((await suspend(false)).status).toBe(200);
    expect((await read(owner)).details).toBe('Ours.');
  });

  it('is entered by a draft, and shown to nobody else until somebody has ordered there', async () => {
    await changeMarket(market, { approvesFarms: true });
    try {
      const draft = await market.join('farmer');
      expect((await save(ACCOUNT, draft)).status).toBe(200);
      expect((await read(draft)).details).toBe(ACCOUNT);
      const admin = await market.join('admin');
      const decide = (approved: boolean) =>
        market.put(`/users/farmers/${draft.id}/approval`, admin, {
          approved,
          reason: 'Please look again.',
        });
      expect((await decide(true)).status).toBe(200);
      const { id, consumer } = await placeOrder(draft);
      expect((await decide(false)).status).toBe(200);
      // The order goes on, and so does how to pay it.
      expect((await market.get(`/orders/${id}`, consumer)).status).toBe(200);
      expect((await ofOrder(id, consumer)).body.data).toEqual({ details: ACCOUNT });
      expect((await ofOrder(id, await market.join('consumer'))).status).toBe(404);
      expect((await save('Elsewhere.', draft)).status).toBe(200);
    } finally {
      await changeMarket(market, { approvesFarms: false });
    }
  });

  it('is gone once the farm is closed', async () => {
    const admin = await market.join('admin');
    await save(ACCOUNT);
    const { id, consumer } = await placeOrder();
    await hire(market, farmer, 'owner');
    const closed = await market.delete(`/users/${farmer.id}`, admin);
    expect(closed.status).toBe(200);
    expect((await ofOrder(id, consumer)).body.data).toEqual({ details: '' });
  });

  it('reaches open pages without publishing the account', async () => {
    const socket = await market.connect();
    const received = new Promise((resolve) => socket.once('farmer.updated', resolve));
    await save(ACCOUNT);
    expect(await received).toMatchObject({ data: { _id: farmer.id } });
    expect(JSON.stringify(await received)).not.toContain('First Bank');
  });
});
