import {
  type FetchQueryOptions,
  InfiniteQueryObserver,
  type QueryClient,
  QueryObserver,
} from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Category } from '#contract/categories';
import type { Message } from '#contract/messages';
import type { Notification } from '#contract/notifications';
import type { Order } from '#contract/orders';
import type { Product } from '#contract/products';
import {
  type Envelope,
  type EventData,
  type EventName,
  LOGGED_EVENTS,
  type LoggedEventName,
} from '#contract/realtime';
import type { User } from '#contract/users';
import { adminStatsQuery } from '../admin/queries.ts';
import { userAtom } from '../auth/atoms.ts';
import { categoriesQuery } from '../categories/queries.ts';
import { farmerQuery, farmersQuery } from '../farmers/queries.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { store } from '../lib/store.ts';
import { somebody } from '../lib/testing/people.ts';
import { conversationsQuery, threadQuery } from '../messages/queries.ts';
import { notificationsQuery } from '../notifications/queries.ts';
import {
  farmerStatsQuery,
  orderQuery,
  ordersQuery,
  waitingOrdersQuery,
} from '../orders/queries.ts';
import { ownProductsQuery, productQuery, productsQuery } from '../products/queries.ts';
import { usersQuery } from '../users/queries.ts';
import { applyEvent } from './reducers.ts';

const consumer = somebody('consumer', 'Cora Buyer');
const farmer = somebody('farmer', 'Finn Grower');
const admin = somebody('admin', 'Ada Keeper');
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
/** No two things of the market share an id, of whatever kind they are. */
const productId = (number: number) => id(100 + number);
const orderId = (number: number) => id(200 + number);
const at = (minute: number) => `2026-11-02T10:${String(minute).padStart(2, '0')}:00.000Z`;

const contact = ({ _id, name, email, phone }: User) => ({ _id, name, email, phone });
const person = ({ _id, name }: User) => ({ _id, name });

const order = (number: number, over: Partial<Order> = {}): Order => ({
  _id: orderId(number),
  createdAt: at(number),
  status: 'pending',
  totalAmount: 12.5,
  paymentMethod: 'cash',
  notes: '',
  consumer: contact(consumer),
  farmer: { ...contact(farmer), farmName: 'Green Valley' },
  items: [],
  version: 1,
  timeline: [],
  ...over,
});
const product = (number: number, over: Partial<Product> = {}): Product => ({
  _id: productId(number),
  name: `Product ${number}`,
  description: '',
  category: null,
  price: 2,
  unit: 'lb',
  quantityAvailable: 40,
  images: [],
  isOrganic: false,
  harvestDate: null,
  availableUntil: null,
  isActive: true,
  farmer: { ...person(farmer), farmName: 'Green Valley', address: farmer.address },
  createdAt: at(number),
  version: 1,
  ...over,
});
const message = (number: number, from: User, to: User, over: Partial<Message> = {}): Message => ({
  _id: id(300 + number),
  sender: person(from),
  receiver: person(to),
  content: `Words ${number}`,
  isRead: false,
  createdAt: at(number),
  ...over,
});
const notification = (number: number, isRead = false): Notification => ({
  _id: id(number),
  kind: 'order.placed',
  title: 'A new order',
  body: '',
  link: '/farmer/orders',
  isRead,
  createdAt: at(number),
});

/** What the server knows. */
type World = {
  orders: Order[];
  products: Product[];
  messages: Message[];
  notifications: Notification[];
  categories: Category[];
  users: User[];
  farmDescription: string;
};
const quiet: World = {
  orders: [order(1), order(2, { status: 'accepted', version: 2 })],
  products: [product(1), product(2)],
  messages: [
    message(1, consumer, farmer, { isRead: true }),
    message(2, farmer, consumer),
    message(3, consumer, farmer),
  ],
  notifications: [notification(1, true), notification(2)],
  categories: [{ _id: id(1), name: 'Roots', description: '', icon: '' }],
  users: [consumer, farmer],
  farmDescription: 'Hills.',
};

const newest = <Item extends { createdAt: string }>(items: Item[]) =>
  items.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
const list = (data: unknown[], more = {}) => ({
  success: true,
  data,
  count: data.length,
  nextCursor: null,
  ...more,
});
const one = (data: unknown) => ({ success: true, data });

/** What the server answers to `me`. */
function answer(world: World, me: User, url: URL): unknown {
  const path = url.pathname.replace('/api', '');
  const status = url.searchParams.get('status');
  const orders = newest(world.orders).filter((item) => !status || item.status === status);
  const last = path.split('/').at(-1);
  const onMarket = newest(world.products).filter((item) => item.isActive);
  switch (path) {
    case '/orders':
    case '/orders/consumer':
    case '/orders/farmer':
      return list(orders);
    case '/orders/stats/farmer':
      return one({
        productCount: world.products.length,
        pendingOrders: world.orders.filter((item) => item.status === 'pending').length,
        unreadMessages: world.messages.filter(
          (item) => item.receiver._id === me._id && !item.isRead,
        ).length,
        recentOrders: newest(world.orders).slice(0, 5),
        lowStock: world.products.filter((item) => item.quantityAvailable < 10),
      });
    case '/products':
      return list(onMarket);
    case '/products/farmer/me':
      return list(newest(world.products));
    case '/categories':
      return list(world.categories);
    case '/users':
      return list(newest(world.users));
    case '/users/farmers':
      return list([
        { _id: farmer._id, description: world.farmDescription, productCount: onMarket.length },
      ]);
    case '/notifications':
      return list(newest(world.notifications), {
        unreadCount: world.notifications.filter((item) => !item.isRead).length,
      });
    case '/messages':
      return list(conversations(world, me));
    case '/admin/stats':
      return one({
        totalUsers: world.users.length,
        totalOrders: world.orders.length,
        categoryCount: world.categories.length,
        recentOrders: newest(world.orders).slice(0, 5),
        recentProducts: newest(world.products).slice(0, 5),
        unanswered: [],
      });
  }
  if (path.startsWith('/orders/')) return one(world.orders.find((item) => item._id === last));
  if (path.startsWith('/products/')) return one(world.products.find((item) => item._id === last));
  if (path.startsWith('/messages/')) {
    const user = world.users.find((item) => item._id === last);
    const thread = world.messages.filter((item) =>
      [item.sender._id, item.receiver._id].includes(last ?? ''),
    );
    return list(newest(thread).reverse(), {
      user: { _id: last, name: user?.name, role: user?.role },
      mayWrite: true,
    });
  }
  if (path.startsWith('/users/farmers/')) {
    return one({ farmer, profile: { description: world.farmDescription } });
  }
  throw new Error(`The world knows no ${path}`);
}

function conversations(world: World, me: User) {
  const others = world.users.filter((user) => user._id !== me._id);
  return others
    .flatMap((other) => {
      const with_ = world.messages.filter((item) =>
        [item.sender._id, item.receiver._id].includes(other._id),
      );
      const latest = newest(with_)[0];
      if (!latest) return [];
      return [
        {
          user: { _id: other._id, name: other.name, role: other.role },
          lastMessage: {
            _id: latest._id,
            content: latest.content,
            createdAt: latest.createdAt,
            sender: latest.sender._id,
          },
          unreadCount: with_.filter((item) => item.receiver._id === me._id && !item.isRead).length,
        },
      ];
    })
    .toSorted((a, b) => (a.lastMessage.createdAt < b.lastMessage.createdAt ? 1 : -1));
}

type Case<Name extends LoggedEventName> = {
  me: User;
  /** What the page shows. */
  // biome-ignore lint/suspicious/noExplicitAny: query options of every form
  shows: any[];
  data: EventData<Name>;
  /** What the event tells of. */
  happens: (world: World) => World;
};

const accepted = order(1, { status: 'accepted', version: 2 });
const replaced = <Item extends { _id: string }>(items: Item[], item: Item) =>
  items.map((other) => (other._id === item._id ? item : other));
const cheaper = product(1, { price: 1, version: 2 });
const newcomer: User = { ...consumer, _id: id(90), name: 'New Comer', createdAt: at(50) };

/** One case for every event of the log; an event without one does not compile. */
const cases: { [Name in LoggedEventName]: Case<Name> } = {
  'order.created': {
    me: farmer,
    shows: [
      ordersQuery('received'),
      ordersQuery('received', { status: 'accepted' }),
      waitingOrdersQuery(),
      farmerStatsQuery(),
    ],
    data: order(7),
    happens: (world) => ({ ...world, orders: [...world.orders, order(7)] }),
  },
  'order.updated': {
    me: consumer,
    shows: [
      ordersQuery('mine'),
      ordersQuery('mine', { status: 'pending' }),
      orderQuery(orderId(1)),
    ],
    data: accepted,
    happens: (world) => ({ ...world, orders: replaced(world.orders, accepted) }),
  },
  'order.unanswered': {
    me: admin,
    shows: [ordersQuery('all'), adminStatsQuery()],
    data: order(1),
    happens: (world) => world,
  },
  'message.created': {
    me: farmer,
    shows: [threadQuery(consumer._id), conversationsQuery(), farmerStatsQuery()],
    data: message(8, consumer, farmer),
    happens: (world) => ({ ...world, messages: [...world.messages, message(8, consumer, farmer)] }),
  },
  'messages.read': {
    me: farmer,
    shows: [threadQuery(consumer._id), conversationsQuery(), farmerStatsQuery()],
    data: { reader: farmer._id, sender: consumer._id, at: at(30) },
    happens: (world) => ({
      ...world,
      messages: world.messages.map((item) =>
        item.receiver._id === farmer._id ? { ...item, isRead: true } : item,
      ),
    }),
  },
  'product.created': {
    me: farmer,
    shows: [productsQuery(), ownProductsQuery(farmer._id), farmersQuery(), farmerStatsQuery()],
    data: product(5),
    happens: (world) => ({ ...world, products: [...world.products, product(5)] }),
  },
  'product.updated': {
    me: farmer,
    shows: [productsQuery(), productQuery(productId(1)), ownProductsQuery(farmer._id)],
    data: cheaper,
    happens: (world) => ({ ...world, products: replaced(world.products, cheaper) }),
  },
  'product.deleted': {
    me: farmer,
    shows: [productsQuery(), ownProductsQuery(farmer._id), farmersQuery()],
    data: { _id: productId(1) },
    happens: (world) => ({
      ...world,
      products: world.products.filter((item) => item._id !== productId(1)),
    }),
  },
  'category.changed': {
    me: admin,
    shows: [categoriesQuery(), adminStatsQuery()],
    data: { _id: id(2) },
    happens: (world) => ({
      ...world,
      categories: [
        ...world.categories,
        { _id: id(2), name: 'Seeds', description: 'To sow', icon: '' },
      ],
    }),
  },
  'notification.created': {
    me: farmer,
    shows: [notificationsQuery()],
    data: notification(6),
    happens: (world) => ({ ...world, notifications: [...world.notifications, notification(6)] }),
  },
  'notifications.read': {
    me: farmer,
    shows: [notificationsQuery()],
    data: { ids: [id(2)], unreadCount: 0 },
    happens: (world) => ({
      ...world,
      notifications: world.notifications.map((item) => ({ ...item, isRead: true })),
    }),
  },
  'farmer.updated': {
    me: consumer,
    shows: [farmersQuery(), farmerQuery(farmer._id)],
    data: { _id: farmer._id },
    happens: (world) => ({ ...world, farmDescription: 'Hills and a brook.' }),
  },
  'user.created': {
    me: admin,
    shows: [usersQuery(), usersQuery({ role: 'consumer' }), adminStatsQuery()],
    data: newcomer,
    happens: (world) => ({ ...world, users: [...world.users, newcomer] }),
  },
  'user.deleted': {
    me: admin,
    shows: [usersQuery(), adminStatsQuery()],
    data: { _id: consumer._id },
    happens: (world) => ({
      ...world,
      users: world.users.filter((item) => item._id !== consumer._id),
    }),
  },
};

const names = Object.keys(LOGGED_EVENTS) as LoggedEventName[];

let world: World;
let me: User;
/** While there is a gate, answers wait behind it; they tell the world as it was when asked for. */
let gate: Promise<void> | undefined;
const stops: (() => void)[] = [];

beforeEach(() => {
  world = quiet;
  vi.stubGlobal('fetch', async (url: string) => {
    const body = JSON.stringify(answer(world, me, new URL(url, 'http://market.test')));
    await gate;
    return new Response(body);
  });
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  gate = undefined;
  store.set(userAtom, null);
  vi.unstubAllGlobals();
});

function start(name: LoggedEventName) {
  const { me: reader, shows, data, happens } = cases[name];
  me = reader;
  store.set(userAtom, reader);
  const event: Envelope = { seq: 4, id: id(99), at: at(59), name: name as EventName, data };
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
  await vi.waitFor(
    () => {
      expect(cache.isFetching()).toBe(0);
      expect(shown(cache, shows)).toEqual(fresh);
    },
    { timeout: 5_000 },
  );
}

describe.each(names)('after %s what is shown equals what a fresh fetch brings', (name) => {
  it('when it was fetched before', async () => {
    const { shows, event, happens } = start(name);
    const cache = await page(shows);
    world = happens(world);
    applyEvent(cache, event);
    await expectTruth(cache, shows);
  });

  it('when a fetch was on its way', async () => {
    const { shows, event, happens } = start(name);
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
    const { shows, event, happens } = start(name);
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

  it('when it was known already, and is told twice', async () => {
    const { shows, event, happens } = start(name);
    world = happens(world);
    const cache = await page(shows);
    applyEvent(cache, event);
    applyEvent(cache, event);
    await expectTruth(cache, shows);
  });
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
