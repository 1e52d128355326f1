import { afterEach, expect, it } from 'vitest';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { marketFileName } from '#contract/platform/text/constants/formats';

afterEach(() => setMarket(DEFAULT_MARKET));

it.each([
  ['Farmgate', 'farmgate-orders.csv'],
  ["Tom & Ann's  Hill/Market", 'tom-ann-s-hill-market-orders.csv'],
  ['Базар Ürün', 'базар-ürün-orders.csv'],
  ['../..', 'market-orders.csv'],
])('names a file of %s', (name, file) => {
  setMarket({ ...DEFAULT_MARKET, name });
  expect(marketFileName('orders.csv')).toBe(file);
});
