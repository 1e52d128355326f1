import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  sellProduct,
  startTestMarket,
} from '../../testing/market.ts';
import { hire } from '../../testing/staff.ts';
import { tablesWith } from '../../testing/whole/tables-with.ts';

const market = closeAfter(await startTestMarket());
const category = await makeCategory(market.platform);
const [founder, admin, other] = await Promise.all([
  market.join('farmer', 'Fern Founder'),
  market.join('admin', 'Ada Admin'),
  market.join('consumer', 'Cass Customer'),
]);
const product = await sellProduct(market, founder, category);

/** Each write is answered from what is stored where it is repeated, so that the store is looked through too. */
async function act(method: string, path: string, as: Caller, body?: unknown) {
  const headers = { 'idempotency-key': randomUUID() };
  const answer = await market.call(method, path, { as, body, headers });
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body.data;
}

const order = (as: Caller): Promise<Order> =>
  act('POST', '/orders', as, orderInput(founder.id, [{ product, quantity: 2 }]));

/** Gives somebody a phone number that nobody else has. @returns what must not be found of them */
async function tracesOf(as: Caller): Promise<string[]> {
  const phone = `+49 30 ${Math.random().toString().slice(2, 12)}`;
  await act('PUT', '/users/profile', as, { phone });
  return [as.name, as.email, phone];
}

/** Deletes the account as its owner does. The mail about it keeps its address until it is sent. */
async function expectNoTrace(as: Caller, traces: readonly string[]) {
  expect((await tablesWith(market, traces)).length).toBeGreaterThan(1);
  await act('DELETE', '/users/me', as, { password: 'password123' });
  expect(await tablesWith(market, traces, 'account_deletion_mails')).toEqual([]);
}

it('a customer who ordered, changed, wrote and reported leaves no name, email or phone', async () => {
  const customer = await market.join('consumer', `Quentin ${randomUUID()}`);
  const traces = await tracesOf(customer);
  const placed = await order(customer);
  const kept = await order(customer);
  await act('PUT', `/orders/${kept._id}`, founder, { status: 'accepted' });
  const items = [{ product, quantity: 1 }];
  await act('PUT', `/orders/${placed._id}/items`, customer, { items });
  await act('POST', '/messages', customer, { receiver: founder.id, content: 'Hello' });
  await act('POST', '/reports', customer, {
    ...{ kind: 'farm', id: founder.id, reason: 'other', text: 'Never there.' },
  });
  await act('POST', `/admin/users/${customer.id}/notes`, admin, { content: 'Called them.' });
  await expectNoTrace(customer, traces);
});

it('a member of a farm who answered, packed and printed leaves no name, email or phone', async () => {
  const member = await hire(market, founder, 'manager');
  const traces = await tracesOf(member);
  const placed = await order(other);
  const { date } = placed.pickupDetails ?? {};
  await act('PUT', `/orders/${placed._id}`, member, { status: 'accepted' });
  await act('PUT', `/orders/${placed._id}/packing`, member, { packing: 'packing' });
  await act('POST', '/farm/picklist/prints', member, { date });
  await act('PUT', '/farm/picklist/ticks', member, {
    ...{ date, productId: product, unit: 'bunch', quantity: 1, expectedVersion: 0 },
  });
  await act('POST', `/orders/${placed._id}/changes`, member, {
    items: [{ lineId: placed.items[0]?._id, action: 'remove', reason: 'damaged' }],
  });
  await act('POST', '/messages', member, { receiver: other.id, content: 'Sorry' });
  await act('POST', '/products', member, productInput(category, { name: 'Leeks' }));
  await expectNoTrace(member, traces);
  const { timeline } = (await market.get(`/orders/${placed._id}`, other)).body.data;
  expect(new Set(timeline.slice(1).map(({ by }: Order['timeline'][number]) => by.name))).toEqual(
    new Set(['Deleted user']),
  );
});

it('an admin who decided and wrote leaves no name, email or phone, in the audit neither', async () => {
  const leaving = await market.join('admin', `Petra ${randomUUID()}`);
  const traces = await tracesOf(leaving);
  const placed = await order(other);
  await act('PUT', `/orders/${placed._id}`, leaving, { status: 'cancelled', reason: 'Asked for' });
  await act('POST', `/admin/orders/${placed._id}/notes`, leaving, { content: 'They called.' });
  await act('POST', `/admin/users/${other.id}/notes`, leaving, { content: 'They called.' });
  await act('POST', '/categories', leaving, { name: 'Roots', description: '', icon: '🥕' });
  await act('PUT', `/products/${product}/hiding`, leaving, { hidden: true, reason: 'Blurred' });
  await act('PUT', `/products/${product}/hiding`, leaving, { hidden: false });
  await expectNoTrace(leaving, traces);
  const { body } = await market.get(`/admin/audit?admin=${leaving.id}`, admin);
  expect(body.data.length).toBeGreaterThan(4);
  expect(new Set(body.data.map((entry: { admin: { name: string } }) => entry.admin.name))).toEqual(
    new Set(['Deleted user']),
  );
});
