import { expect, it } from 'vitest';
import type { UserAddress } from '#contract/people/addresses/addresses';
import { ADDRESSES_MAX } from '#contract/people/addresses/constants';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';

const market = closeAfter(await startTestMarket());

/** Where everybody of the tests lives who registers. */
const HOME = { street: '1 Mill Lane', city: 'Ashford', state: 'VT', zipCode: '05001' };
const place = (street: string) => ({ street, city: 'Putney', state: 'VT', zipCode: '05346' });

const list = async (as: Caller): Promise<UserAddress[]> =>
  (await market.get('/users/addresses', as)).body.data;
const add = (as: Caller, street: string, over = {}) =>
  market.post('/users/addresses', as, { address: place(street), ...over });
const change = (as: Caller, id: string, body: unknown) =>
  market.put(`/users/addresses/${id}`, as, body);
const remove = (as: Caller, id: string) => market.delete(`/users/addresses/${id}`, as);
const profileOf = async (as: Caller) => (await market.get('/auth/me', as)).body.user.address;
const saveProfile = (as: Caller, address: unknown) =>
  market.put('/users/profile', as, { name: as.name, address });
const preferred = async (as: Caller) => (await list(as)).filter(({ isPreferred }) => isPreferred);

it('begins with the address of the registration, preferred', async () => {
  const consumer = await market.join('consumer');
  expect(await list(consumer)).toMatchObject([{ label: '', address: HOME, isPreferred: true }]);
});

it('keeps the profile and the preferred address the same, in both directions', async () => {
  const consumer = await market.join('consumer');
  const work = (await add(consumer, '2 Elm Street', { label: ' Work ' })).body.data;
  expect(work).toMatchObject({ label: 'Work', isPreferred: false });
  expect(await profileOf(consumer)).toEqual(HOME);

  expect((await change(consumer, work._id, { isPreferred: true })).status).toBe(200);
  expect(await profileOf(consumer)).toEqual(place('2 Elm Street'));
  await change(consumer, work._id, { address: place('3 Elm Street') });
  expect(await profileOf(consumer)).toEqual(place('3 Elm Street'));

  await saveProfile(consumer, { city: 'Dover' });
  expect(await preferred(consumer)).toMatchObject([
    { _id: work._id, label: 'Work', address: { ...place('3 Elm Street'), city: 'Dover' } },
  ]);

  // Without an address in the profile none is preferred; one that is known is preferred again.
  await saveProfile(consumer, { street: '', city: '', state: '', zipCode: '' });
  expect(await preferred(consumer)).toEqual([]);
  expect(await list(consumer)).toHaveLength(1);
  await saveProfile(consumer, HOME);
  expect(await list(consumer)).toMatchObject([{ address: HOME, isPreferred: true }]);
});

it('prefers the one used last of the rest when the preferred one is removed, and none after the last', async () => {
  const consumer = await market.join('consumer');
  const [home] = await list(consumer);
  const [one, two] = [
    (await add(consumer, '2 Elm Street')).body.data,
    (await add(consumer, '3 Elm Street')).body.data,
  ];
  const lastUsedAt = new Date();
  await market.platform.db.userAddress.update({ where: { id: one._id }, data: { lastUsedAt } });
  expect((await remove(consumer, home?._id ?? '')).status).toBe(200);
  expect(await preferred(consumer)).toMatchObject([{ _id: one._id }]);
  expect(await profileOf(consumer)).toEqual(place('2 Elm Street'));
  await remove(consumer, one._id);
  expect(await preferred(consumer)).toMatchObject([{ _id: two._id }]);
  await remove(consumer, two._id);
  expect(await profileOf(consumer)).toEqual({ street: '', city: '', state: '', zipCode: '' });
  expect((await remove(consumer, two._id)).status).toBe(404);
  // The next one is the first again.
  await add(consumer, '4 Elm Street');
  expect(await profileOf(consumer)).toEqual(place('4 Elm Street'));
});

it('keeps ten at most, however many come at once, and exactly one preferred', async () => {
  const consumer = await market.join('consumer');
  const answers = await Promise.all(
    Array.from({ length: 2 * ADDRESSES_MAX }, (_, number) =>
      add(consumer, `${number} Elm Street`, { isPreferred: true }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(ADDRESSES_MAX - 1);
  expect(answers.find(({ status }) => status !== 201)).toMatchObject({
    status: 409,
    body: { code: 'TOO_MANY_ADDRESSES' },
  });
  const kept = await list(consumer);
  expect(kept).toHaveLength(ADDRESSES_MAX);

  await Promise.all(kept.map(({ _id }) => change(consumer, _id, { isPreferred: true })));
  const [now, ...others] = await preferred(consumer);
  expect(others).toEqual([]);
  expect(await profileOf(consumer)).toEqual(now?.address);
});

it('stays consistent when the preferred one is removed while others are preferred', async () => {
  const consumer = await market.join('consumer');
  const [home] = await list(consumer);
  const other = (await add(consumer, '2 Elm Street')).body.data;
  await Promise.all([
    remove(consumer, home?._id ?? ''),
    change(consumer, other._id, { isPreferred: true }),
    change(consumer, home?._id ?? '', { isPreferred: true }),
    saveProfile(consumer, { zipCode: '05999' }),
  ]);
  const [now, ...others] = await preferred(consumer);
  expect(others).toEqual([]);
  expect(await profileOf(consumer)).toEqual(now?.address);
  expect(now?._id).toBe(other._id);
});

it('shows nobody the addresses of others, and refuses what is no address', async () => {
  const [consumer, other] = [await market.join('consumer'), await market.join('consumer')];
  const [home] = await list(consumer);
  const id = home?._id ?? '';
  expect((await change(other, id, { label: 'Mine' })).status).toBe(404);
  expect((await remove(other, id)).status).toBe(404);
  expect((await change(other, id.toUpperCase(), { label: 'Mine' })).status).toBe(404);
  for (const body of [
    {},
    { address: {} },
    { address: { street: ' ', city: 'Putney' } },
    { address: place('2 Elm Street'), label: 'x'.repeat(61) },
    { address: place('2 Elm Street'), label: 'Two\nlines' },
  ]) {
    expect((await market.post('/users/addresses', other, body)).status).toBe(400);
  }
  expect((await change(consumer, id, { isPreferred: false })).status).toBe(400);
});

it('offers the address that was ordered to last first', async () => {
  const [consumer, farmer] = [await market.join('consumer'), await market.join('farmer')];
  const profile = { farmName: 'Hill', description: 'Soil.', acceptsDelivery: true };
  await market.put('/users/farmers/profile', farmer, profile);
  const category = await makeCategory(market.platform);
  const input = productInput(category);
  const made = await market.post('/products', farmer, input);
  const work = (await add(consumer, '2 Elm Street')).body.data;
  const body = orderInput(farmer.id, [{ product: made.body.data._id, quantity: 1 }]);
  const { pickupDetails, ...rest } = body;
  const deliver = (address: unknown) =>
    market.post('/orders', consumer, {
      ...rest,
      deliveryDetails: { date: pickupDetails.date, time: '10:00', address },
    });
  expect((await deliver(place('2 Elm Street'))).status).toBe(201);
  expect((await list(consumer))[0]?._id).toBe(work._id);
  await deliver(HOME);
  expect((await list(consumer))[0]?.address).toEqual(HOME);
});

it('moves a farm to the town that its founder prefers', async () => {
  const farmer = await market.join('farmer');
  const read = async () =>
    (await market.get(`/users/farmers/${farmer.id}`)).body.data.farmer.address.city;
  expect(await read()).toBe('Ashford');
  await add(farmer, '2 Elm Street', { isPreferred: true });
  expect(await read()).toBe('Putney');
});
