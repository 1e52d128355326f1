import { expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { ApiError } from '../../../platform/api/api-error.ts';
import { anOrder } from '../../../platform/testing/orders.ts';
import { type CheckoutDraft, initialValues, nextOf, type StartingTerms } from './initial-values.ts';

const NOW = Date.parse('2026-11-26T08:00:00Z');
const SATURDAY = {
  date: '2026-11-28',
  open: '08:00',
  close: '14:00',
  ordersUntil: '2026-11-27T17:00:00.000Z',
};
const terms = (over: Partial<StartingTerms> = {}): StartingTerms => ({
  acceptsPickup: true,
  acceptsDelivery: true,
  pickupLocation: '4 Mill Lane',
  days: [SATURDAY],
  keepsDays: true,
  hasCutoff: true,
  timeZone: 'Europe/Berlin',
  ...over,
});
const home = { street: '1 Elm Street', city: 'Bath', state: 'ME', zipCode: '04530' };
const away = { ...home, street: '9 Oak Street' };
const draft = (over: Partial<CheckoutDraft> = {}): CheckoutDraft => ({
  orderType: 'pickup',
  pickupDetails: { date: '2026-12-24', time: '11:00', location: 'Gate', slotId: '' },
  deliveryDetails: { address: home, date: '', time: '', isAreaConfirmed: false },
  paymentMethod: 'other',
  notes: 'By bicycle.',
  ...over,
});
const delivered: Order = {
  ...anOrder(1),
  pickupDetails: undefined,
  deliveryDetails: { address: away, date: '2026-11-03', time: '09:30' },
  paymentMethod: 'bank_transfer',
};
const begin = (
  from: { draft?: CheckoutDraft; last?: Order } = {},
  over: Partial<StartingTerms> = {},
) => initialValues(terms(over), home, { draft: from.draft, last: from.last }, NOW);

test('a first order begins with the first day, the default place and cash', () => {
  expect(begin()).toEqual({
    orderType: 'pickup',
    pickupDetails: { date: '2026-11-28', time: '08:00', location: '4 Mill Lane', slotId: '' },
    deliveryDetails: {
      date: '2026-11-28',
      time: '08:00',
      address: home,
      isAreaConfirmed: false,
    },
    paymentMethod: 'cash',
    notes: '',
  });
});

test('a later order begins as the last one was, without its notes', () => {
  expect(begin({ last: delivered })).toMatchObject({
    orderType: 'delivery',
    deliveryDetails: { date: '2026-11-28', time: '09:30', address: away },
    pickupDetails: { location: '4 Mill Lane' },
    paymentMethod: 'bank_transfer',
    notes: '',
  });
  expect(begin({ last: delivered }, { acceptsDelivery: false }).orderType).toBe('pickup');
});

test('what was typed comes before the last order, and past days are replaced', () => {
  expect(begin({ draft: draft(), last: delivered })).toMatchObject({
    orderType: 'pickup',
    pickupDetails: { date: '2026-12-24', time: '11:00', location: 'Gate', slotId: '' },
    deliveryDetails: { date: '2026-11-28', time: '09:30', address: home },
    paymentMethod: 'other',
  });
  const past = draft({
    pickupDetails: { date: '2026-11-25', time: '', location: 'Gate', slotId: '' },
  });
  expect(begin({ draft: past }).pickupDetails).toEqual({
    date: '2026-11-28',
    time: '08:00',
    location: 'Gate',
    slotId: '',
  });
});

test('a farm that keeps no days begins with empty fields', () => {
  expect(begin({ last: delivered }, { keepsDays: false }).deliveryDetails).toMatchObject({
    date: '',
    time: '',
    address: away,
  });
});

test('only a refusal of the day offers another one', () => {
  const refusal = (code: string, data: unknown) =>
    new ApiError('No.', { status: 409, code, details: { data } });
  expect(nextOf(refusal('CUTOFF_PASSED', { next: SATURDAY }))).toBe(SATURDAY);
  expect(nextOf(refusal('DAY_CLOSED', { next: null }))).toBeNull();
  expect(nextOf(refusal('VERSION_CONFLICT', { next: SATURDAY }))).toBeNull();
  expect(nextOf(new Error('No.'))).toBeNull();
});
