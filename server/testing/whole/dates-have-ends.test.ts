import { expect, it } from 'vitest';
import { createOrderFixture } from '../../ordering/testing/fixture.ts';
import { type Caller, closeAfter, orderInput } from '../market.ts';

const fixture = closeAfter(await createOrderFixture());
const product: string = await fixture.createProduct(10);
await fixture.call('PUT', '/users/farmers/profile', {
  as: fixture.farmer,
  body: { farmName: 'Green Valley', description: 'Good soil.', acceptsDelivery: true },
});

type Ask = [who: 'farmer' | 'consumer' | 'admin', method: string, path: string, body?: object];

/** Every call that takes a day, with the field at which it is refused. */
const asks: Record<string, (day: string) => [field: string, ...ask: Ask]> = {
  'a pickup': (date) => [
    'pickupDetails.date',
    'consumer',
    'POST',
    '/orders',
    { pickupDetails: { date, time: '10:00', location: 'Gate' } },
  ],
  'a delivery': (date) => [
    'deliveryDetails.date',
    'consumer',
    'POST',
    '/orders',
    {
      pickupDetails: undefined,
      deliveryDetails: {
        address: { street: '1', city: '2', state: '3', zipCode: '4' },
        date,
        time: '10:00',
      },
    },
  ],
  'a moved day': (date) => [
    'date',
    'farmer',
    'POST',
    '/farm/slots/move-day',
    { date, toDate: '2026-12-24' },
  ],
  'the day it moves to': (toDate) => [
    'toDate',
    'farmer',
    'POST',
    '/farm/slots/move-day',
    { date: '2026-12-24', toDate },
  ],
  'a shortage': (from) => [
    'from',
    'farmer',
    'POST',
    '/farm/shortages',
    { productId: product, from, to: '2999-12-31', available: 1, rule: 'by_order' },
  ],
  'a closed day': (date) => [
    'exceptions.0.date',
    'farmer',
    'PUT',
    '/farm/schedule',
    { exceptions: [{ date, skip: true }] },
  ],
  'a harvest': (harvestDate) => [
    'harvestDate',
    'farmer',
    'PUT',
    `/products/${product}`,
    { harvestDate },
  ],
  'a last day': (availableUntil) => [
    'availableUntil',
    'farmer',
    'PUT',
    `/products/${product}`,
    { availableUntil },
  ],
  'received orders': (day) => ['date', 'farmer', 'GET', `/orders/farmer?date=${day}`],
  'the pick list': (day) => ['date', 'farmer', 'GET', `/farm/picklist?date=${day}`],
  'its days': (day) => ['from', 'farmer', 'GET', `/farm/picklist/days?from=${day}`],
  'possible days': (day) => [
    'from',
    'consumer',
    'GET',
    `/users/farmers/${fixture.farmer.id}/days?from=${day}`,
  ],
  'offered slots': (day) => [
    'to',
    'consumer',
    'GET',
    `/users/farmers/${fixture.farmer.id}/slots?to=${day}`,
  ],
  'slots of the farm': (day) => ['to', 'farmer', 'GET', `/farm/slots?to=${day}`],
  'all orders': (day) => ['from', 'admin', 'GET', `/orders?from=${day}`],
  people: (day) => ['from', 'admin', 'GET', `/users?from=${day}`],
  'the log of admins': (day) => ['to', 'admin', 'GET', `/admin/audit?to=${day}`],
};

it.each(
  Object.keys(asks).flatMap((name) =>
    ['0000-01-01', '0001-01-01', '1899-12-31', '3000-01-01', '9999-12-31'].map(
      (day) => [name, day] as const,
    ),
  ),
)('%s of %s is refused at its field', async (name, day) => {
  const [field, who, method, path, body] = asks[name]?.(day) ?? ['', 'admin', 'GET', '/'];
  const as: Caller = fixture[who];
  const isOrder = path === '/orders' && method === 'POST';
  const sent = isOrder
    ? orderInput(fixture.farmer.id, [{ product, quantity: 1 }], body as Record<string, unknown>)
    : body;
  const answer = await fixture.call(method, path, { as, body: sent });
  expect([answer.status, answer.body.errors?.[0]?.path], JSON.stringify(answer.body)).toEqual([
    400,
    field,
  ]);
});
