// @vitest-environment happy-dom

import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Route } from 'wouter';
import { changesOf, totalsOf } from '#contract/ordering/picklist/pick-summary';
import type { PickOrder, PickTick } from '#contract/ordering/picklist/picklist';
import { Providers } from '../../app/Providers.tsx';
import PicklistPage from '../../pages/ordering/PicklistPage.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import {
  aToken,
  aUser,
  type Call,
  type Reply,
  refusal,
  stubNetwork,
} from '../../platform/testing/network.ts';
import { undoAtom } from './HarvestView.tsx';
import { queuedWorkAtom, stopWatchingWork } from './work/send-work.ts';

const farmer = aUser('farmer', 'Finn Grower');
const one = (data: unknown): Reply => ({ status: 200, body: { success: true, data } });
const date = '2026-11-28';
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const line = (number: number, over: Partial<PickOrder['lines'][number]>) => ({
  lineId: id(100 + number),
  product: { _id: id(1), name: 'Carrots', unit: 'lb' as const, image: null },
  quantity: 3,
  orderedQuantity: 3,
  price: 2,
  estimate: 6,
  isFinal: true,
  total: 6,
  printed: 0,
  ...over,
});
const order = (number: number, name: string, over: Partial<PickOrder> = {}): PickOrder => ({
  _id: id(200 + number),
  status: 'accepted',
  version: 2,
  customer: { _id: id(300 + number), name },
  notes: '',
  place: 'Farm gate',
  placeId: null,
  address: null,
  date,
  time: '10:00',
  packing: 'none',
  askedLineIds: [],
  changed: { sequence: 2, at: '2026-11-27T10:00:00.000Z', kind: 'status' },
  lines: [line(number, {})],
  ...over,
});
const chicken = (number: number) =>
  line(number, {
    product: { _id: id(2), name: 'Chicken', unit: 'kg', image: null },
    quantity: 1,
    orderedQuantity: 1,
    price: 480,
    pieceWeight: { average: 1.8, min: 1.4, max: 2.4 },
    estimate: 864,
    isFinal: false,
    total: 864,
  });

function listOf(orders: PickOrder[], ticks: PickTick[] = [], hasPrint = false) {
  const scope = { date, place: null };
  const print = {
    _id: id(9),
    number: 2,
    at: '2026-11-27T12:00:00.000Z',
    by: { _id: id(8), name: 'Ben' },
  };
  return {
    ...scope,
    orders,
    nextCursor: null,
    ticks,
    print: hasPrint ? print : null,
    products: totalsOf(orders, ticks, scope, hasPrint),
    changes: hasPrint ? changesOf(orders, scope) : [],
  };
}

const tickOf = ({ body }: Call): Reply => {
  const { expectedVersion, ...tick } = body as { expectedVersion: number };
  const by = { _id: farmer._id, name: farmer.name };
  return one({ ...tick, version: expectedVersion + 1, by, at: new Date().toISOString() });
};

beforeEach(() => {
  store.set(tokenAtom, aToken);
  store.set(userAtom, farmer);
});
afterEach(() => {
  cleanup();
  stopWatchingWork();
  store.set(queuedWorkAtom, []);
  store.set(undoAtom, []);
  store.set(userAtom, null);
  vi.unstubAllGlobals();
});

function open(
  list: ReturnType<typeof listOf>,
  query = '',
  replies: Parameters<typeof stubNetwork>[0] = {},
) {
  window.history.replaceState(null, '', `/farmer/picklist?date=${date}${query}`);
  const calls = stubNetwork({
    [`GET /users/farmers/${farmer._id}`]: one({ farmer, profile: { timeZone: 'UTC' } }),
    'GET /farm/places': one([]),
    'GET /farm/picklist': one(list),
    'GET /farm/picklist/days': one([]),
    'PUT /farm/picklist/ticks': tickOf,
    ...replies,
  });
  render(
    <Providers>
      <Route path="/farmer/picklist" component={PicklistPage} />
    </Providers>,
  );
  return calls;
}

const ticksOf = (calls: readonly Call[]) =>
  calls.filter(({ path }) => path === '/farm/picklist/ticks').map(({ body }) => body);

it('ticks all of a product by a press, and undoes it by U', async () => {
  const calls = open(listOf([order(1, 'Ann'), order(2, 'Ben')]));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Carrots, 6 lb' }));
  await waitFor(() => expect(ticksOf(calls)).toHaveLength(1));
  expect(ticksOf(calls)[0]).toMatchObject({
    date,
    productId: id(1),
    quantity: 6,
    expectedVersion: 0,
  });
  expect(screen.getByRole('checkbox', { checked: true, name: /Carrots/ })).toBeDefined();
  await waitFor(() => expect(store.get(queuedWorkAtom)).toEqual([]));
  await userEvent.keyboard('u');
  await waitFor(() => expect(ticksOf(calls)).toHaveLength(2));
  expect(ticksOf(calls)[1]).toMatchObject({ quantity: 0, expectedVersion: 1 });
});

it('ticks a product that was deleted by its name, also one whose deletion arrives between', async () => {
  const gone = { product: { _id: null, name: 'Carrots', unit: 'lb' as const, image: null } };
  const calls = open(listOf([order(1, 'Ann', { lines: [line(1, gone)] })]));
  const row = await screen.findByRole('checkbox', { name: 'Carrots, 3 lb' });
  await userEvent.click(row);
  await waitFor(() => expect(ticksOf(calls)).toHaveLength(1));
  expect(ticksOf(calls)[0]).toMatchObject({ productId: null, name: 'Carrots', quantity: 3 });
  expect(screen.getByRole('checkbox', { checked: true, name: /Carrots/ })).toBeDefined();
  await waitFor(() => expect(store.get(queuedWorkAtom)).toEqual([]));
  // As it was before the product was deleted.
  store.set(undoAtom, (all) =>
    all.map((each) => ({
      ...each,
      total: { ...each.total, product: { ...each.total.product, _id: id(1) } },
    })),
  );
  await userEvent.keyboard('u');
  await waitFor(() => expect(ticksOf(calls)).toHaveLength(2));
  expect(ticksOf(calls)[1]).toMatchObject({ productId: null, quantity: 0, expectedVersion: 1 });
});

it('works with a keyboard alone', async () => {
  const beans = { product: { _id: id(3), name: 'Beans', unit: 'lb' as const, image: null } };
  const calls = open(listOf([order(1, 'Ann', { lines: [line(1, beans), line(2, {})] })]));
  const first = await screen.findByRole('checkbox', { name: 'Beans, 3 lb' });
  first.focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Carrots, 3 lb');
  await userEvent.keyboard('++-');
  await waitFor(() =>
    expect(ticksOf(calls).at(-1)).toMatchObject({ productId: id(1), quantity: 1 }),
  );
  expect(document.activeElement?.getAttribute('aria-label')).toContain('1 lb done');
  await userEvent.keyboard(' ');
  await waitFor(() =>
    expect(ticksOf(calls).at(-1)).toMatchObject({ productId: id(1), quantity: 3 }),
  );
});

it('keeps ticks while the connection is lost, says so, and sends only the last of a product', async () => {
  let isAway = true;
  const calls = open(listOf([order(1, 'Ann')]), '', {
    'PUT /farm/picklist/ticks': (call) => (isAway ? 'no answer' : tickOf(call)),
  });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Carrots, 3 lb' }));
  expect(await screen.findByText(/1 entry is not sent yet/)).toBeDefined();
  // The first was tried and may have arrived; of what follows only the last is to be known.
  await userEvent.keyboard('-');
  await userEvent.keyboard('-');
  expect(store.get(queuedWorkAtom)).toHaveLength(2);
  expect(screen.getByRole('checkbox', { name: /1 lb done/ })).toBeDefined();
  isAway = false;
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect(store.get(queuedWorkAtom)).toEqual([]));
  expect(ticksOf(calls).at(-2)).toMatchObject({ quantity: 3, expectedVersion: 0 });
  // It builds on the one before it.
  expect(ticksOf(calls).at(-1)).toMatchObject({ quantity: 1, expectedVersion: 1 });
  const keys = calls.filter(({ path }) => path === '/farm/picklist/ticks').map(({ key }) => key);
  expect(new Set(keys).size).toBe(2);
});

it('shows both figures where somebody else was first', async () => {
  open(listOf([order(1, 'Ann')]), '', {
    'PUT /farm/picklist/ticks': refusal(409, 'Ben was first: 2 lb is ticked off now.'),
  });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Carrots, 3 lb' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Carrots, 3 lb was not saved. Ben was first: 2 lb');
  await userEvent.click(within(alert).getByRole('button', { name: 'OK' }));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('shows what came and went since the print, with the reasons, to be marked as seen', async () => {
  const gone = order(2, 'Ben', {
    status: 'cancelled',
    lines: [line(2, { quantity: 3, printed: 3 })],
  });
  const fresh = order(1, 'Ann', { lines: [line(1, { quantity: 5, orderedQuantity: 5 })] });
  const calls = open(listOf([fresh, gone], [], true), '', {
    'PUT /farm/picklist/seen': one({ seen: 1 }),
  });
  await userEvent.click(await screen.findByRole('button', { name: '+5 / −3 since print 2' }));
  expect(screen.getAllByRole('link', { name: /^Ann #/ }).length).toBeGreaterThan(0);
  await userEvent.click(
    screen.getAllByRole('button', { name: 'Seen: Ben, Carrots cancelled' })[0] as HTMLElement,
  );
  await waitFor(() =>
    expect(calls.find(({ path }) => path === '/farm/picklist/seen')?.body).toEqual({
      date,
      changes: [{ orderId: gone._id, sequence: 2 }],
    }),
  );
});

it('weighs one product over all orders: Enter goes on, a slip is refused with its price', async () => {
  const orders = [
    order(1, 'Ann', { lines: [chicken(1)] }),
    order(2, 'Ben', { lines: [chicken(2)] }),
  ];
  const calls = open(listOf(orders), '&view=pack&by=product', {
    [`PUT /orders/${orders[0]?._id}/lines/${id(101)}/weight`]: refusal(
      409,
      'Weighed by Ben: 1.9 kg.',
    ),
    [`PUT /orders/${orders[1]?._id}/lines/${id(102)}/weight`]: 'no answer',
  });
  const [ann, ben] = await screen.findAllByLabelText(/^Weight for/);
  if (!ann || !ben) throw new Error('Two fields are expected.');
  await userEvent.type(ann, '180{Enter}');
  expect(await screen.findByText(/With 180 kg the price would be ₨86,400.00/)).toBeDefined();
  await userEvent.clear(ann);
  await userEvent.type(ann, '0,9+0.93{Enter}');
  expect(document.activeElement).toBe(ben);
  await waitFor(() =>
    expect(calls.find(({ path }) => path.endsWith('/weight'))?.body).toEqual({
      pieces: [0.9, 0.93],
      expectedPacked: null,
    }),
  );
  expect((await screen.findAllByText(/Weighed by Ben: 1.9 kg/)).length).toBeGreaterThan(0);
  await userEvent.type(ben, '2.9{Enter}');
  expect(await screen.findByText('2.9 kg for 1 × Chicken?')).toBeDefined();
  expect(screen.getByText('1 of 2')).toBeDefined();
});

it('takes a weight that is likely a slip of the decimal point only when it is confirmed', async () => {
  const orders = [order(1, 'Ann', { lines: [chicken(1)] })];
  const calls = open(listOf(orders), '&view=pack&by=product', {
    [`PUT /orders/${orders[0]?._id}/lines/${id(101)}/weight`]: 'no answer',
  });
  const field = await screen.findByLabelText<HTMLInputElement>(/^Weight for/);
  const sent = () => calls.filter(({ path }) => path.endsWith('/weight'));
  // 1.6 and 1.75 kg were meant.
  for (const typed of ['16', '17.5']) {
    await userEvent.clear(field);
    await userEvent.type(field, `${typed}{Enter}`);
    expect(
      await screen.findByText(
        `${typed} kg for 1 × Chicken? It should be about 1.8 kg. Check the decimal point, or confirm it once more.`,
      ),
    ).toBeDefined();
    expect(field.value).toBe(typed);
  }
  expect(sent()).toEqual([]);
  await userEvent.type(field, '{Enter}');
  await waitFor(() => expect(sent().map(({ body }) => body)).toMatchObject([{ packed: 17.5 }]));
});

it('distinguishes the ways in which one product is sold', async () => {
  const cut = line(3, {
    product: { _id: id(2), name: 'Chicken', unit: 'kg', image: null },
    quantity: 0.75,
    orderedQuantity: 0.75,
    price: 520,
  });
  open(listOf([order(1, 'Ann', { lines: [chicken(1), cut] })]), '&view=pack&by=product', {});
  const options = await screen.findAllByRole('option', { name: /^Chicken/ });
  expect(options.map(({ textContent }) => textContent)).toEqual([
    'Chicken, by the piece (0 of 1 weighed)',
    'Chicken, by the kg (0 of 1 weighed)',
  ]);
});

it('asks the customer for what goods cost above the limit, where nothing is asked yet', async () => {
  // 2.4 kg at 480: 1,152 against 864 expected, and 1,036.80 with a tolerance of 20 percent.
  const heavy = (number: number) => ({ ...chicken(number), packed: 2.4, total: 1036.8 });
  const orders = [
    order(1, 'Ann', { lines: [heavy(1)] }),
    order(2, 'Ben', { lines: [heavy(2)], askedLineIds: [heavy(2).lineId] }),
    order(3, 'Cleo', { lines: [{ ...heavy(3), total: 1152 }] }),
  ];
  const path = `/orders/${orders[0]?._id}/lines/${id(101)}/weight`;
  const calls = open(listOf(orders), '&view=pack&by=product', { [`PUT ${path}`]: one({}) });
  await screen.findByText(/^₨1,036.80 is charged instead of ₨1,152.00: it weighs more than Ann/);
  const [button, ...others] = screen.getAllByRole('button', { name: /^Ask for/ });
  expect(others).toEqual([]);
  expect(screen.queryByText('Ann is asked about this')).toBeNull();
  await userEvent.click(button as HTMLElement);
  await waitFor(() =>
    expect(calls.find((made) => made.path === path)?.body).toEqual({
      packed: 2.4,
      expectedPacked: 2.4,
      overweight: 'ask',
    }),
  );
});

it('asks for several heavy lines of one order, but not while something else is asked', async () => {
  const heavy = (number: number) => ({ ...chicken(number), packed: 2.4, total: 1036.8 });
  const lines = [heavy(1), heavy(2), line(3, {})];
  const orders = [
    order(1, 'Ann', { lines, askedLineIds: [heavy(1).lineId] }),
    order(2, 'Ben', { lines, askedLineIds: [line(3, {}).lineId] }),
  ];
  open(listOf(orders), '&view=pack');
  await userEvent.click(await screen.findByRole('button', { name: /^Ann/ }));
  const [button, ...others] = await screen.findAllByRole('button', { name: /^Ask for/ });
  expect(others).toEqual([]);
  expect(button?.closest('li')?.textContent).not.toContain('is asked about this');
  await userEvent.click(await screen.findByRole('button', { name: /^Ben/ }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Ask for/ })).toBeNull());
});

it('labels what is still to be handed over', async () => {
  open(listOf([order(1, 'Ann'), order(2, 'Ben', { status: 'completed' }), order(3, 'Cleo')]));
  await userEvent.click(await screen.findByRole('button', { name: 'Labels' }));
  expect(await screen.findByText('2 labels on 1 sheet')).toBeDefined();
});

it('prints no labels while only a part of the orders is here', async () => {
  const list = { ...listOf([order(1, 'Ann')]), nextCursor: 'next' };
  open(list as unknown as ReturnType<typeof listOf>, '', {
    'GET /farm/picklist/orders': 'no answer',
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Labels' }));
  expect(await screen.findByText('The rest of the orders is still being loaded.')).toBeDefined();
  const dialog = within(await screen.findByRole('dialog'));
  const isDisabled = (name: string) =>
    dialog.getByRole<HTMLButtonElement>('button', { name }).disabled;
  expect([isDisabled('Print'), isDisabled('Download PDF')]).toEqual([true, false]);
});

it('packs order by order and goes on to the next', async () => {
  const calls = open(listOf([order(1, 'Ann'), order(2, 'Ben')]), '&view=pack', {
    [`PUT /orders/${id(201)}/packing`]: 'no answer',
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Ann/ }));
  await userEvent.click(screen.getByRole('button', { name: 'One crate more' }));
  await userEvent.click(await screen.findByRole('button', { name: /^Packed: order/ }));
  await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/packing'))).toBe(true));
  expect(screen.getByText('1 of 2 packed')).toBeDefined();
  expect(document.activeElement?.textContent).toContain('Ben');
  expect(screen.getByText('Packed, 1 crate')).toBeDefined();
});

it('says of which line the customer is being asked', async () => {
  const lines = [line(1, {}), line(2, { product: { ...line(2, {}).product, name: 'Beets' } })];
  open(listOf([order(1, 'Ann', { lines, askedLineIds: [line(2, {}).lineId] })]), '&view=pack');
  await userEvent.click(await screen.findByRole('button', { name: /^Ann/ }));
  const [word, ...others] = await screen.findAllByText('Ann is asked about this');
  expect(others).toEqual([]);
  expect(word?.closest('li')?.textContent).toContain('Beets');
});

it('leaves ticking to those who may pack', async () => {
  store.set(userAtom, { ...farmer, membership: { farmId: farmer._id, role: 'seller' } });
  open(listOf([order(1, 'Ann')]));
  expect(await screen.findByText('Carrots')).toBeDefined();
  expect(screen.queryByRole('checkbox', { name: /Carrots/ })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Print' })).toBeNull();
});
