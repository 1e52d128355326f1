import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { createOrderFixture } from '../../../server/ordering/testing/fixture.ts';
import { OUTDATED } from '../../../server/platform/stores/timers.ts';
import type { Caller } from '../../../server/testing/market.ts';
import { withWords } from '../../testing/words.ts';
import { applyEffects } from '../apply.ts';
import { effectsOf } from '../definitions.ts';
import { picklistChanged } from './picklist-changed.ts';

// Changes of a printed pick list that nobody has marked as seen.

let product: string;
let farmer: Caller;
let date: string;
const fixture = await createOrderFixture();
afterAll(() => fixture.close());
beforeEach(async () => {
  farmer = await fixture.join('farmer');
  product = await fixture.createProduct(100, { farmerId: farmer.id });
});

async function accepted(): Promise<Order> {
  const { body } = await fixture.order([{ product, quantity: 2 }], { over: { farmer: farmer.id } });
  date = body.data.pickupDetails.date;
  return (await fixture.changeStatus(body.data._id, 'accepted', farmer)).body.data;
}

const print = () => fixture.call('POST', '/farm/picklist/prints', { as: farmer, body: { date } });
const remind = ({ _id, version }: Order) =>
  fixture.platform.db.$transaction(async (tx) => {
    const key = `picklist.changed:${_id}:${version}`;
    const effects = await picklistChanged.remind?.(key, tx, fixture.env);
    return !effects || effects === OUTDATED ? [] : effects;
  });

test('are notified together, once, by the goods and with the list', async () => {
  await accepted();
  await print();
  const [one, two] = [await accepted(), await accepted()];
  const effects = await remind(one);
  expect(withWords(effects)).toMatchObject([
    {
      do: 'notify',
      userId: farmer.id,
      kind: 'picklist.changed',
      body: '2 orders changed since print 1, and nobody has marked it as seen: +2 lb of Carrots, +2 lb of Carrots.',
      link: `/farmer/picklist?date=${date}`,
    },
  ]);
  // The same key: a notification of which there is one.
  expect(await remind(two)).toEqual(effects);
});

test('are not notified without a print, once seen, or once printed again', async () => {
  const order = await accepted();
  expect(await remind(order)).toEqual([]);
  await print();
  expect(await remind(order)).toEqual([]);
  const late = await accepted();
  const sequence = late.timeline.at(-1)?.sequence;
  expect(await remind(late)).toHaveLength(1);
  await fixture.call('PUT', '/farm/picklist/seen', {
    as: farmer,
    body: { date, changes: [{ orderId: late._id, sequence }] },
  });
  expect(await remind(late)).toEqual([]);
  const last = await accepted();
  expect(await remind(last)).toHaveLength(1);
  await print();
  expect(await remind(last)).toEqual([]);
});

test('are looked at from twelve hours before the handover on', async () => {
  const head = await fixture.head();
  const order = await accepted();
  await fixture.platform.eventLog.sequence();
  const events = await fixture.platform.eventLog.read(head);
  const scheduled = events
    .flatMap((event) => effectsOf(event))
    .filter((effect) => effect.do === 'schedule' && effect.kind === 'picklist.changed');
  expect(scheduled).toMatchObject([
    {
      key: `picklist.changed:${order._id}:${order.version}`,
      userId: farmer.id,
      notBefore: new Date(Date.parse(order.startsAt ?? '') - 12 * 60 * 60 * 1000),
    },
  ]);
});

test('are waited for only by farms with a print that is not over', async () => {
  const head = await fixture.head();
  const order = await accepted();
  const effects = (await fixture.eventsAfter(head)).flatMap((event) =>
    effectsOf(event as Parameters<typeof effectsOf>[0]),
  );
  const scheduled = effects.filter((effect) => effect.do === 'schedule' && effect.needsPrint);
  expect(scheduled).toHaveLength(1);
  const { db, env, pool } = fixture.platform;
  const timersSet = async () => {
    await db.$transaction((tx) => applyEffects(tx, env, scheduled));
    return db.timer.count({ where: { key: { startsWith: `picklist.changed:${order._id}` } } });
  };
  expect(await timersSet()).toBe(0);
  await print();
  await pool.query(`UPDATE pick_prints SET date = date - 10 WHERE farm_id = $1`, [farmer.id]);
  expect(await timersSet()).toBe(0);
  await print();
  expect(await timersSet()).toBe(1);
});
