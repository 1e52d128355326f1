import { afterAll, expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { reasonOf } from '#contract/platform/orders/constants/causes';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { inLanguageOf } from '../../platform/market/readers.ts';
import { closeAfter } from '../../testing/market.ts';
import { createOrderFixture } from '../testing/fixture.ts';

const fixture = closeAfter(await createOrderFixture());
const { farmer, admin } = fixture;
const product = await fixture.createProduct(50);
afterAll(() => setMarket(DEFAULT_MARKET));

const read = async (id: string): Promise<Order> =>
  (await fixture.get(`/orders/${id}`, admin)).body.data;

/** The reasons of a timeline as its reader has them. */
const reasonsFor = (language: string, { timeline }: Order) =>
  inLanguageOf(language, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return [...timeline.map(reasonOf), formatQuantity(2, 'bunch')];
  });

it('a timeline is read in three languages at once, and older entries as they were written', async () => {
  setMarket({ ...DEFAULT_MARKET, languages: ['en', 'de', 'ur'] });
  const { _id } = await fixture.placeOrder([{ product, quantity: 1 }]);
  await fixture.changeStatus(_id, 'accepted', farmer, 'Gern geschehen');
  // As a process of the release before writes it.
  await fixture.platform.db.orderTimelineEntry.create({
    data: {
      ...{ orderId: _id, sequence: 3, kind: 'packing', version: 2, byId: farmer.id },
      ...{ detail: { from: 'none', to: 'packing' }, reason: 'Packed automatically.' },
    },
  });
  const head = await fixture.head();
  const gone = await fixture.call('DELETE', `/users/${farmer.id}`, { as: admin });
  expect(gone.status, JSON.stringify(gone.body)).toBe(200);
  const order = await read(_id);
  expect(order.timeline.at(-1)).toMatchObject({ status: 'cancelled', cause: 'farm_left' });
  expect(order.timeline.at(-1)).not.toHaveProperty('reason');
  const languages = Array.from({ length: 60 }, (_, nth) => ['en', 'de', 'ur'][nth % 3] ?? 'en');
  const written = await Promise.all(languages.map((language) => reasonsFor(language, order)));
  const common = [undefined, 'Gern geschehen', 'Packed automatically.'];
  const wanted: Record<string, unknown[]> = {
    en: [...common, 'The farm has left the market.', '2 bunches'],
    de: [...common, 'Der Hof hat den Markt verlassen.', '2 Bund'],
    ur: [...common, 'فارم نے بازار چھوڑ دیا ہے۔', '2 گٹھے'],
  };
  expect(written).toEqual(languages.map((language) => wanted[language]));
  // What goes over sockets has no sentence of the system's.
  const events = await fixture.eventsAfter(head);
  expect(JSON.stringify(events)).not.toMatch(/has left the market|verlassen|بازار/);
});
