import { afterEach, expect, it } from 'vitest';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { examplePrice } from './WhyChoose.tsx';

afterEach(() => setMarket(DEFAULT_MARKET));

it.each([
  ['PKR', 520],
  ['JPY', 520],
  ['EUR', 5.2],
  ['USD', 5.2],
])('in %s is %d', (code, price) => {
  setMarket({ ...DEFAULT_MARKET, currency: { ...DEFAULT_MARKET.currency, code } });
  expect(examplePrice(520)).toBe(price);
});
