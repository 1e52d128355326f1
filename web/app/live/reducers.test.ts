// @long It tries crowds, or very many cases.

import {
  type FetchQueryOptions,
  InfiniteQueryObserver,
  type QueryClient,
  QueryObserver,
} from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EVENTS, LOGGED_EVENT_NAMES } from '#contract/app/registry';
import type { User } from '#contract/people/users/users';
import type { EventName, LoggedEventName } from '#contract/platform/events/event';
import type { Envelope } from '#contract/platform/events/socket';
import {
  featuredProductsQuery,
  ownProductsQuery,
  productQuery,
  productsQuery,
} from '../../catalogue/products/queries.ts';
import { farmerQuery, farmersQuery } from '../../farm/farmers/queries.ts';
import { orderQuery, ordersQuery } from '../../ordering/orders/queries.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { createQueryClient } from '../../platform/queries/query-client.ts';
import { noteCommand } from '../../platform/queries/use-changes.ts';
import { store, userAtom } from '../../platform/session/session.ts';
import { answer } from '../testing/answer.ts';
import { moreAttentionCases } from '../testing/attention-cases.ts';
import { cases } from '../testing/event-cases.ts';
import { withoutFarm } from '../testing/farm-cases.ts';
import { orderChangeCases } from '../testing/order-change-cases.ts';
import {
  admin,
  at,
  type Case,
  consumer,
  farmer,
  id,
  message,
  order,
  orderId,
  otherFarmer,
  otherProduct,
  person,
  product,
  productId,
  quiet,
  replaced,
  type Shown,
  type World,
} from '../testing/world.ts';
import { visitorReducers } from './live.ts';
import { applyEvent } from './reducers.ts';

// What is announced depends on the page in view, and here is none. A mock of the module would not do: of two imports at
// once one gets the real module.
// Not stubbed, since they may come after their test.
Object.assign(globalThis, { location: { pathname: '/' } });

const names = LOGGED_EVENT_NAMES;
/** Of this tab, which needs no news of what it did itself: news are toasts on a page, and here is none. */
const OWN_COMMAND = 'own';

let world: World;
let me: User;
/** While there is a gate, answers wait behind it; they have the data as it was when asked for. */
let gate: Promise<void> | undefined;
const stops: (() => void)[] = [];

beforeEach(() => {
  world = quiet;
  noteCommand(OWN_COMMAND);
  const answerFetch = async (url: string) => {
    const body = answer(world, me, new URL(url, 'http://market.test'));
    const text = JSON.stringify(body ?? { success: false, message: 'Gone', code: 'NOT_FOUND' });
    await gate;
    return new Response(text, { status: body === undefined ? 404 : 200 });
  };
  vi.stubGlobal('fetch', vi.fn(answerFetch));
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  gate = undefined;
  store.set(userAtom, null);
  vi.unstubAllGlobals();
});

const every: [name: string, event: LoggedEventName, each: Case<LoggedEventName>][] = [
  ...names.map((name): (typeof every)[number] => [name, name, cases[name] as never]),
  ...orderChangeCases.map(([name, each]): (typeof every)[number] => [
    name,
    'order.updated',
    each as never,
  ]),
  ...moreAttentionCases.map(([name, event, each]): (typeof every)[number] => [
    name,
    event,
    each as never,
  ]),
];

function start(name: LoggedEventName, each = cases[name] as Case<LoggedEventName>) {
  const { me: reader, shows, data, happens } = each;
  me = reader;
  store.set(userAtom, reader);
  const event: Envelope = {
    seq: 4,
    id: id(99),
    at: at(59),
    name: name as EventName,
    data,
    ...(name === 'order.updated' ? { commandId: OWN_COMMAND } : {}),
  };
  return { shows, event, happens };
}

/** Begins to show something, as a component does. */
function show(cache: QueryClient, options: FetchQueryOptions): void {
  const observer =
    'initialPageParam' in options
      ? new InfiniteQueryObserver(cache, options as never)
      : new QueryObserver(cache, options as never);
  stops.push(observer.subscribe(() => {}));
}

/** A page on which all of this is shown. */
async function page(shows: FetchQueryOptions[]): Promise<QueryClient> {
  const cache = createQueryClient();
  for (const options of shows) show(cache, options);
  await vi.waitFor(() => expect(cache.isFetching()).toBe(0));
  return cache;
}

const shown = (cache: QueryClient, shows: FetchQueryOptions[]) =>
  shows.map((options) => cache.getQueryData(options.queryKey));

async function expectTruth(cache: QueryClient, shows: FetchQueryOptions[]) {
  const fresh = shown(await page(shows), shows);
  expect(fresh.every((data) => data !== undefined)).toBe(true);
  await vi.waitFor(() => {
    expect(cache.isFetching()).toBe(0);
    expect(shown(cache, shows)).toEqual(fresh);
  });
}

describe.each(every)('after %s what is shown equals what a fresh fetch brings', (_, name, each) => {
  it('when it was fetched before', async () => {
    const { shows, event, happens } = start(name, each);
    const cache = await page(shows);
    world = happens(world);
    applyEvent(cache, event);
    await expectTruth(cache, shows);
  });

  it('when a fetch was on its way', async () => {
    const { shows, event, happens } = start(name, each);
    const cache = await page(shows);
    let open = () => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    void cache.invalidateQueries();
    await vi.waitFor(() => expect(cache.isFetching()).toBe(shows.length));
    world = happens(world);
    applyEvent(cache, event);
    open();
    gate = undefined;
    await expectTruth(cache, shows);
  });

  it('when the first fetch was on its way', async () => {
    const { shows, event, happens } = start(name, each);
    let open = () => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const cache = createQueryClient();
    for (const options of shows) show(cache, options);
    world = happens(world);
    applyEvent(cache, event);
    open();
    gate = undefined;
    await expectTruth(cache, shows);
  });

  it('when it was known already, and arrives twice', async () => {
    const { shows, event, happens } = start(name, each);
    world = happens(world);
    const cache = await page(shows);
    applyEvent(cache, event);
    applyEvent(cache, event);
    await expectTruth(cache, shows);
  });
});

describe.each([
  ['a visitor or consumer', consumer],
  ['another farmer', otherFarmer],
  ['its farmer', farmer],
  ['an admin', admin],
])('a product that becomes inactive, to %s', (_, reader) => {
  const draft = product(1, { isActive: false, price: 3, version: 2 });
  const mayRead = reader._id === farmer._id || reader.role === 'admin';
  const lists: Shown[] = [
    productsQuery(),
    productsQuery({ farmer: farmer._id }),
    featuredProductsQuery(),
    farmersQuery(),
    ...(reader._id === farmer._id ? [ownProductsQuery(farmer._id)] : []),
  ];
  const detail: Shown = productQuery(productId(1));
  const changeTo = (version: number): Envelope => ({
    seq: 4,
    id: id(99),
    at: at(59),
    name: 'product.updated',
    data: mayRead ? { ...draft, version } : { _id: productId(1), isActive: false, version },
  });
  const isGone = (cache: QueryClient) =>
    cache.getQueryState(detail.queryKey)?.error instanceof ApiError;

  it.each([1, 2])('leaves what a fresh fetch brings, received %i times', async (times) => {
    me = reader;
    store.set(userAtom, reader);
    const cache = await page([...lists, detail]);
    world = { ...world, products: replaced(world.products, draft) };
    for (let time = 0; time < times; time++) applyEvent(cache, changeTo(2));
    await expectTruth(cache, lists);
    await vi.waitFor(() => expect(isGone(cache)).toBe(!mayRead));
    if (mayRead) expect(cache.getQueryData(detail.queryKey)).toEqual(draft);
  });

  it('changes nothing where a newer version is known', async () => {
    me = reader;
    store.set(userAtom, reader);
    const back = product(1, { version: 3, price: 4 });
    world = { ...world, products: replaced(world.products, back) };
    const cache = await page([...lists, detail]);
    applyEvent(cache, changeTo(2));
    await expectTruth(cache, [...lists, detail]);
  });
});

it('after farmer.deleted a page of the farm or of its product learns that it is gone', async () => {
  me = consumer;
  store.set(userAtom, consumer);
  world = { ...world, products: [...world.products, otherProduct], farms: [farmer, otherFarmer] };
  const pages: Shown[] = [
    productQuery(productId(1)),
    productQuery(productId(9)),
    farmerQuery(farmer._id),
  ];
  const market: Shown = productsQuery();
  const cache = await page([...pages, market]);
  const asked = vi.mocked(fetch).mock.calls.length;
  world = withoutFarm(world);
  applyEvent(cache, {
    seq: 4,
    id: id(99),
    at: at(59),
    name: 'farmer.deleted',
    data: person(farmer),
  });
  const errors = () =>
    pages.map(({ queryKey }) => cache.getQueryState(queryKey)?.error instanceof ApiError);
  await vi.waitFor(() => expect(errors()).toEqual([true, false, true]));
  await expectTruth(cache, [market]);
  // What is of other farms is not asked for again.
  const again = vi
    .mocked(fetch)
    .mock.calls.slice(asked)
    .map(([url]) => String(url));
  expect(again.some((url) => url.includes(otherProduct._id))).toBe(false);
});

it('lists an order among those that wait for an answer for as long as its change is open', async () => {
  me = consumer;
  store.set(userAtom, consumer);
  const lists: Shown[] = [
    ordersQuery('mine', { openChange: 'true' }),
    ordersQuery('mine'),
    orderQuery(orderId(1)),
  ];
  const cache = await page(lists);
  const totals = { totalBefore: 12.5, totalAfter: 10 };
  const openChange = {
    _id: id(77),
    status: 'open' as const,
    createdBy: { ...person(farmer), role: 'farmer' as const },
    createdAt: at(30),
    answerBy: at(50),
    note: '',
    items: [],
    ...totals,
  };
  const changeTo = async (version: number, status: 'open' | 'accepted') => {
    const changed = order(1, { version, openChange: status === 'open' ? openChange : null });
    world = { ...world, orders: replaced(world.orders, changed) };
    applyEvent(cache, {
      seq: version,
      id: id(90 + version),
      at: at(50 + version),
      name: 'order.updated',
      commandId: OWN_COMMAND,
      data: {
        ...changed,
        change: { kind: 'proposal', proposal: openChange._id, status, differences: [], ...totals },
      },
    });
    await expectTruth(cache, lists);
  };
  await changeTo(2, 'open');
  expect(JSON.stringify(cache.getQueryData(lists[0].queryKey))).toContain(orderId(1));
  await changeTo(3, 'accepted');
  expect(JSON.stringify(cache.getQueryData(lists[0].queryKey))).not.toContain(orderId(1));
});

it('asks for a conversation of which nobody knew', async () => {
  const { shows, event } = start('message.created');
  const others = { ...quiet, messages: [] };
  world = others;
  const cache = await page(shows);
  world = { ...others, messages: [message(8, consumer, farmer)] };
  applyEvent(cache, event);
  await expectTruth(cache, shows);
});

it('goes on when one reducer fails, and reads again what it left undone', async () => {
  const { shows, event, happens } = start('notification.created');
  const cache = await page(shows);
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
  // Not of the agreed form in a place where no schema looks any more.
  cache.setQueryData(['notifications'], { pages: [{ data: null }], pageParams: [null] });
  world = happens(world);
  applyEvent(cache, event);
  expect(reported).toHaveBeenCalled();
  reported.mockRestore();
  await expectTruth(cache, shows);
});

it('has a reducer for visitors of every event that reaches them', () => {
  const isForVisitors = (name: LoggedEventName) =>
    EVENTS[name].rooms.flat().some((kind) => kind === 'everyone' || kind === 'product');
  const received = [...LOGGED_EVENT_NAMES.filter(isForVisitors), 'synced', 'resync'];
  expect(received).toContain('product.updated');
  const missing = received.filter((name) => !visitorReducers.some((feature) => name in feature));
  expect(missing).toEqual([]);
});
