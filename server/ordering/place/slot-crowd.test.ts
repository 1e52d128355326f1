// @long It tries crowds, or very many cases.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FarmSlot } from '#contract/farm/slots/slots';
import { until, WAIT_MS } from '../../../testing/until.ts';
import { CUTOFF_TIMER, cutoffTimerKey } from '../../farm/schedule/rules.ts';
import { retryConflicts } from '../../platform/stores/postgres.ts';
import { setTimer } from '../../platform/stores/timers.ts';
import type { Answer, Caller } from '../../testing/market.ts';
import { startUncached } from '../../testing/samples/uncached.ts';
import { makePlace, slotsAhead } from '../../testing/slots.ts';
import { answerAtCutoff } from '../status/at-cutoff.ts';
import { createOrderFixture, type OrderFixture } from '../testing/fixture.ts';

// Crowds on a busy machine take their time.
const BUYERS = 300;
let fixture: OrderFixture;
let second: Awaited<ReturnType<typeof startUncached>>;
let consumers: Caller[];
let product: string;
let slots: FarmSlot[];

beforeAll(async () => {
  fixture = await createOrderFixture();
  second = await startUncached(fixture.env);
  const { db, sessions } = fixture.platform;
  // Straight into the table: a password's hash takes its time on purpose.
  const rows = await db.user.createManyAndReturn({
    data: Array.from({ length: BUYERS }, (_, index) => ({
      name: `Customer ${index}`,
      email: `buyer${index}@farmgate.test`,
      passwordHash: '-',
      role: 'consumer' as const,
    })),
  });
  consumers = await Promise.all(
    rows.map(async ({ id, name, email, role, tokenVersion }) => ({
      id,
      name,
      email,
      role,
      token: await sessions.issue({ userId: id, tokenVersion }),
    })),
  );
  product = await fixture.createProduct(100_000);
  await makePlace(fixture, fixture.farmer, {}, 20);
  slots = await slotsAhead(fixture, fixture.farmer);
});
afterAll(async () => {
  await second.close();
  await fixture.close();
});

/** Calls one of the two servers. */
async function callAt(
  index: number,
  method: string,
  path: string,
  as: Caller,
  body: unknown,
): Promise<Pick<Answer, 'status' | 'body'>> {
  const url = index % 2 ? fixture.url : second.url;
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const order = (index: number, as: Caller, slotId: string, of = product) =>
  callAt(index, 'POST', '/orders', as, {
    farmer: fixture.farmer.id,
    items: [{ product: of, quantity: 1 }],
    pickupDetails: { slotId },
  });

/**
 * Moves an order as its farm. A transaction that a busy machine keeps waiting for its slots beyond its time is undone
 * and answered with 503, so the call is repeated.
 */
const moveOrder = (index: number, id: string, slotId: string) =>
  until('the order is moved or refused', async () => {
    const answer = await callAt(index, 'PUT', `/orders/${id}/slot`, fixture.farmer, { slotId });
    return answer.status === 503 ? undefined : answer;
  });

/** Expects that what is taken of each slot is what its orders take. */
async function expectTakenIsOrders(): Promise<void> {
  const { rows } = await fixture.platform.pool.query(
    `SELECT s.id, s.taken, count(o.id)::int AS orders FROM slots s
     LEFT JOIN orders o ON o.slot_id = s.id AND o.status NOT IN ('rejected', 'cancelled')
     GROUP BY s.id HAVING s.taken <> count(o.id)`,
  );
  expect(rows).toEqual([]);
}

test('300 customers at two servers get the 20 orders that a slot has room for', async () => {
  const own = await fixture.createProduct(BUYERS);
  const slot = slots[0]?._id ?? '';
  const answers = await Promise.all(consumers.map((as, index) => order(index, as, slot, own)));
  const placed = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(placed).toHaveLength(20);
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
    new Set(['409 SLOT_FULL']),
  );
  expect(await fixture.stockOf(own)).toBe(BUYERS - 20);
  await expectTakenIsOrders();
});

test('orders that cross between two slots do not block each other', async () => {
  const [, one, two] = slots.map(({ _id }) => _id) as [string, string, string];
  const ids = await Promise.all(
    consumers.slice(0, 16).map(async (as, index) => {
      const { body } = await order(index, as, index % 2 ? one : two);
      return body.data._id as string;
    }),
  );
  for (let round = 0; round < 4; round++) {
    const answers = await Promise.all(
      ids.map((id, index) => moveOrder(index, id, (index + round) % 2 ? two : one)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  }
  const [there, back] = await Promise.all([
    callAt(0, 'POST', `/farm/slots/${one}/move`, fixture.farmer, { toSlotId: two }),
    callAt(1, 'POST', `/farm/slots/${two}/move`, fixture.farmer, { toSlotId: one }),
  ]);
  for (const { status } of [there, back]) expect([200, 409]).toContain(status);
  await expectTakenIsOrders();
});

/** Lets the cut-off of a day be now, as a worker does with its timer. */
async function closeDay(date: string, atCutoff: 'accept' | 'reject') {
  const { id: userId } = fixture.farmer;
  const key = cutoffTimerKey(userId, date);
  await retryConflicts(() =>
    fixture.platform.db.$transaction(
      async (tx) => {
        const passed = { cutoffDaysBefore: 14, cutoffTime: '00:00', atCutoff };
        await tx.farmerProfile.update({ where: { userId }, data: passed });
        await setTimer(tx, { kind: CUTOFF_TIMER, key, dueAt: new Date() });
        await answerAtCutoff(tx, key);
        const none = { cutoffDaysBefore: null, cutoffTime: null };
        await tx.farmerProfile.update({ where: { userId }, data: none });
      },
      { timeout: WAIT_MS },
    ),
  );
  return { status: 200, body: {} };
}

test('days that cross each other are moved without blocking, and no order is lost', async () => {
  const [one, two] = [slots[8], slots[10]];
  if (!one || !two) throw new Error('There are too few slots');
  const placed = await Promise.all(
    consumers.slice(20, 36).map((as, index) => order(index, as, (index % 2 ? one : two)._id)),
  );
  const ids = placed.map(({ body }) => body.data._id as string);
  const move = (index: number, date: string, toDate: string) =>
    callAt(index, 'POST', '/farm/slots/move-day', fixture.farmer, {
      date,
      toDate,
      closesSlots: false,
    });
  for (let round = 0; round < 4; round++) {
    const answers = await Promise.all([
      move(0, one.date, two.date),
      move(1, two.date, one.date),
      move(1, one.date, two.date),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await expectTakenIsOrders();
    const there = await fixture.platform.db.order.findMany({
      where: { id: { in: ids }, slotId: { in: [one._id, two._id] } },
      select: { slotId: true, date: true },
    });
    expect(there).toHaveLength(ids.length);
    for (const { slotId, date } of there) {
      expect(date.toISOString().slice(0, 10)).toBe((slotId === one._id ? one : two).date);
    }
  }
});

test('what is taken of a slot is what its orders take, whatever is done at once', async () => {
  // Two slots of each of two days.
  const chosen = slots.slice(4, 8);
  const places = chosen.map(({ _id }) => _id);
  const step = fc.record({
    act: fc.constantFrom(
      'place',
      'place',
      'cancel',
      'reject',
      'accept',
      'acceptAll',
      'move',
      'moveOwn',
      'moveAll',
      'moveDay',
      'cutoff',
      'capacity',
    ),
    consumer: fc.nat(9),
    slot: fc.nat(3),
    other: fc.nat(3),
    pick: fc.nat(50),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
      const known = await fixture.platform.db.order.findMany({
        where: { slotId: { in: places }, status: { in: ['pending', 'accepted'] } },
        select: { id: true, consumerId: true },
      });
      const answers = await Promise.all(
        steps.map(async ({ act, consumer, slot, other, pick }, index) => {
          const [here, there] = [places[slot] ?? '', places[other] ?? ''];
          const picked = known[pick % Math.max(1, known.length)];
          const { farmer } = fixture;
          if (act === 'place') return order(index, consumers[consumer] as Caller, here);
          if (act === 'capacity') {
            return callAt(index, 'PUT', `/farm/slots/${here}`, farmer, { capacity: 1 + pick });
          }
          if (act === 'moveAll') {
            return callAt(index, 'POST', `/farm/slots/${here}/move`, farmer, { toSlotId: there });
          }
          const date = chosen[slot]?.date ?? '';
          if (act === 'moveDay') {
            const toDate = chosen.find((each) => each.date !== date)?.date;
            const body = { date, toDate, closesSlots: false };
            return callAt(index, 'POST', '/farm/slots/move-day', farmer, body);
          }
          if (act === 'acceptAll') {
            const ids = [...new Set(known.map(({ id }) => id))].slice(0, 1 + pick);
            if (ids.length === 0) return { status: 200, body: {} };
            const body = { ids, status: 'accepted' };
            return callAt(index, 'PUT', '/orders/status', farmer, body);
          }
          if (act === 'cutoff') return closeDay(date, pick % 2 ? 'accept' : 'reject');
          if (!picked) return { status: 200, body: {} };
          if (act === 'move') {
            return callAt(index, 'PUT', `/orders/${picked.id}/slot`, farmer, { slotId: there });
          }
          const owner = consumers.find(({ id }) => id === picked.consumerId) as Caller;
          if (act === 'moveOwn') {
            return callAt(index, 'PUT', `/orders/${picked.id}/slot`, owner, { slotId: there });
          }
          const status = { cancel: 'cancelled', reject: 'rejected', accept: 'accepted' }[act];
          const as = act === 'cancel' ? owner : farmer;
          return callAt(index, 'PUT', `/orders/${picked.id}`, as, { status });
        }),
      );
      for (const { status, body } of answers) {
        expect([200, 201, 400, 409], JSON.stringify(body)).toContain(status);
      }
      await expectTakenIsOrders();
    }),
    { numRuns: 12, endOnFailure: true },
  );
});
