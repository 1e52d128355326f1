import { expect, it } from 'vitest';
import { WeightsChange } from '#contract/ordering/changes/order-lines';
import { isFinal } from '#contract/ordering/orders/constants';
import { expectedMilli, lineCostMinor } from '#contract/platform/quantities/constants/quantities';
import { totalOf } from '../server/ordering/model/present-lines.ts';
import { idOf } from './data/farms.ts';
import { changeOrders } from './farm-day.ts';
import { makeAllOrders } from './orders.ts';
import { makePicklist } from './picklist.ts';
import { DEMO_TIME_ZONE } from './seed-market.ts';
import { makeSlots } from './slots.ts';
import { HOUR_MS } from './times.ts';

const now = new Date('2026-03-18T09:30:00.000Z');

const bentAt = (moment: Date) =>
  changeOrders(
    makeAllOrders({ now: moment, timeZone: DEMO_TIME_ZONE }, makeSlots(moment, DEMO_TIME_ZONE)),
    moment,
  );
const { orders, events, proposals } = bentAt(now);

const linesOf = (wanted: string) =>
  orders
    .filter(({ order }) => order.status === wanted)
    .flatMap(({ lines }) => lines.filter(({ pieceMilli }) => pieceMilli !== null));

it('weighs what is complete, and leaves the rest to weigh', () => {
  expect(new Set(linesOf('completed').map(({ name }) => name)).size).toBeGreaterThan(1);
  for (const { name, packedMilli, ...line } of linesOf('completed')) {
    const ratio = (packedMilli ?? 0) / expectedMilli(line);
    expect(ratio, name).toBeGreaterThan(0.85);
    expect(ratio, name).toBeLessThan(1.15);
    expect(line.finalMinor, name).toBe(lineCostMinor(line.priceMinor, packedMilli ?? 0));
  }
  for (const status of ['pending', 'accepted']) {
    expect(linesOf(status).length).toBeGreaterThan(0);
    for (const line of linesOf(status)) expect(line.finalMinor, line.name).toBeNull();
  }
});

it('records what orders weighed before they were complete', () => {
  const weighed = orders.filter(
    ({ order, lines }) =>
      order.status === 'completed' && lines.some(({ pieceMilli }) => pieceMilli !== null),
  );
  for (const { order, lines, timeline } of weighed) {
    expect(timeline.map(({ kind, status }) => status ?? kind)).toEqual([
      'pending',
      'accepted',
      'weights',
      'completed',
    ]);
    const detail = WeightsChange.parse(timeline[2]?.detail);
    expect(detail.isTotalFinal).toBe(true);
    expect(Math.round(detail.totalAfter * 100)).toBe(totalOf(lines));
    expect(Number(order.totalMinor)).toBe(totalOf(lines));
  }
});

it('weighs one line of an accepted order, and leaves another', () => {
  const partly = orders.filter(
    ({ order, lines }) =>
      order.status === 'accepted' && lines.some(({ packedMilli }) => packedMilli !== null),
  );
  expect(partly.map(({ farm }) => farm.key)).toEqual(['red-barn']);
  const detail = WeightsChange.parse(partly[0]?.timeline.at(-1)?.detail);
  expect(detail).toMatchObject({ isTotalFinal: false, lines: [{ from: null }] });
});

it('packs an order of what is harvested, and begins with another', () => {
  const { pickPrints, pickTicks } = makePicklist(orders, now);
  const handled = orders.filter(({ order }) => order.packing);
  expect(
    handled.map(({ order, farm }) => [
      order.packing,
      order.crates,
      farm.key,
      order.date.getTime() === pickPrints[0]?.date.getTime(),
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['packed', 2, 'riverbend', true],
      ['packing', null, 'riverbend', true],
    ]),
  );
  const packed = handled.find(({ order }) => order.packing === 'packed');
  expect(packed?.timeline.slice(2).map(({ detail }) => detail)).toEqual([
    { from: 'none', to: 'packing' },
    { from: 'packing', to: 'packed', crates: 2 },
  ]);
  for (const { productId, quantityMilli } of packed?.lines ?? []) {
    const tick = pickTicks.find((each) => each.productId === productId);
    expect(tick?.quantityMilli).toBeGreaterThanOrEqual(quantityMilli);
  }
});

it('leaves the open orders of the first demo accounts as they were placed', () => {
  const consumerId = idOf('user', 'consumer@farmgate.test');
  const farmIds = ['farmer', 'farmer2'].map((name) => idOf('user', `${name}@farmgate.test`));
  const plain = orders.filter(
    ({ order }) =>
      !isFinal(order.status) &&
      (order.consumerId === consumerId || farmIds.includes(order.farmerId)),
  );
  expect(plain.length).toBeGreaterThan(5);
  for (const { order, lines, timeline } of plain) {
    expect(order.packing ?? 'none').toBe('none');
    expect(timeline.every(({ kind }) => kind === 'status')).toBe(true);
    expect(lines.every(({ pieceMilli }) => pieceMilli === null)).toBe(true);
    expect(proposals.map(({ orderId }) => orderId)).not.toContain(order.id);
  }
});

it('does the same on every weekday and hour', () => {
  const kinds = events.map(({ event }) => event.change.kind).sort();
  expect(new Set(kinds)).toEqual(new Set(['weights', 'packing', 'proposal']));
  for (let hours = 0; hours < 7 * 24; hours += 13) {
    const later = new Date(now.getTime() + hours * HOUR_MS);
    const bent = bentAt(later);
    expect(bent.events.map(({ event }) => event.change.kind).sort()).toEqual(kinds);
    expect(bent.timers).toHaveLength(3);
    for (const { timeline, order } of bent.orders) {
      timeline.slice(1).forEach(({ at }, index) => {
        expect(at.getTime()).toBeGreaterThan(timeline[index]?.at.getTime() ?? 0);
      });
      expect(order.version).toBe(timeline.at(-1)?.version);
      expect(timeline.at(-1)?.at.getTime()).toBeLessThan(later.getTime());
    }
  }
});
