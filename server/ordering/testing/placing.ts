import { PlaceOrder } from '#contract/ordering/orders/orders';
import type { StockRow } from '../../catalogue/stock/stock-events.ts';
import { decidePlaceOrder, type FarmState, type PlacingState } from '../place/decide-place.ts';

// What the tests of placing decide on, without a database: a farm, its products and an order.

export const FARM = '00000000-0000-4000-8000-0000000000f1';
const BUYER = '00000000-0000-4000-8000-0000000000c1';
export const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const person = (over: object = {}) => ({
  id: BUYER,
  name: 'Cleo',
  role: 'consumer' as const,
  email: 'cleo@farmgate.test',
  phone: '',
  isFarm: false,
  deletedAt: null,
  ...over,
});

export const buyer = (over: object = {}) => ({
  ...person(),
  suspendedAt: null,
  emailVerifiedAt: '2026-11-01T10:00:00.000Z',
  onShortDefault: 'ask' as const,
  ...over,
});

export const product = (number: number, over: Partial<StockRow> = {}): StockRow => ({
  id: id(number),
  farmerId: FARM,
  name: `Product ${number}`,
  description: '',
  priceMinor: 250,
  unit: 'lb',
  stockMilli: 10_000,
  stepMilli: null,
  pieceMilli: null,
  pieceMinMilli: null,
  pieceMaxMilli: null,
  minimumMilli: null,
  unitLabel: [],
  netMilli: null,
  netUnit: null,
  sizes: [],
  sku: null,
  isAlways: false,
  maxOrderMilli: null,
  allergens: ['unknown'],
  ingredients: '',
  storage: '',
  origin: '',
  images: [],
  isOrganic: false,
  harvestDate: null,
  availableUntil: null,
  isActive: true,
  hiddenReason: null,
  asideMilli: null,
  returnsAt: null,
  version: 3,
  createdAt: '2026-11-01T10:00:00.000Z',
  category: null,
  farmer: {
    id: FARM,
    name: 'Fern',
    street: '',
    city: '',
    state: '',
    zipCode: '',
    farm: {
      farmName: 'Green Valley',
      approvedAt: '2026-01-01T00:00:00.000Z',
      acceptsPickup: true,
      acceptsDelivery: false,
      deliveryRadius: null,
      businessHours: {},
      pickupOpenings: [],
      pickupPlaces: [],
      pausedUntil: null,
      pauseNote: null,
      timeZone: 'UTC',
      cutoffDaysBefore: null,
      cutoffTime: null,
      closedDays: [],
      bookableDays: 366,
    },
  },
  appearance: 'as read',
  ...over,
});

export const farm = (over: Partial<FarmState> = {}): FarmState => ({
  approvedAt: '2026-01-01T00:00:00.000Z',
  acceptsPickup: true,
  acceptsDelivery: false,
  deliveryAreas: [],
  address: { street: '1 Mill Lane', city: 'Ashford', state: 'VT', zipCode: '05001' },
  farmName: 'Green Valley',
  timeZone: 'UTC',
  businessHours: {},
  cutoffDaysBefore: null,
  cutoffTime: null,
  closedDays: [],
  bookableDays: 366,
  terms: 'as read',
  hasSlots: false,
  pausedUntil: null,
  ...over,
});

export const state = (over: Partial<PlacingState> = {}): PlacingState => ({
  now: new Date('2026-11-22T23:59:59.000Z'),
  consumer: buyer(),
  command: null,
  farmer: { ...person({ id: FARM, name: 'Fern', role: 'farmer' }), suspendedAt: null, farm: null },
  farm: farm(),
  products: [product(1), product(2)],
  slot: null,
  ...over,
});

export const pickup = (date = '2026-11-22') => ({ date, time: '10:00', location: 'Farm gate' });
export const order = (over: object = {}): PlaceOrder =>
  PlaceOrder.parse({
    farmer: FARM,
    items: [
      { product: id(2), quantity: 3, price: 2.5 },
      { product: id(1), quantity: 1 },
    ],
    pickupDetails: pickup(),
    ...over,
  });
export const byDelivery = order({
  pickupDetails: undefined,
  deliveryDetails: {
    address: { street: '1', city: '2', state: '3', zipCode: '4' },
    date: '2026-11-23',
    time: '10:00',
  },
});

export const decide = (over: Partial<PlacingState> = {}, input = order(), hash = 'this request') =>
  decidePlaceOrder(state(over), input, hash);
