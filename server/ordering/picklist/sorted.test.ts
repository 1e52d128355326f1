import { afterAll, expect, test } from 'vitest';
import type { Picklist, PickOrder, PickTotal } from '#contract/ordering/picklist/picklist';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { createSlotFixture } from '../testing/slot-fixture.ts';

const DAY = addDays(dayIn('UTC'), 3);
const fixture = await createSlotFixture();
afterAll(() => fixture.close());

test('goods and customers are sorted as the market sorts names, on the list, its pages and a print', async () => {
  const { farmer } = await fixture.newFarm();
  const goods: string[] = [];
  for (const name of ['Zucchini', 'apples', 'Äpfel', 'Endives']) {
    goods.push(await fixture.createProduct(100, { farmerId: farmer.id, name }));
  }
  for (const name of ['Zoe', 'adam', 'Ärne', 'Bert']) {
    const as = await fixture.join('consumer', name);
    const items = goods.map((product) => ({ product, quantity: 1 }));
    const pickupDetails = { date: DAY, time: '10:00', location: 'Farm gate' };
    const { body } = await fixture.order(items, { as, over: { farmer: farmer.id, pickupDetails } });
    await fixture.changeStatus(body.data._id, 'accepted', farmer);
  }
  const sorted = ['Äpfel', 'apples', 'Endives', 'Zucchini'];
  const customers = ['adam', 'Ärne', 'Bert', 'Zoe'];
  const get = async (path: string) =>
    (await fixture.call('GET', `/farm/picklist${path}`, { as: farmer })).body;

  const list: Picklist = (await get(`?date=${DAY}`)).data;
  expect(list.products.map(({ product }) => product.name)).toEqual(sorted);
  expect(list.orders.map(({ customer }) => customer.name)).toEqual(customers);

  const seen: string[] = [];
  let cursor = '';
  for (const _ of customers) {
    const page = await get(`/orders?date=${DAY}&limit=1${cursor && `&cursor=${cursor}`}`);
    seen.push(...page.data.map(({ customer }: PickOrder) => customer.name));
    cursor = page.nextCursor ?? '';
  }
  expect(seen).toEqual(customers);
  expect(cursor).toBe('');

  const printed = await fixture.post('/farm/picklist/prints', farmer, { date: DAY });
  const { products } = (await get(`/prints/${printed.body.data._id}`)).data;
  expect(products.map(({ product }: PickTotal) => product.name)).toEqual(sorted);
});
