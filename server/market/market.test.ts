import { expect, it } from 'vitest';
import { startTestMarket } from '../testing/market.ts';

it('tells a visitor when an order counts as unanswered, and by which clock days are counted', async () => {
  const market = await startTestMarket({
    UNANSWERED_AFTER_SECONDS: '90',
    MARKET_TIME_ZONE: 'europe/berlin',
  });
  const { status, body } = await market.call('GET', '/market');
  expect([status, body]).toEqual([
    200,
    { success: true, data: { unansweredMinutes: 1.5, timeZone: 'Europe/Berlin' } },
  ]);
  await market.close();
});
