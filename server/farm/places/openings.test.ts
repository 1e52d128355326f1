import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Weekday } from '#contract/farm/farmers/constants';
import { addDays, dayIn } from '#contract/platform/time/constants';
import {
  type Caller,
  makeCategory,
  productInput,
  startTestMarket,
  type TestMarket,
} from '../../testing/market.ts';
import { makePlace } from '../../testing/slots.ts';
import { pickupOpenings } from './present.ts';

describe('the hours of places', () => {
  const range = (weekday: number, from: string, to: string) => ({ weekday, from, to });

  it.each([
    ['none', [], []],
    [
      'of several days, by the first',
      [range(5, '08:00', '14:00'), range(3, '15:00', '18:00'), range(1, '15:00', '18:00')],
      [
        { days: ['tuesday', 'thursday'], open: '15:00', close: '18:00' },
        { days: ['saturday'], open: '08:00', close: '14:00' },
      ],
    ],
    [
      'that overlap, touch or lie within each other',
      [
        range(0, '12:00', '14:00'),
        range(0, '08:00', '12:00'),
        range(0, '09:00', '10:00'),
        range(0, '13:00', '15:00'),
      ],
      [{ days: ['monday'], open: '08:00', close: '15:00' }],
    ],
    [
      'until midnight, which a farm says as the start of the next day',
      [range(4, '18:00', '22:00'), range(4, '21:00', '24:00'), range(5, '00:00', '24:00')],
      [
        { days: ['friday'], open: '18:00', close: '00:00' },
        { days: ['saturday'], open: '00:00', close: '00:00' },
      ],
    ],
    [
      'apart on one day',
      [range(2, '16:00', '18:00'), range(2, '07:00', '15:00'), range(3, '07:00', '15:00')],
      [
        { days: ['wednesday', 'thursday'], open: '07:00', close: '15:00' },
        { days: ['wednesday'], open: '16:00', close: '18:00' },
      ],
    ],
  ])('are combined: %s', (_, hours, openings) => {
    expect(pickupOpenings(hours)).toEqual(openings);
  });
});

describe('what cards and products say', () => {
  let market: TestMarket;
  let category: string;
  let farmer: Caller;
  let product: string;
  beforeAll(async () => {
    market = await startTestMarket();
    category = await makeCategory(market.platform);
  });
  beforeEach(async () => {
    farmer = await market.join('farmer');
    const businessHours = { monday: { open: '09:00', close: '17:00' } };
    await put('/users/farmers/profile', {
      farmName: 'Mill',
      description: 'Soil.',
      acceptsDelivery: true,
      businessHours,
    });
    const { body } = await market.post('/products', farmer, productInput(category));
    product = body.data._id;
  });
  afterAll(() => market.close());

  const own = [{ days: ['monday'], open: '09:00', close: '17:00' }];
  const put = (path: string, body: unknown) => market.put(path, farmer, body);
  const at = (weekday: Weekday, from: string, to: string) => ({
    weekday,
    from,
    to,
    slotMinutes: 60,
  });
  const saturday = [{ days: ['saturday'], open: '08:00', close: '14:00' }];

  /** What a card of the product, its page, the farm's card and its page say, which is the same. */
  async function openings() {
    const [list, page, farms, farm] = await Promise.all([
      market.get(`/products?farmer=${farmer.id}`),
      market.get(`/products/${product}`),
      market.get('/users/farmers?limit=100'),
      market.get(`/users/farmers/${farmer.id}`),
    ]);
    const card = farms.body.data.find(({ _id }: { _id: string }) => _id === farmer.id);
    const shown = [list.body.data[0].farmer, page.body.data.farmer, card, farm.body.data].map(
      ({ handoff }) => handoff.openings,
    );
    expect(shown).toEqual(shown.map(() => shown[0]));
    return shown[0];
  }

  it('is when one can pick up at any active place, as places come, change and go', async () => {
    expect(await openings()).toEqual(own);
    const gate = await makePlace(market, farmer, { hours: [] });
    expect(await openings()).toEqual(own);
    await put(`/farm/places/${gate}`, { hours: [at('saturday', '08:00', '14:00')] });
    expect(await openings()).toEqual(saturday);
    const stall = await makePlace(market, farmer, {
      hours: [at('tuesday', '15:00', '18:00'), at('saturday', '13:00', '16:00')],
    });
    expect(await openings()).toEqual([
      { days: ['tuesday'], open: '15:00', close: '18:00' },
      { days: ['saturday'], open: '08:00', close: '16:00' },
    ]);
    await put(`/farm/places/${stall}`, { isActive: false });
    expect(await openings()).toEqual(saturday);
    await put(`/farm/places/${stall}`, { isActive: true });
    await market.delete(`/farm/places/${gate}`, farmer);
    expect(await openings()).toEqual([
      { days: ['tuesday'], open: '15:00', close: '18:00' },
      { days: ['saturday'], open: '13:00', close: '16:00' },
    ]);
    await put(`/farm/places/${stall}`, { hours: [] });
    expect(await openings()).toEqual(own);
  });

  it('leaves the days of deliveries as they are', async () => {
    const from = addDays(dayIn('UTC'), 1);
    const days = async () => {
      const path = `/users/farmers/${farmer.id}/days?from=${from}&to=${addDays(from, 20)}`;
      return (await market.get(path)).body.data;
    };
    const before = await days();
    expect(before).not.toEqual([]);
    await makePlace(market, farmer, { hours: [at('saturday', '08:00', '14:00')] });
    expect(await days()).toEqual(before);
  });

  it('is sent to everyone connected where it changes, and only then', async () => {
    const { eventLog } = market.platform;
    const eventsOf = async (change: () => Promise<unknown>) => {
      await eventLog.sequence();
      const head = await eventLog.head();
      await change();
      await eventLog.sequence();
      return (await eventLog.read(head)).map(({ name }) => name);
    };
    let gate = '';
    const hours = [at('saturday', '08:00', '14:00')];
    const both = ['place.changed', 'farmer.updated'];
    expect(await eventsOf(async () => (gate = await makePlace(market, farmer, { hours })))).toEqual(
      both,
    );
    const change = (body: unknown) => eventsOf(() => put(`/farm/places/${gate}`, body));
    // Its name stands on the farm's page.
    expect(await change({ name: 'Red gate', phone: '555-0101' })).toEqual(both);
    expect(await change({ name: 'Red gate' })).toEqual(['place.changed']);
    expect(await change({ hours: hours.map((each) => ({ ...each, capacity: 3 })) })).toEqual([
      'place.changed',
    ]);
    expect(await change({ hours: [at('friday', '08:00', '14:00')] })).toEqual(both);
    expect(await change({ isActive: false })).toEqual(both);
  });
});
