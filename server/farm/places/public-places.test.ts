import { beforeEach, expect, it, test } from 'vitest';
import type { FarmerCard } from '#contract/farm/farmers/farmers';
import {
  type Caller,
  closeAfter,
  makeCategory,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';
import { makePlace, placeInput } from '../../testing/slots.ts';

// What everyone sees of a farm's pickup places, and who is found by their towns.

const market = closeAfter(await startTestMarket());
const { get, put } = market;
const category = await makeCategory(market.platform);
const POSITION = { latitude: 33.67112, longitude: 73.04791 };

let farmer: Caller;
beforeEach(async () => {
  farmer = await market.join('farmer');
  await saveFarm();
  await market.post('/products', farmer, productInput(category));
});

const saveFarm = (change: Record<string, unknown> = {}) =>
  put('/users/farmers/profile', farmer, { farmName: 'Mill', description: 'Soil.', ...change });
const hours = (from: string, to: string) => [
  { weekday: 'thursday', from, to, slotMinutes: 60, capacity: null },
];
const at = (city: string) => ({ street: '1 Gate', city, state: '', zipCode: '' });
const page = async (as?: Caller) => (await get(`/users/farmers/${farmer.id}`, as)).body.data;
const placesOf = async (as?: Caller) => (await page(as)).places;

/** What the farm's card and its product's card say of the places, which is the same. */
async function spots() {
  const [farms, products] = await Promise.all([
    get('/users/farmers?limit=200'),
    get(`/products?farmer=${farmer.id}`),
  ]);
  const card = farms.body.data.find(({ _id }: FarmerCard) => _id === farmer.id);
  const { places } = products.body.data[0].farmer.handoff;
  expect(card.handoff.places).toEqual(places);
  expect((await page()).handoff.places).toEqual(places);
  return places ?? [];
}

test('places that are active and have hours are on the farm page and on cards, as they come and go', async () => {
  expect([await placesOf(), await spots()]).toEqual([[], []]);
  const gate = await makePlace(market, farmer, {
    name: 'Red gate',
    address: at('Islamabad'),
    hours: hours('16:00', '18:00'),
    position: { latitude: 33.671119, longitude: 73.047911 },
  });
  const openings = [{ days: ['thursday'], open: '16:00', close: '18:00' }];
  expect(await placesOf()).toEqual([
    {
      _id: gate,
      name: 'Red gate',
      address: at('Islamabad'),
      ...{ directions: 'Behind the barn.', phone: '555-0100' },
      position: POSITION,
      openings,
    },
  ]);
  expect(await spots()).toEqual([{ town: 'Islamabad', openings, position: POSITION }]);

  const stall = await makePlace(market, farmer, {
    name: 'A stall',
    address: at('Haripur'),
    hours: [],
  });
  expect(await placesOf()).toHaveLength(1);
  await put(`/farm/places/${stall}`, farmer, { hours: hours('08:00', '10:00') });
  const names = async () => (await placesOf()).map(({ name }: { name: string }) => name);
  const towns = async () => (await spots()).map(({ town }: { town: string }) => town);
  expect([await names(), await towns()]).toEqual([
    ['A stall', 'Red gate'],
    ['Haripur', 'Islamabad'],
  ]);

  await put(`/farm/places/${gate}`, farmer, { isActive: false });
  expect([await names(), await towns()]).toEqual([['A stall'], ['Haripur']]);
  await put(`/farm/places/${gate}`, farmer, { isActive: true, address: at('Attock') });
  expect(await towns()).toEqual(['Haripur', 'Attock']);
  await put(`/farm/places/${gate}`, farmer, { position: null });
  expect((await placesOf())[1].position).toBeNull();
  expect((await spots())[1]).not.toHaveProperty('position');

  await saveFarm({ acceptsPickup: false });
  expect([await placesOf(), await spots()]).toEqual([[], []]);
  await saveFarm({ acceptsPickup: true });
  await market.delete(`/farm/places/${gate}`, farmer);
  expect([await names(), await towns()]).toEqual([['A stall'], ['Haripur']]);
});

test('whoever may see the page of a farm that is off the market sees no places, but admins do', async () => {
  await makePlace(market, farmer);
  const admin = await market.join('admin');
  await put(`/users/${farmer.id}/suspension`, admin, { suspended: true });
  expect((await get(`/users/farmers/${farmer.id}`)).status).toBe(404);
  expect(await placesOf(admin)).toHaveLength(1);
});

it.each([
  { latitude: 90.1, longitude: 0 },
  { latitude: 0, longitude: -180.1 },
  { latitude: 0 },
  { latitude: '33', longitude: '73' },
  '33, 73',
  [33, 73],
])('a position of %o is refused', async (position) => {
  const place = await market.post('/farm/places', farmer, placeInput({ position }));
  expect([place.status, place.body.code]).toEqual([400, 'INVALID']);
  expect((await saveFarm({ position })).status).toBe(400);
});

test('a farm says where it is, to about a metre, and takes that away', async () => {
  const position = { latitude: 33.671119, longitude: 73.047911 };
  expect((await page()).profile.position).toBeNull();
  await saveFarm({ position });
  expect((await page()).profile.position).toEqual(POSITION);
  const { body } = await get('/users/farmers?limit=200');
  const card = body.data.find(({ _id }: FarmerCard) => _id === farmer.id);
  expect(card.position).toEqual(POSITION);
  // What is left out stays.
  await saveFarm({ farmName: 'Hill' });
  expect((await page()).profile.position).toEqual(POSITION);
  await saveFarm({ position: null });
  expect((await page()).profile.position).toBeNull();
});

test('products and farms are found by the towns of the farm and of its places', async () => {
  const gate = await makePlace(market, farmer, { address: at('Māri Petrol') });
  await makePlace(market, farmer, { address: at('mari petrol') });
  const townQuery = (town: string) => `town=${encodeURIComponent(town)}&farmer=${farmer.id}`;
  const found = async (town: string) => {
    const [list, facets, farms] = await Promise.all([
      get(`/products?${townQuery(town)}`),
      get(`/products/facets?${townQuery(town)}`),
      get(`/users/farmers?limit=200&search=${encodeURIComponent(town)}`),
    ]);
    const isFarmFound = farms.body.data.some(({ _id }: FarmerCard) => _id === farmer.id);
    expect(facets.body.data.found.count).toBe(list.body.data.length);
    expect(isFarmFound).toBe(list.body.data.length === 1);
    return list.body.data.length;
  };
  for (const town of ['Mari Petrol', 'MĀRI PETROL', 'ashford']) expect(await found(town)).toBe(1);
  expect(await found('Lahore')).toBe(0);
  // Words of how the places are stored name nothing.
  expect(await found('openings')).toBe(0);

  const { body } = await get(`/products/facets?farmer=${farmer.id}`);
  const choice = { count: 1, isExact: true };
  expect(body.data.towns).toEqual([
    { name: 'Ashford', ...choice },
    { name: expect.stringMatching(/^m[aā]ri petrol$/i), ...choice },
  ]);

  await put(`/farm/places/${gate}`, farmer, { isActive: false });
  expect(await found('Mari Petrol')).toBe(1);
  await saveFarm({ acceptsPickup: false });
  expect(await found('Mari Petrol')).toBe(0);
  expect(await found('Ashford')).toBe(1);
});
