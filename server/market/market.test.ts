import { expect, it } from 'vitest';
import { startTestMarket } from '../testing/market.ts';

it('tells a visitor after how many minutes the server calls an order unanswered', async () => {
  const market = await startTestMarket({ UNANSWERED_AFTER_SECONDS: '90' });
  const { status, body } = await market.call('GET', '/market');
  expect([status, body]).toEqual([200, { success: true, data: { unansweredMinutes: 1.5 } }]);
  await market.close();
});
