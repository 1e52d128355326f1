import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import {
  byHandover,
  countOf,
  isListed,
  type PickScope,
  pickOrderOf,
} from '#contract/ordering/picklist/pick-summary';
import type { PickOrder, PickTick } from '#contract/ordering/picklist/picklist';
import { anOrder } from '../../../platform/testing/orders.ts';
import { type PickData, viewOf, withOrder, withPrint, withSeen, withTick } from './fold.ts';

const DAYS = ['2026-11-05', '2026-11-06'];
const PLACES = ['a', 'b'].map((letter) => `00000000-0000-4000-8000-00000000000${letter}`);
const by = { _id: 'p', name: 'Pat Packer' };
const stamp = (count: number) => new Date(Date.UTC(2026, 10, 1) + count * 1000).toISOString();

/** A server of one list, in the plainest way. */
class Farm {
  readonly orders = new Map<string, Order>();
  readonly ticks = new Map<string, PickTick>();
  readonly seen = new Map<string, NonNullable<PickOrder['seen']>>();
  printed = new Map<string, number>();
  print: PickData['print'] = null;
  #clock = 0;
  readonly scope: PickScope;

  constructor(scope: PickScope) {
    this.scope = scope;
  }

  now = () => stamp(++this.#clock);

  place(number: number, quantity: number, date: string, place: string): Order {
    const base = anOrder(number);
    const [item] = base.items;
    if (!item) throw new Error('The fixture has no line.');
    const items = ['lb', 'kg'].map((unit, index) => ({
      ...item,
      _id: `${base._id}-${index}`,
      product: { _id: 'carrots', name: 'Carrots', images: [], unit: unit as 'lb' | 'kg' },
      quantity: quantity + index,
      orderedQuantity: quantity + index,
    }));
    return this.#save({ ...base, items, version: 0, pickupDetails: this.#pickup(date, place) });
  }

  #pickup = (date: string, placeId: string) => ({
    date,
    time: '10:00',
    endTime: '10:30',
    location: 'Gate',
    slotId: `${date}${placeId}`,
    placeId,
  });

  #save(order: Order): Order {
    const saved = { ...order, version: order.version + 1 };
    this.orders.set(saved._id, saved);
    return saved;
  }

  #with(order: Order, kind: 'status' | 'lines' | 'slot' | 'packing', over: Partial<Order>): Order {
    const entry = { sequence: order.timeline.length + 1, kind, at: this.now(), by };
    const status = over.status ?? order.status;
    const timeline = [...order.timeline, { ...entry, status, detail: {} }];
    return this.#save({ ...order, ...over, timeline: timeline as unknown as Order['timeline'] });
  }

  change(order: Order, kind: string, quantity: number, date: string, place: string): Order {
    if (kind === 'accept') return this.#with(order, 'status', { status: 'accepted' });
    if (kind === 'cancel') return this.#with(order, 'status', { status: 'cancelled' });
    if (kind === 'complete') return this.#with(order, 'status', { status: 'completed' });
    if (kind === 'move') {
      return this.#with(order, 'slot', { pickupDetails: this.#pickup(date, place) });
    }
    if (kind === 'pack') return this.#with(order, 'packing', { packing: 'packed' });
    const items = order.items.map((item, index) => (index === 0 ? { ...item, quantity } : item));
    return this.#with(order, 'lines', { items });
  }

  /** The list as a fresh fetch brings it. */
  list(): PickData {
    const orders = [...this.orders.values()]
      .map((order): PickOrder => {
        const { lines, ...rest } = pickOrderOf(order);
        const seen = this.seen.get(order._id);
        return {
          ...rest,
          ...(seen && seen.sequence >= rest.changed.sequence ? { seen } : {}),
          lines: lines.map((line) => ({ ...line, printed: this.printed.get(line.lineId) ?? 0 })),
        };
      })
      .filter((order) => isListed(order, this.scope))
      .sort(byHandover);
    return {
      ...this.scope,
      orders,
      ticks: [...this.ticks.values()],
      print: this.print,
      summary: null,
    };
  }

  printNow() {
    const counted = this.list().orders.filter((o) => countOf(o, this.scope) === 'counted');
    this.printed = new Map(
      counted.flatMap(({ lines }) => lines.map(({ lineId, quantity }) => [lineId, quantity])),
    );
    const number = (this.print?.number ?? 0) + 1;
    this.print = { _id: `print${number}`, number, at: this.now(), by };
    return {
      ...this.print,
      date: this.scope.date,
      farmId: 'farm',
      orderCount: counted.length,
      versionSum: counted.reduce((sum, { version }) => sum + version, 0),
    };
  }

  tick(quantity: number): PickTick {
    const version = (this.ticks.get('lb')?.version ?? 0) + 1;
    const { date } = this.scope;
    const tick: PickTick = {
      date,
      productId: 'carrots',
      unit: 'lb',
      isByPiece: false,
      quantity,
      version,
      by,
      at: this.now(),
    };
    this.ticks.set('lb', tick);
    return tick;
  }

  see() {
    const at = this.now();
    const changes = this.list().orders.map(({ _id, changed }) => ({
      orderId: _id,
      sequence: changed.sequence,
    }));
    for (const { orderId, sequence } of changes) this.seen.set(orderId, { sequence, by, at });
    return { changes, by, at };
  }
}

const step = fc.record({
  what: fc.constantFrom(
    'place',
    'accept',
    'cancel',
    'complete',
    'move',
    'lines',
    'pack',
    'print',
    'tick',
    'see',
  ),
  number: fc.integer({ min: 1, max: 5 }),
  quantity: fc.integer({ min: 0, max: 4 }),
  day: fc.constantFrom(...DAYS),
  place: fc.constantFrom(...PLACES),
  /** Whether the event arrives twice. */
  isRepeated: fc.boolean(),
});

it.each([null, PLACES[0] ?? ''])(
  'cached list and events are a fresh fetch, of place %s',
  (place) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const farm = new Farm({ date: DAYS[0] ?? '', place });
        let data: PickData = farm.list();
        for (const { what, number, quantity, day, place: at, isRepeated } of steps) {
          const order = [...farm.orders.values()].find(({ _id }) => _id === anOrder(number)._id);
          let fold: (list: PickData) => PickData | undefined;
          if (what === 'print') {
            const event = farm.printNow();
            fold = (list) => withPrint(list, event);
          } else if (what === 'tick') {
            const event = farm.tick(quantity);
            fold = (list) => withTick(list, event);
          } else if (what === 'see') {
            const event = farm.see();
            fold = (list) => withSeen(list, event);
          } else {
            if ((what === 'place') !== (order === undefined)) continue;
            const changed = order
              ? farm.change(order, what, quantity, day, at)
              : farm.place(number, quantity, day, at);
            fold = (list) => withOrder(list, changed);
          }
          for (let time = 0; time < (isRepeated ? 2 : 1); time++) {
            const next = fold(data);
            if (!next) throw new Error(`The list would be read again after ${what}.`);
            data = next;
          }
          expect(viewOf(data)).toEqual(viewOf(farm.list()));
        }
      }),
      { numRuns: 300 },
    );
  },
);

it('reads the list again where an order changed beside a print', () => {
  const farm = new Farm({ date: DAYS[0] ?? '', place: null });
  const order = farm.place(1, 2, DAYS[0] ?? '', PLACES[0] ?? '');
  farm.change(order, 'accept', 2, '', '');
  const before = farm.list();
  const event = farm.printNow();
  expect(withPrint(before, { ...event, versionSum: event.versionSum + 1 })).toBeUndefined();
  expect(withPrint(before, event)?.print?.number).toBe(1);
});

it('reads the list of a place again where an event does not say the place of a slot', () => {
  const farm = new Farm({ date: DAYS[0] ?? '', place: PLACES[0] ?? '' });
  const order = farm.place(1, 2, DAYS[0] ?? '', PLACES[0] ?? '');
  const { placeId: _, ...pickupDetails } = order.pickupDetails ?? {
    date: '',
    time: '',
    location: '',
  };
  expect(withOrder(farm.list(), { ...order, version: 9, pickupDetails })).toBeUndefined();
});
