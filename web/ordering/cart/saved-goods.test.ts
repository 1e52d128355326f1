// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import { ownedKey, VISITOR } from '../../platform/session/owned.ts';
import type { Goods } from './rules.ts';
import { keepGoods, peekSavedGoods, takeSavedGoods } from './saved-goods.ts';
import { someGoods } from './testing/goods.ts';

const KEY = ownedKey(VISITOR, 'kept-goods');
const goods = (name: string): Goods => ({ ...someGoods(1, { name }), _id: name });
const kept = () => peekSavedGoods().map(({ goods: { name }, quantity }) => `${quantity} ${name}`);

beforeEach(() => {
  takeSavedGoods();
  sessionStorage.clear();
});

it('keeps each product once, with the last quantity, and gives all of them once', () => {
  keepGoods(goods('Plums'), 1);
  keepGoods(goods('Pears'), 2);
  keepGoods(goods('Plums'), 3);
  expect(kept()).toEqual(['2 Pears', '3 Plums']);
  expect(takeSavedGoods().map((each) => each.goods.name)).toEqual(['Pears', 'Plums']);
  expect(takeSavedGoods()).toEqual([]);
  expect(sessionStorage.getItem(KEY)).toBeNull();
});

it('keeps parts of a unit and the steps in which they are sold, over a reload', async () => {
  keepGoods({ ...goods('Plums'), quantityAvailable: 1.3, step: 0.25, minimum: 0.5 }, 0.75);
  vi.resetModules();
  const again = await import('./saved-goods.ts');
  expect(again.peekSavedGoods()).toMatchObject([
    { goods: { quantityAvailable: 1.3, step: 0.25, minimum: 0.5 }, quantity: 0.75 },
  ]);
});

it('drops goods after an hour, and those of a time in the future', () => {
  const now = Date.now();
  keepGoods(goods('Plums'), 1, undefined, now);
  expect(peekSavedGoods(now + 59 * 60_000)).toHaveLength(1);
  expect(peekSavedGoods(now + 60 * 60_000)).toEqual([]);
  expect(peekSavedGoods(now - 1)).toEqual([]);
});

it.each(['{broken', '7', '[{"goods":{"_id":1}}]', '[{"goods":null,"quantity":1,"at":1}]'])(
  'ignores a stored value that is %s',
  (stored) => {
    sessionStorage.setItem(KEY, stored);
    expect(peekSavedGoods()).toEqual([]);
  },
);
