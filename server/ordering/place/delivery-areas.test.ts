import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { distinctAreas, isServed } from '#contract/farm/places/constants/areas';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { makePlace, placeInput } from '../../testing/slots.ts';
import { createOrderFixture, type OrderFixture } from '../testing/fixture.ts';

describe('an area of a farm', () => {
  it.each([
    // A postcode, however it is written.
    ['12345', { zipCode: '12345' }, true],
    ['12345', { zipCode: ' 12345 ' }, true],
    ['12345', { zipCode: '12345-6789' }, true],
    ['12345-6789', { zipCode: '12345' }, false],
    ['12345', { zipCode: '123456' }, false],
    ['1234', { zipCode: '12345' }, false],
    ['sw1a 1aa', { zipCode: 'SW1A1AA' }, true],
    ['SW1A', { zipCode: 'SW1A 1AA' }, false],
    ['1010 AB', { zipCode: '1010ab' }, true],
    // A city, however it is written.
    ['Springfield', { city: 'SPRINGFIELD' }, true],
    ['Springfield', { city: 'West Springfield' }, false],
    ['Zürich', { city: 'Zurich' }, true],
    ['Zu\u0308rich', { city: 'ZÜRICH' }, true],
    ['Groß-Gerau', { city: 'gross gerau' }, true],
    ['St. Albans', { city: 'St Albans' }, true],
    ['лондон', { city: 'Лондон' }, true],
    ['東京', { city: '東京' }, true],
    // A city is no postcode, and nothing names nothing.
    ['Springfield', { zipCode: 'Springfield1' }, false],
    ['-', { city: '—', zipCode: '–' }, false],
  ])('%s serves %o: %s', (area, address, expected) => {
    expect(isServed([area], { city: 'Elsewhere', zipCode: '99999', ...address })).toBe(expected);
  });

  it('says nothing of any address where none is listed', () => {
    expect(isServed([], { city: 'Springfield', zipCode: '12345' })).toBeUndefined();
  });

  it('is listed once', () => {
    expect(distinctAreas(['Zürich', 'zurich', '8001', 'ZÜRICH ', 'Bern'])).toEqual([
      'Zürich',
      '8001',
      'Bern',
    ]);
  });
});

describe('an order that is delivered', () => {
  let fixture: OrderFixture;
  let product: string;
  const ADDRESS = { street: '1 Elm St', city: 'Springfield', state: 'VT', zipCode: '05156' };

  const saveAreas = (deliveryAreas: unknown) =>
    fixture.call('PUT', '/users/farmers/profile', {
      as: fixture.farmer,
      body: {
        farmName: 'Green Valley',
        description: 'Good soil.',
        acceptsDelivery: true,
        deliveryAreas,
      },
    });
  const deliver = (deliveryDetails: object = {}) =>
    fixture.order([{ product, quantity: 1 }], {
      over: {
        pickupDetails: undefined,
        deliveryDetails: {
          address: ADDRESS,
          date: addDays(dayIn('UTC'), 20),
          time: '10:00',
          ...deliveryDetails,
        },
      },
    });

  beforeAll(async () => {
    fixture = await createOrderFixture();
    product = await fixture.createProduct(100);
  });
  afterAll(() => fixture.close());

  it('goes where the farm delivers', async () => {
    const saved = await saveAreas(['05156', ' Bern ', 'bern']);
    expect([saved.status, saved.body.data.deliveryAreas]).toEqual([200, ['05156', 'Bern']]);
    expect((await deliver()).status).toBe(201);
    const inBern = await deliver({ address: { ...ADDRESS, zipCode: '3011', city: 'BERN' } });
    expect(inBern.status).toBe(201);
    expect(inBern.body.data.deliveryDetails).not.toHaveProperty('isAreaConfirmed');
  });

  it('is refused anywhere else, and takes no stock', async () => {
    await saveAreas(['05157']);
    const left = await fixture.stockOf(product);
    for (const isAreaConfirmed of [undefined, true]) {
      const { status, body } = await deliver({ isAreaConfirmed });
      expect([status, body.code]).toEqual([409, 'OUT_OF_AREA']);
      expect(body.errors).toEqual([
        { path: 'deliveryDetails.address.zipCode', message: body.message },
      ]);
    }
    expect(await fixture.stockOf(product)).toBe(left);
  });

  it('is refused with the places where it can be picked up, if there are any', async () => {
    await saveAreas(['05157']);
    const refused = async () => (await deliver()).body;
    const before = await refused();
    expect(before.message).toContain('or pick the order up.');
    expect(before.data).toEqual({ places: [] });

    const place = await makePlace(fixture, fixture.farmer, { name: 'The red gate' });
    const closed = await makePlace(fixture, fixture.farmer, { name: 'The blue gate' });
    const hide = placeInput({ name: 'The blue gate', isActive: false });
    await fixture.call('PUT', `/farm/places/${closed}`, { as: fixture.farmer, body: hide });
    const { address } = placeInput();
    expect((await refused()).data).toEqual({
      places: [{ _id: place, name: 'The red gate', address }],
    });

    const setPickup = (acceptsPickup: boolean) =>
      fixture.platform.db.farmerProfile.update({
        where: { userId: fixture.farmer.id },
        data: { acceptsPickup },
      });
    await setPickup(false);
    const without = await refused();
    expect(without.message).toBe("This farm doesn't deliver to that address. Enter another one.");
    expect(without.data).toEqual({ places: [] });
    await setPickup(true);
    await fixture.call('DELETE', `/farm/places/${place}`, { as: fixture.farmer });
  });

  it('is up to the customer where the farm lists nothing', async () => {
    await saveAreas([]);
    expect((await deliver()).status).toBe(201);
    const confirmed = await deliver({ isAreaConfirmed: true });
    expect(confirmed.body.data.deliveryDetails).toMatchObject({ isAreaConfirmed: true });
    const { body } = await fixture.call('GET', `/orders/${confirmed.body.data._id}`, {
      as: fixture.farmer,
    });
    expect(body.data).toEqual(confirmed.body.data);
    expect((await deliver({ isAreaConfirmed: false })).body.code).toBe('OUT_OF_AREA');
  });

  it.each([
    [['']],
    [['  ']],
    [['--']],
    [['x'.repeat(101)]],
    [Array.from({ length: 201 }, (_, index) => `area ${index}`)],
    ['05156'],
    [[5156]],
    [null],
  ])('is not shown areas like %j', async (areas) => {
    expect((await saveAreas(areas)).status).toBe(400);
  });
});
