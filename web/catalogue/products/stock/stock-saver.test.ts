// @vitest-environment happy-dom

import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { StockChange, StockResult } from '#contract/catalogue/products/products';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { ApiError } from '../../../platform/api/api-error.ts';
import { store, tokenAtom, userAtom } from '../../../platform/session/session.ts';
import { aToken, aUser } from '../../../platform/testing/network.ts';
import { createStockSaver, type SendStock, type StockSaver } from './stock-saver.ts';

const product = (quantityAvailable: number, over: Partial<Product> = {}): Product => ({
  _id: '22222222-0000-4000-8000-000000000001',
  name: 'Kale',
  description: '',
  category: null,
  price: 2,
  unit: 'bunch',
  soldBy: 'unit',
  quantityAvailable,
  images: [],
  isOrganic: false,
  harvestDate: null,
  availableUntil: null,
  isActive: true,
  farmer: {
    _id: '33333333-0000-4000-8000-000000000001',
    name: 'Finn',
    farmName: '',
    address: { street: '', city: '', state: '', zipCode: '' },
  },
  createdAt: '2026-11-01T10:00:00.000Z',
  version: 1,
  ...over,
});
const kale = product(12);
const id = kale._id;

let opened: StockSaver | undefined;
beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  store.set(tokenAtom, aToken);
  store.set(userAtom, aUser('farmer'));
});
afterEach(() => {
  opened?.stop();
  vi.useRealTimers();
});

/** A saver whose server decides as the real one does, from a stock that tests change. */
function createSaver({ stock = 12, fails = [] as Error[] } = {}) {
  const server = { stock, price: 2 };
  const sent: StockChange[] = [];
  const merged: number[] = [];
  const send: SendStock = async ([change]) => {
    if (!change) throw new Error('No change');
    sent.push(change);
    const { quantityAvailable: to, seen, price } = change;
    const isOther = to !== undefined && to !== server.stock;
    if (isOther && seen !== undefined && seen !== server.stock) {
      const current = product(server.stock);
      return [{ _id: id, code: 'STOCK_CHANGED', message: `${server.stock} left now.`, current }];
    }
    if (to !== undefined) server.stock = to;
    if (price !== undefined) server.price = price;
    const failure = fails.shift();
    // The change was made, the answer is lost.
    if (failure) throw failure;
    return [{ _id: id, product: product(server.stock, { price: server.price }) }] as StockResult[];
  };
  opened?.stop();
  const saver = createStockSaver(send, (_, { quantityAvailable }) => {
    merged.push(quantityAvailable);
  });
  saver.watch(new QueryClient());
  opened = saver;
  return { saver, server, sent, merged };
}

const offline = () => new ApiError('No answer.', { status: 0, code: 'NETWORK' });
const settle = () => vi.advanceTimersByTimeAsync(1_500);

describe('a step', () => {
  it('shows at once, and several are saved together', async () => {
    const { saver, sent, merged } = createSaver();
    for (const by of [1, 1, -1, 1]) saver.step(kale, by);
    expect(saver.get(id)).toMatchObject({ quantity: '14', status: 'edited' });
    expect(sent).toEqual([]);
    await settle();
    expect(sent).toEqual([{ product: id, quantityAvailable: 14, seen: 12 }]);
    expect(merged).toEqual([14]);
    expect(saver.get(id)).toMatchObject({ quantity: null, status: 'saved' });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(saver.get(id).status).toBe('clean');
  });

  it('never goes below none', async () => {
    const { saver, sent } = createSaver({ stock: 1 });
    for (let presses = 0; presses < 5; presses++) saver.step(product(1), -1);
    await settle();
    expect(sent).toEqual([{ product: id, quantityAvailable: 0, seen: 1 }]);
  });

  it('goes on from what is left when something was sold', async () => {
    const { saver, server, sent } = createSaver();
    saver.step(kale, 5);
    server.stock = 9;
    await settle();
    expect(sent.at(-1)).toEqual({ product: id, quantityAvailable: 14, seen: 9 });
    expect(server.stock).toBe(14);
  });

  it('made while the row is saving is saved after the answer', async () => {
    const { saver, server, sent } = createSaver();
    saver.step(kale, 1);
    const saving = saver.save(id);
    saver.step(kale, 1);
    await saving;
    expect(saver.get(id)).toMatchObject({ quantity: '14', status: 'edited' });
    await settle();
    expect(sent.map(({ seen }) => seen)).toEqual([12, 13]);
    expect(server.stock).toBe(14);
  });
});

describe('a typed stock', () => {
  it('is refused when another stock was seen, and the person decides', async () => {
    const { saver, server } = createSaver();
    saver.typeQuantity(kale, '20', 12);
    server.stock = 10;
    await settle();
    expect(saver.get(id)).toMatchObject({ status: 'refused', left: 10, message: '10 left now.' });
    expect(saver.hasProblem()).toBe(true);
    await saver.save(id);
    expect(server.stock).toBe(20);
    expect(saver.hasProblem()).toBe(false);
  });

  it('that is typed again after the present one was shown replaces that', async () => {
    const { saver, server } = createSaver();
    saver.typeQuantity(kale, '20', 12);
    server.stock = 10;
    await settle();
    saver.typeQuantity(kale, '15', 12);
    await settle();
    expect(server.stock).toBe(15);
  });

  it.each(['', 'many', '1.5', '-1', '1000001'])('of "%s" is not sent', async (text) => {
    const { saver, sent } = createSaver();
    saver.typeQuantity(kale, text, 12);
    await settle();
    expect(saver.get(id)).toMatchObject({ status: 'refused', message: 'Enter a whole number.' });
    expect(sent).toEqual([]);
    saver.discard(id);
    expect(saver.get(id)).toMatchObject({ quantity: null, status: 'clean' });
  });
});

it('is sold out whatever was sold meanwhile', async () => {
  const { saver, server, sent } = createSaver();
  server.stock = 7;
  saver.sellOut(kale);
  await settle();
  expect(sent).toEqual([{ product: id, quantityAvailable: 0 }]);
  expect(server.stock).toBe(0);
});

it('is sold out until the morning for what was seen, and for good once the stock is set by hand', async () => {
  const { saver, sent } = createSaver();
  saver.sellOut(kale, 'morning');
  await settle();
  saver.typeQuantity({ ...kale, quantityAvailable: 0 }, '0', 0);
  saver.step({ ...kale, quantityAvailable: 0 }, 2);
  await settle();
  expect(sent).toEqual([
    { product: id, quantityAvailable: 0, seen: 12, untilMorning: true },
    { product: id, quantityAvailable: 2, seen: 0 },
  ]);
});

it('saves stock and price of a row together, and refuses a price that is none', async () => {
  const { saver, sent } = createSaver();
  saver.typePrice(kale, '4.35');
  saver.step(kale, 1);
  await settle();
  expect(sent).toEqual([{ product: id, quantityAvailable: 13, seen: 12, price: 4.35 }]);
  saver.typePrice(kale, '0');
  await settle();
  expect(saver.get(id)).toMatchObject({ status: 'refused', message: 'Valid price is required' });
});

describe('without an answer', () => {
  it('sends the same again, which changes nothing twice', async () => {
    const { saver, server, sent } = createSaver({ fails: [offline(), offline()] });
    saver.step(kale, 3);
    await settle();
    expect(saver.get(id)).toMatchObject({ status: 'unsent', quantity: '15' });
    await saver.saveAll();
    await settle();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map((change) => JSON.stringify(change))).size).toBe(1);
    expect(server.stock).toBe(15);
    expect(saver.hasProblem()).toBe(false);
  });

  it('asks when something was sold since, because the first try may have counted', async () => {
    const { saver, server } = createSaver({ fails: [offline()] });
    saver.step(kale, 3);
    await settle();
    server.stock -= 2;
    expect(await saver.saveAll()).toEqual([]);
    expect(saver.get(id)).toMatchObject({ status: 'refused', left: 13 });
    expect(server.stock).toBe(13);
  });
});

describe('what is not saved yet', () => {
  it('may have counted when its tab was closed while it was saving', async () => {
    const closed = createStockSaver(() => new Promise(() => undefined));
    closed.watch(new QueryClient());
    closed.step(kale, 3);
    void closed.save(id);
    closed.stop();
    const { saver } = createSaver({ stock: 13 });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(saver.get(id)).toMatchObject({ status: 'refused', left: 13 });
  });

  it('is asked about again after a reload where it was refused', async () => {
    createSaver().saver.typeQuantity(kale, 'many', 12);
    await settle();
    const { saver } = createSaver();
    expect(saver.get(id)).toMatchObject({ quantity: 'many', status: 'refused' });
    saver.discardRefused();
    expect(saver.get(id).status).toBe('clean');
  });

  it('is dropped once its person works for another farm', async () => {
    createSaver().saver.typeQuantity(kale, '20', 12);
    const membership = { farmId: 'another', role: 'manager' } as const;
    store.set(userAtom, { ...aUser('farmer'), membership });
    const { saver, sent } = createSaver();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sent).toEqual([]);
    expect(saver.get(id).status).toBe('clean');
  });

  it('is left alone by the answer to what a colleague typed on the same device', async () => {
    let answer = (_: StockResult[]) => {};
    const saver = createStockSaver(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    saver.watch(new QueryClient());
    saver.step(kale, 1);
    void saver.save(id);
    const membership = { farmId: aUser('farmer')._id, role: 'manager' } as const;
    store.set(userAtom, { ...aUser('farmer'), _id: 'bo', membership });
    saver.typeQuantity(kale, '40', 12);
    answer([{ _id: id, product: product(13) }]);
    await vi.advanceTimersByTimeAsync(0);
    expect(saver.get(id).quantity).toBe('40');
    store.set(userAtom, aUser('farmer'));
    expect(saver.get(id).quantity).toBeNull();
    saver.stop();
  });

  it.each(['NOT_FOUND', 'FORBIDDEN'])('is dropped where the answer is %s', async (code) => {
    const saver = createStockSaver(async () => [{ _id: id, code, message: 'No.' }]);
    saver.watch(new QueryClient());
    saver.step(kale, 1);
    await settle();
    expect(saver.get(id).status).toBe('clean');
    saver.stop();
  });
});

it('waits for all that is typed, also for what is on its way', async () => {
  const { saver, sent } = createSaver();
  saver.typePrice(kale, '3');
  void saver.save(id);
  const [stored] = await saver.saveAll();
  expect(stored?.price).toBe(3);
  expect(sent).toHaveLength(1);
  saver.typePrice(kale, '4');
  expect(await saver.saveAll()).toMatchObject([{ price: 4 }]);
  expect(await saver.saveAll()).toEqual([]);
});

describe('a product in steps', () => {
  const carrots = (stock: number, over: Partial<Product> = {}) =>
    product(stock, { name: 'Carrots', unit: 'kg', step: 0.25, ...over });

  it('goes by its steps, to the next one from between two', async () => {
    const { saver, sent } = createSaver({ stock: 1.3 });
    saver.step(carrots(1.3), 1);
    expect(saver.get(id)).toMatchObject({ quantity: '1.5' });
    saver.step(carrots(1.3), 1);
    for (let presses = 0; presses < 3; presses++) saver.step(carrots(1.3), -1);
    expect(saver.get(id)).toMatchObject({ quantity: '1' });
    await settle();
    expect(sent).toEqual([{ product: id, quantityAvailable: 1, seen: 1.3 }]);
  });

  it('adds up tenths exactly, and goes down to none', () => {
    const { saver } = createSaver();
    const tenths = carrots(0, { step: 0.1 });
    for (let presses = 0; presses < 3; presses++) saver.step(tenths, 1);
    expect(saver.get(id)).toMatchObject({ quantity: '0.3' });
    for (let presses = 0; presses < 9; presses++) saver.step(tenths, -1);
    expect(saver.get(id)).toMatchObject({ quantity: '0' });
  });

  it.each(['1.3', '1.0005', '1e3', '-0.25', '', '1,2,3'])('does not send %j', async (text) => {
    const { saver, sent } = createSaver();
    saver.typeQuantity(carrots(12), text, 12);
    await settle();
    expect(saver.get(id)).toMatchObject({
      status: 'refused',
      message: 'Enter a multiple of 0.25 kg, such as 1.25 kg.',
    });
    expect(sent).toEqual([]);
  });

  it('takes stock and price as the market writes them', async () => {
    setMarket({ ...DEFAULT_MARKET, locale: 'id-ID' });
    const { saver, sent } = createSaver();
    saver.typeQuantity(carrots(12), '1.200', 12);
    saver.typePrice(carrots(12), '25.000');
    await settle();
    expect(sent).toEqual([{ product: id, quantityAvailable: 1200, seen: 12, price: 25_000 }]);
    saver.step(carrots(12.75), -1);
    expect(saver.get(id).quantity).toBe('12,5');
    await settle();
    setMarket(DEFAULT_MARKET);
  });

  it('sends nothing while it asks which of two numbers is meant', async () => {
    const { saver, sent } = createSaver();
    saver.typePrice(carrots(12), '25.000');
    await settle();
    expect(saver.get(id)).toMatchObject({ status: 'refused', message: 'Choose what you mean.' });
    expect(sent).toEqual([]);
    saver.typePrice(carrots(12), '25000');
    await settle();
    expect(sent).toEqual([{ product: id, price: 25_000 }]);
  });

  it('keeps a returned rest while only its price changes', async () => {
    const { saver, sent } = createSaver({ stock: 1.3 });
    saver.typeQuantity(carrots(1.3), '1.3', 1.3);
    saver.typePrice(carrots(1.3), '4,50');
    await settle();
    expect(sent).toEqual([{ product: id, quantityAvailable: 1.3, seen: 1.3, price: 4.5 }]);
  });
});

describe('a product in sizes', () => {
  const sizes = [
    { _id: 'aaaaaaaa-0000-4000-8000-000000000001', label: '1 kg', content: 1, price: 3 },
    { _id: 'aaaaaaaa-0000-4000-8000-000000000002', label: '5 kg', content: 5, price: 12 },
  ].map((size) => ({ ...size, isActive: true }));
  const carrots = product(12.5, { unit: 'kg', sizes });
  const [small, large] = sizes.map(({ _id }) => _id);
  const rowOfSize = (size = '') => `${id}:${size}`;

  it('has a price for each, saved by itself beside the stock', async () => {
    const { saver, sent } = createSaver({ stock: 12.5 });
    saver.typePrice(carrots, '3.5', small);
    saver.typePrice(carrots, '13', large);
    saver.typeQuantity(carrots, '20.125', 12.5);
    expect(saver.get(rowOfSize(small))).toMatchObject({ price: '3.5', quantity: null });
    expect(saver.get(id)).toMatchObject({ price: null, quantity: '20.125' });
    await settle();
    expect(sent).toHaveLength(3);
    expect(sent).toEqual(
      expect.arrayContaining([
        { product: id, size: small, price: 3.5 },
        { product: id, size: large, price: 13 },
        { product: id, quantityAvailable: 20.125, seen: 12.5 },
      ]),
    );
    expect(saver.get(rowOfSize(large))).toMatchObject({ price: null, status: 'saved' });
  });

  it('keeps what was typed of each without a connection, and is discarded by itself', async () => {
    const { saver, sent } = createSaver({ fails: [offline(), offline()] });
    saver.typePrice(carrots, '3.5', small);
    saver.typePrice(carrots, '0', large);
    await settle();
    expect(saver.get(rowOfSize(small)).status).toBe('unsent');
    expect(saver.get(rowOfSize(large))).toMatchObject({
      status: 'refused',
      message: 'Valid price is required',
    });
    saver.discard(rowOfSize(large));
    expect(saver.get(rowOfSize(large)).status).toBe('clean');
    expect(saver.get(rowOfSize(small)).price).toBe('3.5');
    expect(sent).toEqual([{ product: id, size: small, price: 3.5 }]);
  });

  it('is counted up in whole units, from any thousandth', async () => {
    const { saver, sent } = createSaver({ stock: 12.5 });
    saver.step(carrots, 1);
    await settle();
    expect(sent).toEqual([{ product: id, quantityAvailable: 13, seen: 12.5 }]);
  });
});
