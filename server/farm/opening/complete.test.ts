import { expect, it } from 'vitest';
import type { FarmOpening } from '#contract/farm/opening/opening';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import { makeSlot } from '../../testing/slots.ts';

// What a farm can sell without, and is asked for until it is complete.

const market = closeAfter(await startTestMarket());

const missing = async (as: Caller): Promise<string[]> => {
  const opening: FarmOpening = (await market.get('/farm/opening', as)).body.data;
  return (opening.further ?? [])
    .filter(({ isDone, isSetAside }) => !isDone && !isSetAside)
    .map(({ step }) => step);
};

it('asks for what makes a farm complete until it is there', async () => {
  const farm = await market.join('farmer');
  expect(await missing(farm)).toEqual(['place', 'payment', 'people']);
  await makeSlot(market, farm);
  expect(await missing(farm)).toEqual(['payment', 'people']);
  const { version } = (await market.get('/farm/payment', farm)).body.data;
  const payment = { details: 'Account 1234', expectedVersion: version };
  expect((await market.put('/farm/payment', farm, payment)).status).toBe(200);
  expect(await missing(farm)).toEqual(['people']);
  await market.post('/farm/members/link', farm, { role: 'packer' });
  expect(await missing(farm)).toEqual([]);
});

it('asks no longer for what is set aside, until that is taken back', async () => {
  const farm = await market.join('farmer');
  const setAside = (steps: string[]) => market.put('/farm/opening', farm, { steps });
  expect((await setAside(['people', 'people', 'place'])).status).toBe(200);
  expect(await missing(farm)).toEqual(['payment']);
  await setAside([]);
  expect(await missing(farm)).toEqual(['place', 'payment', 'people']);
  expect((await setAside(['profile'])).status).toBe(400);
});
