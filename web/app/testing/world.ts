import type { UserAddress } from '#contract/addresses';
import type { AdminNote } from '#contract/admin';
import type { Category } from '#contract/categories';
import { DEFAULT_MARKET, type Market } from '#contract/constants/market';
import { isSoldOut } from '#contract/constants/steps';
import type { Member } from '#contract/members';
import type { Message } from '#contract/messages';
import type { Report } from '#contract/moderation';
import type { Notification } from '#contract/notifications';
import type { Order } from '#contract/orders';
import type { Place } from '#contract/places';
import type { Product } from '#contract/products';
import type { FarmSlot, OfferedSlot } from '#contract/slots';
import type { User } from '#contract/users';
import { aUser } from '../../lib/testing/people.ts';
import { PICK_DAY, type PickWorld, picklistOf } from './pick-world.ts';
import { openReport } from './report-world.ts';

export const consumer = aUser('consumer', 'Cora Buyer');
export const farmer = aUser('farmer', 'Finn Grower');
export const admin = aUser('admin', 'Ada Keeper');
export const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
/** No two things of the market share an id, of whatever kind they are. */
export const productId = (number: number) => id(100 + number);
export const orderId = (number: number) => id(200 + number);
export const at = (minute: number) => `2026-11-02T10:${String(minute).padStart(2, '0')}:00.000Z`;
export const contact = ({ _id, name, email, phone }: User) => ({ _id, name, email, phone });
export const person = ({ _id, name }: User) => ({ _id, name });

export const order = (number: number, over: Partial<Order> = {}): Order => ({
  _id: orderId(number),
  createdAt: at(number),
  status: 'pending',
  totalAmount: 12.5,
  paymentMethod: 'cash',
  notes: '',
  consumer: contact(consumer),
  farmer: { ...contact(farmer), farmName: 'Green Valley' },
  items: [],
  estimatedTotal: 12.5,
  isTotalFinal: true,
  openChange: null,
  packing: 'none',
  version: 1,
  timeline: [],
  ...over,
});
export const product = (number: number, over: Partial<Product> = {}): Product => ({
  _id: productId(number),
  name: `Product ${number}`,
  description: '',
  category: null,
  price: 2,
  unit: 'lb',
  soldBy: 'unit',
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
export const message = (
  number: number,
  from: User,
  to: User,
  over: Partial<Message> = {},
): Message => ({
  _id: id(300 + number),
  sender: person(from),
  receiver: person(to),
  content: `Words ${number}`,
  isRead: false,
  createdAt: at(number),
  ...over,
});
export const notification = (number: number, isRead = false): Notification => ({
  _id: id(number),
  kind: 'order.placed',
  title: 'A new order',
  body: '',
  link: '/farmer/orders',
  isRead,
  createdAt: at(number),
});

export const note = (number: number, content = `Note ${number}`): AdminNote => ({
  _id: id(400 + number),
  author: { ...person(admin), role: 'admin' },
  content,
  createdAt: at(number),
});

export const report = (number: number): Report => ({
  ...openReport,
  _id: id(1200 + number),
  subjectId: productId(1),
  about: { ...person(farmer), role: 'farmer' },
  reporter: { ...person(consumer), role: 'consumer' },
  createdAt: at(number),
});

export const member = (number: number, user: User | null): Member => ({
  _id: id(700 + number),
  user: user && person(user),
  email: user?.email ?? 'invited@farmgate.test',
  role: user ? 'owner' : 'packer',
  alerts: true,
  state: user ? 'active' : 'invited',
  isFounder: user !== null,
  invitedUntil: user ? null : at(59),
});

export const place = (number: number, over: Partial<Place> = {}): Place => ({
  _id: id(800 + number),
  name: `Place ${number}`,
  address: farmer.address,
  directions: '',
  phone: '',
  isActive: true,
  hours: [],
  version: 1,
  ...over,
});
export const slot = (number: number, over: Partial<FarmSlot> = {}): FarmSlot => {
  const { _id, name, address, directions, phone } = place(1);
  return {
    _id: id(900 + number),
    place: { _id, name, address, directions, phone },
    date: '2026-11-05',
    from: `1${number}:00`,
    to: `1${number + 1}:00`,
    startsAt: `2026-11-05T1${number}:00:00.000Z`,
    endsAt: `2026-11-05T1${number + 1}:00:00.000Z`,
    closesAt: `2026-11-05T1${number}:00:00.000Z`,
    state: 'open',
    taken: 1,
    capacity: 4,
    isDayClosed: false,
    ...over,
  };
};
/** The slot as buyers see it. */
export const offered = ({ taken, capacity, isDayClosed: _, ...rest }: FarmSlot): OfferedSlot => ({
  ...rest,
  hasLimit: capacity !== null,
  remaining: capacity === null ? null : capacity - taken,
});

/** An order that is picked on that day. */
export const picked = (number: number, quantity: number, over: Partial<Order> = {}): Order =>
  order(number, {
    status: 'accepted',
    version: 2,
    pickupDetails: { date: PICK_DAY, time: '10:00', location: 'The red gate' },
    items: [
      {
        _id: id(1000 + number),
        product: { _id: productId(1), name: 'Product 1', images: [], unit: 'lb' },
        quantity,
        price: 2,
        orderedQuantity: quantity,
        state: 'kept',
        onShort: 'ask',
        estimate: 2 * quantity,
        isFinal: true,
        total: 2 * quantity,
      },
    ],
    ...over,
  });

/** What the server knows. */
export type World = {
  /** Internal notes about the first order, oldest first. */
  notes: AdminNote[];
  /** What was reported, oldest first. */
  reports: Report[];
  orders: Order[];
  pick: PickWorld;
  products: Product[];
  messages: Message[];
  notifications: Notification[];
  categories: Category[];
  market: Market;
  users: User[];
  /** The addresses of whoever asks, and whether they get mails about their orders. */
  addresses: UserAddress[];
  mailsOrders: boolean;
  farmDescription: string;
  farms: User[];
  /** Who works for the first farm. */
  members: Member[];
  /** The pickup places of the first farm, and their slots. */
  places: Place[];
  slots: FarmSlot[];
  /** Whether buyers have seen that the farm moved their orders. */
  isMoveSeen: boolean;
  /** Whether the first farm waits for approval. */
  isFarmWaiting: boolean;
};
export const quiet: World = {
  notes: [note(1)],
  reports: [report(1)],
  orders: [order(1), picked(2, 3)],
  pick: {
    print: { _id: id(1100), number: 1, at: at(20), by: person(farmer) },
    printed: { [id(1002)]: 2 },
    ticks: [],
    seen: {},
  },
  products: [product(1), product(2)],
  messages: [
    message(1, consumer, farmer, { isRead: true }),
    message(2, farmer, consumer),
    message(3, consumer, farmer),
  ],
  notifications: [notification(1, true), notification(2)],
  categories: [{ _id: id(1), name: 'Roots', description: '', icon: '' }],
  market: DEFAULT_MARKET,
  users: [consumer, farmer],
  addresses: [{ _id: id(1200), label: '', address: consumer.address, isPreferred: true }],
  mailsOrders: true,
  farmDescription: 'Hills.',
  farms: [farmer],
  members: [member(1, farmer)],
  places: [place(1)],
  slots: [slot(1), slot(2)],
  isMoveSeen: false,
  isFarmWaiting: false,
};

export const newest = <Item extends { createdAt: string }>(items: Item[]) =>
  items.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
export const list = (data: unknown[], more = {}) => ({
  success: true,
  data,
  count: data.length,
  nextCursor: null,
  ...more,
});
export const one = (data: unknown) => ({ success: true, data });

/** What the server answers to `me`; undefined is 404. */
export function answer(world: World, me: User, url: URL): unknown {
  const path = url.pathname.replace('/api', '');
  const status = url.searchParams.get('status');
  const isAsked = url.searchParams.has('openChange');
  const orders = newest(world.orders).filter(
    (item) => (!status || item.status === status) && (!isAsked || item.openChange !== null),
  );
  const last = path.split('/').at(-1);
  const ofFarm = url.searchParams.get('farmer');
  const onMarket = newest(world.products).filter(
    (item) =>
      item.isActive &&
      (!ofFarm || item.farmer._id === ofFarm) &&
      (!url.searchParams.has('inStock') || !isSoldOut(item)) &&
      item.price <= Number(url.searchParams.get('maxPrice') ?? item.price) &&
      item.name.includes(url.searchParams.get('search') ?? ''),
  );
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
    case '/orders/stats/farmer/pending':
      return one({
        pendingOrders: world.orders.filter((item) => item.status === 'pending').length,
      });
    case '/products':
      return list(onMarket);
    case '/products/facets':
      return one({
        found: { count: onMarket.length, isExact: true },
        inStock: {
          count: onMarket.filter((item) => !isSoldOut(item)).length,
          isExact: true,
        },
      });
    case '/products/farmer/me':
      return list(newest(world.products));
    case '/market':
      return one(world.market);
    case '/users/addresses':
      return one(world.addresses);
    case '/notifications/preferences':
      return one({ 'order.statusChanged': { email: world.mailsOrders, push: true } });
    case '/categories':
      return list(world.categories);
    case '/farm/picklist':
      return one(picklistOf(world, url.searchParams.get('date') ?? ''));
    case '/farm/opening':
      return one({ state: world.isFarmWaiting ? 'waiting' : 'preparing', reason: null, steps: [] });
    case '/admin/farms':
      return list(world.isFarmWaiting ? [{ _id: farmer._id, state: 'waiting' }] : []);
    case '/farm/members':
      return one(world.members);
    case '/farm/schedule':
      return one({ cutoff: world.farmDescription });
    case '/farm/places':
      return one(world.places);
    case '/farm/slots':
      return one(world.slots);
    case `/users/farmers/${farmer._id}/slots`:
      return one(world.slots.map(offered));
    case '/users': {
      const isSuspended = url.searchParams.get('state') === 'suspended';
      return list(newest(world.users).filter((item) => !isSuspended || item.isSuspended));
    }
    case '/admin/reports':
      return list(newest(world.reports));
    case '/users/farmers':
      return list(
        world.farms.map((farm) => ({
          _id: farm._id,
          description: world.farmDescription,
          productCount: onMarket.filter((item) => item.farmer._id === farm._id).length,
        })),
      );
    case '/notifications':
      return list(newest(world.notifications), {
        unreadCount: world.notifications.filter((item) => !item.isRead).length,
      });
    case '/messages':
      return list(conversations(world, me), {
        unreadCount: world.messages.filter((item) => item.receiver._id === me._id && !item.isRead)
          .length,
      });
    case '/admin/stats':
      return one({
        totalUsers: world.users.length,
        totalOrders: world.orders.length,
        categoryCount: world.categories.length,
        recentOrders: newest(world.orders).slice(0, 5),
        recentProducts: newest(world.products).slice(0, 5),
        unanswered: [],
        attention: { openReports: world.reports.length },
      });
  }
  if (path === `/farm/slots/${slot(1)._id}/orders`) {
    const moved = { at: '2026-11-22T10:00:00.000Z', reason: 'Hail', isRead: world.isMoveSeen };
    return list(newest(world.orders).map((item) => ({ order: item, moved })));
  }
  if (path === `/admin/orders/${orderId(1)}/notes`) return list(world.notes);
  if (path === `/admin/users/${farmer._id}/notes`) return list(world.notes);
  if (path === `/admin/users/${farmer._id}/orders`) return list(newest(world.orders));
  if (path === `/admin/users/${farmer._id}/products`) return list(newest(world.products));
  if (path === `/admin/users/${farmer._id}`) {
    return one({
      user: world.users.find((item) => item._id === farmer._id),
      productCount: world.products.length,
      pending: world.orders.filter((item) => item.status === 'pending').length,
    });
  }
  if (path.startsWith('/orders/')) return one(world.orders.find((item) => item._id === last));
  if (path.startsWith('/products/')) {
    const item = world.products.find((each) => each._id === last);
    const maySee = item?.isActive || me.role === 'admin' || me._id === item?.farmer._id;
    return maySee ? one(item) : undefined;
  }
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
    if (path.endsWith('/days')) return one([{ date: world.farmDescription }]);
    if (!world.farms.some((farm) => farm._id === last)) return undefined;
    return one({ farmer, profile: { description: world.farmDescription } });
  }
  throw new Error(`The world knows no ${path}`);
}

export function conversations(world: World, me: User) {
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
