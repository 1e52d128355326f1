import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { createOrderFixture, type OrderFixture } from '../testing/fixture.ts';

describe('an order that is delivered', () => {
  let fixture: OrderFixture;
  let product: string;
  const ALL = { street: '1 Elm St', city: 'Springfield', state: 'VT', zipCode: '05156' };

  const moveTo = async (country: string) => {
    const { status } = await fixture.call('PUT', '/market', {
      as: fixture.admin,
      body: { country },
    });
    expect(status).toBe(200);
  };
  const saveFarm = (over: object = {}) =>
    fixture.call('PUT', '/users/farmers/profile', {
      as: fixture.farmer,
      body: { farmName: 'Green Valley', description: 'Soil.', acceptsDelivery: true, ...over },
    });
  const deliver = (address: unknown) =>
    fixture.order([{ product, quantity: 1 }], {
      over: {
        pickupDetails: undefined,
        deliveryDetails: { address, date: addDays(dayIn('UTC'), 20), time: '10:00' },
      },
    });

  beforeAll(async () => {
    fixture = await createOrderFixture();
    product = await fixture.createProduct(1000);
    await saveFarm();
  });
  afterEach(() => moveTo('PK'));
  afterAll(async () => {
    await fixture.close();
    setMarket(DEFAULT_MARKET);
  });

  it.each([
    ['DE', { street: 'Hauptstr. 1', city: 'Berlin', zipCode: '10115' }],
    ['DE', { street: 'Hauptstr. 1', city: 'Berlin', state: '', zipCode: '10115' }],
    ['AE', { street: '12 Al Wasl Rd', city: 'Dubai', state: 'Dubai' }],
    ['HK', { street: "1 Queen's Rd", city: 'Central', state: 'Hong Kong Island' }],
    ['DE', ALL],
    ['AE', ALL],
    ['PK', ALL],
  ])('in %s goes to %j', async (country, address) => {
    await moveTo(country);
    const { status, body } = await deliver(address);
    expect([status, body.message]).toEqual([201, undefined]);
    expect(body.data.deliveryDetails.address).toEqual({ state: '', zipCode: '', ...address });
  });

  it.each([
    ['DE', { street: 'Hauptstr. 1', city: 'Berlin' }, ['zipCode: Postal code is required']],
    ['AE', { ...ALL, state: ' ' }, ['state: Emirate is required']],
    [
      'IE',
      { street: ' ' },
      [
        'street: Street is required',
        'city: Town or city is required',
        'state: County is required',
        'zipCode: Eircode is required',
      ],
    ],
    [
      'PK',
      { ...ALL, state: '', zipCode: '' },
      ['state: Province is required', 'zipCode: Postal code is required'],
    ],
    ['DE', { ...ALL, state: 'x'.repeat(101) }, ['state: Keep this to 100 characters.']],
  ])('in %s is refused to %j, with what is missing', async (country, address, expected) => {
    await moveTo(country);
    const { status, body } = await deliver(address);
    const told = body.errors.map(
      ({ path, message }: { path: string; message: string }) =>
        `${path.replace('deliveryDetails.address.', '')}: ${message}`,
    );
    expect([status, told]).toEqual([400, expected]);
  });

  it.each([null, 5, [], {}])('is refused with %j for a part, never by a fault', async (state) => {
    await moveTo('DE');
    expect((await deliver({ ...ALL, state })).status).toBe(400);
  });

  it('keeps its address when the market moves to another country, and shows all of it', async () => {
    const { body } = await deliver(ALL);
    await moveTo('AE');
    const path = `/orders/${body.data._id}`;
    const read = await fixture.call('GET', path, { as: fixture.consumer });
    const { address } = read.body.data.deliveryDetails;
    expect(address).toEqual(ALL);
    for (const part of Object.values(ALL)) expect(formatAddress(address)).toContain(part);
  });

  it('names the town where a country without postcodes has no delivery there', async () => {
    await moveTo('AE');
    await saveFarm({ deliveryAreas: ['Dubai'] });
    const there = { street: '12 Al Wasl Rd', city: 'DUBAI', state: 'Dubai' };
    expect((await deliver(there)).status).toBe(201);
    const { status, body } = await deliver({ ...there, city: 'Al Ain' });
    expect([status, body.errors[0].path]).toEqual([409, 'deliveryDetails.address.city']);
    await saveFarm({ deliveryAreas: [] });
  });
});
