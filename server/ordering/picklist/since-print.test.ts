import { afterAll, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import {
  changesOf,
  isListed,
  pickOrderOf,
  totalsOf,
} from '#contract/ordering/picklist/pick-summary';
import type { Picklist } from '#contract/ordering/picklist/picklist';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { makePlace, slotsAhead } from '../../testing/slots.ts';
import { createSlotFixture } from '../testing/slot-fixture.ts';

// What changed since a print is exact, whatever happens beside it: random orders, answers, moves and prints, several at
// a time, and the lists of two days at two places after them.

let slots: { id: string; date: string; place: string }[];
const fixture = await createSlotFixture();
const { farmer, product: carrots } = await fixture.newFarm();
const places = [await makePlace(fixture, farmer), await makePlace(fixture, farmer)];
slots = [];
for (const place of places) {
  const ahead = await slotsAhead(fixture, farmer, place);
  const days = [...new Set(ahead.map(({ date }) => date))].slice(0, 2);
  for (const slot of ahead.filter(({ date }) => days.includes(date))) {
    slots.push({ id: slot._id, date: slot.date, place });
  }
}
afterAll(() => fixture.close());

/** Numbers from 0 to 1 that are the same each time. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

interface Scope {
  date: string;
  place: string | null;
}

const queryOf = ({ date, place }: Scope) => `date=${date}${place ? `&place=${place}` : ''}`;

async function read(scope: Scope): Promise<Picklist> {
  const path = `/farm/picklist?${queryOf(scope)}`;
  const { status, body } = await fixture.call('GET', path, { as: farmer });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

const statusCounts = ({ status }: Order): boolean =>
  status === 'accepted' || status === 'completed';
const isIn = (order: Order, { date, place }: Scope): boolean =>
  order.pickupDetails?.date === date && (place === null || order.pickupDetails.placeId === place);

test('what changed since a print is now minus then, of every line, under concurrent orders', async () => {
  const random = numbersFrom(20_261_217);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const scopes: Scope[] = slots.flatMap(({ date, place }) => [
    { date, place: null },
    { date, place },
  ]);
  const orders: string[] = [];
  const eggs = await fixture.createProduct(1000, { farmerId: farmer.id, name: 'Eggs' });

  const changes: (() => Promise<unknown>)[] = [
    async () => {
      const items = [carrots, eggs].map((product) => ({
        product,
        quantity: 1 + Math.floor(random() * 4),
      }));
      const { status, body } = await fixture.order(items, {
        over: { farmer: farmer.id, pickupDetails: { slotId: pick(slots).id } },
      });
      expect(status, JSON.stringify(body)).toBe(201);
      orders.push(body.data._id);
      if (random() < 0.8) await fixture.changeStatus(body.data._id, 'accepted', farmer);
    },
    () => fixture.changeStatus(pick(orders), pick(['accepted', 'cancelled', 'completed']), farmer),
    () => fixture.put(`/orders/${pick(orders)}/slot`, farmer, { slotId: pick(slots).id }),
    () => {
      const { date, place } = pick(scopes);
      return fixture.post('/farm/picklist/prints', farmer, place ? { date, place } : { date });
    },
  ];
  for (let round = 0; round < 12; round++) {
    const now = orders.length === 0 ? [changes[0]] : Array.from({ length: 6 }, () => pick(changes));
    await Promise.all(now.map((change) => change?.()));
  }

  const everything: Order[] = (
    await fixture.call('GET', '/orders/farmer?limit=200', { as: farmer })
  ).body.data;
  expect(everything).toHaveLength(orders.length);
  for (const scope of scopes) {
    const list = await read(scope);
    const printed = new Map<string, number>();
    if (list.print) {
      const lines = await fixture.platform.db.pickPrintLine.findMany({
        where: { printId: list.print._id },
      });
      for (const { lineId, quantityMilli } of lines) printed.set(lineId, quantityMilli);
    }
    // The plain way, line by line.
    let difference = 0;
    const differing = new Set<string>();
    for (const order of everything) {
      for (const { _id, quantity } of order.items) {
        const now = isIn(order, scope) && statusCounts(order) ? toMilli(quantity) : 0;
        const then = printed.get(_id) ?? 0;
        difference += now - then;
        if (list.print && now !== then) differing.add(order._id);
      }
    }
    const sum = (values: (number | null)[]) =>
      values.reduce((total: number, value) => total + toMilli(value ?? 0), 0);
    if (list.print) {
      expect(sum(list.products.map(({ sincePrint }) => sincePrint))).toBe(difference);
      expect(sum(list.changes.map(({ delta }) => delta))).toBe(difference);
    }
    expect(new Set(list.changes.map(({ orderId }) => orderId))).toEqual(differing);

    // And as browsers work it out, from the orders as events have them.
    const known = everything.map((order) => {
      const picked = pickOrderOf(order);
      const lines = picked.lines.map((line) => ({
        ...line,
        printed: fromMilli(printed.get(line.lineId) ?? 0),
      }));
      return { ...picked, lines };
    });
    const shown = known.filter((order) => isListed(order, scope));
    const byId = new Map(shown.map((order) => [order._id, order]));
    expect(list.orders.map(({ _id }) => byId.get(_id))).toEqual(list.orders);
    expect(list.orders).toHaveLength(shown.length);
    expect(totalsOf(list.orders, list.ticks, scope, list.print !== null)).toEqual(list.products);
    expect(list.print ? changesOf(list.orders, scope) : []).toEqual(list.changes);
  }
});

test('a print beside orders has all or nothing of each', async () => {
  const date = addDays(dayIn('UTC'), 40);
  const product = await fixture.createProduct(10_000, {
    farmerId: fixture.farmer.id,
    name: 'Leeks',
  });
  const order = async () => {
    const { body } = await fixture.order(
      [
        { product, quantity: 1 },
        { product: carrotsOf, quantity: 2 },
      ],
      { over: { pickupDetails: { date, time: '10:00', location: 'Gate' } } },
    );
    await fixture.changeStatus(body.data._id, 'accepted', fixture.farmer);
  };
  const carrotsOf = await fixture.createProduct(10_000, { farmerId: fixture.farmer.id });
  const printOnce = () => fixture.post('/farm/picklist/prints', fixture.farmer, { date });
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, index) => (index % 4 === 3 ? printOnce() : order())),
  );
  for (const answer of answers) {
    if (!answer) continue;
    const { body } = await fixture.call('GET', `/farm/picklist/prints/${answer.body.data._id}`, {
      as: fixture.farmer,
    });
    const quantity = (name: string): number =>
      body.data.products.find((each: { product: { name: string } }) => each.product.name === name)
        ?.quantity ?? 0;
    expect(quantity('Carrots')).toBe(2 * quantity('Leeks'));
  }
});
