import { afterEach, expect, it } from 'vitest';
import { DEFAULT_MARKET, setMarket, theMarket } from '#contract/platform/market/constants';
import { DEMO_CONTACT } from '#contract/platform/market/constants/choices';
import { readMarket } from '../../platform/market/settings.ts';
import { startTestMarket, type TestMarket } from '../../testing/market.ts';
import { beginMarket } from './service.ts';

let market: TestMarket;
afterEach(async () => {
  await market.close();
  setMarket(DEFAULT_MARKET);
});

it('begins with the values of the environment, and keeps its own at later starts', async () => {
  market = await startTestMarket({
    UNANSWERED_AFTER_SECONDS: '90',
    MARKET_TIME_ZONE: 'europe/berlin',
  });
  const begun = {
    ...DEFAULT_MARKET,
    // Until an admin changes or empties it.
    contact: DEMO_CONTACT,
    version: 1,
    unansweredMinutes: 1.5,
    timeZone: 'Europe/Berlin',
  };
  const { status, body } = await market.get('/market');
  expect([status, body]).toEqual([200, { success: true, data: begun }]);
  expect(theMarket()).toEqual(begun);
  const { platform } = market;
  const env = { ...platform.env, MARKET_TIME_ZONE: 'Asia/Tokyo', UNANSWERED_AFTER_SECONDS: 1 };
  await beginMarket({ ...platform, env });
  expect(await readMarket(platform.db)).toEqual(begun);
});
