import type { AdminNote } from '#contract/admin/admin/admin';
import type { Report } from '#contract/admin/moderation/moderation';
import type { Category } from '#contract/catalogue/categories/categories';
import type { ProductImport } from '#contract/catalogue/imports/imports';
import type { Product } from '#contract/catalogue/products/product';
import type { Member } from '#contract/farm/members/members';
import type { Message } from '#contract/farm/messages/messages';
import type { Place } from '#contract/farm/places/places';
import type { FarmSlot, OfferedSlot } from '#contract/farm/slots/slots';
import type { Attention } from '#contract/ordering/attention/attention';
import type { Order } from '#contract/ordering/orders/orders';
import type { UserAddress } from '#contract/people/addresses/addresses';
import type { Notification } from '#contract/people/notifications/notifications';
import type { User } from '#contract/people/users/users';
import type { EventData, LoggedEventName } from '#contract/platform/events/event';
import { DEFAULT_MARKET, type Market } from '#contract/platform/market/constants';
import { anAttention } from '../../platform/testing/attentions.ts';
import { aUser } from '../../platform/testing/network.ts';
import { PICK_DAY, type PickWorld } from './pick-world.ts';

/** What an open report of a product says, without who and when. */
const openReport = {
  kind: 'product',
  subject: { name: 'Product 1', text: 'Sweet.', image: null, amount: 2 },
  reason: 'misleading',
  text: '',
  settledAt: null,
  settledBy: null,
  outcome: null,
  note: '',
} satisfies Partial<Report>;

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
/** The slot as consumers see it. */
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

/** The data of the server. */
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
  /** The addresses of anyone who asks, and whether they get mails about their orders. */
  addresses: UserAddress[];
  mailsOrders: boolean;
  /** Whether the phone of anyone who asks is verified. */
  isPhoneVerified: boolean;
  /** Whether they are notified when the first product is back in stock. */
  isStockAlertSet: boolean;
  /** The ids of the products and farms that they follow, the latest first. */
  follows: string[];
  farmDescription: string;
  farms: User[];
  /** Who works for the first farm. */
  members: Member[];
  /** The pickup places of the first farm, and their slots. */
  places: Place[];
  slots: FarmSlot[];
  /** Whether consumers have seen that the farm moved their orders. */
  isMoveSeen: boolean;
  /** What waits for an answer of the first farm. */
  attentions: Attention[];
  /** A file of products of the first farm that is being written. */
  productImport: ProductImport;
  /** Whether the first farm waits for approval. */
  isFarmWaiting: boolean;
  /** Whether the market has paused the farm by itself. */
  isFarmPaused: boolean;
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
  isPhoneVerified: false,
  isStockAlertSet: true,
  follows: [farmer._id, productId(1), productId(2), productId(5)],
  farmDescription: 'Hills.',
  farms: [farmer],
  members: [member(1, farmer)],
  places: [place(1)],
  slots: [slot(1), slot(2)],
  isMoveSeen: false,
  attentions: [1, 2, 3].map((number) => anAttention(number, { createdAt: at(number) })),
  productImport: {
    ...{ _id: id(1300), state: 'ready', done: 0, total: 2, version: 1, separator: ',' },
    ...{ encoding: 'utf-8', createdAt: at(1) },
    rows: [2, 3].map((line) => ({ line, outcome: 'new' as const, name: `Kale ${line}` })),
  },
  isFarmWaiting: false,
  isFarmPaused: false,
};
/** What differs once somebody has changed their account elsewhere. */
export const changedAccount: Partial<World> = {
  addresses: [],
  mailsOrders: false,
  isPhoneVerified: true,
  isStockAlertSet: false,
  follows: [],
};

export const otherFarmer: User = { ...farmer, _id: id(91), name: 'Olive Orchard' };

export const otherProduct = product(9, {
  farmer: { ...product(9).farmer, ...person(otherFarmer) },
});

// biome-ignore lint/suspicious/noExplicitAny: query options of every form
export type Shown = any;

export type Case<Name extends LoggedEventName> = {
  me: User;
  /** What the page shows. */
  shows: Shown[];
  data: EventData<Name>;
  /** What the event is about. */
  happens: (world: World) => World;
};

type Lists = {
  [Name in keyof World as World[Name] extends { _id: string }[] ? Name : never]: World[Name];
};
/** What becomes of the world. */
export const becomes = (change: Partial<World>) => (world: World) => ({ ...world, ...change });
/** An item joins a list of the world. */
export const adds =
  <Name extends keyof Lists>(name: Name, item: World[Name][number]) =>
  (world: World): World => ({ ...world, [name]: [...world[name], item] });
/** An item of a list of the world takes the place of another one, or of an earlier version. */
export const replaces =
  <Name extends keyof Lists>(name: Name, item: World[Name][number]) =>
  (world: World): World => ({ ...world, [name]: replaced<{ _id: string }>(world[name], item) });

export const replaced = <Item extends { _id: string }>(items: Item[], item: Item) =>
  items.map((other) => (other._id === item._id ? item : other));
/** An item of a list of the world goes. */
export const removes =
  (name: keyof Lists, gone: string) =>
  (world: World): World => ({ ...world, [name]: world[name].filter(({ _id }) => _id !== gone) });
