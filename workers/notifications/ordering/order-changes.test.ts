// @long It waits for workers and timers.

import { describe, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { createChangesFixture } from '../../../server/ordering/changes/testing/changes-fixture.ts';
import type { Caller } from '../../../server/testing/market.ts';
import { until } from '../../../testing/until.ts';
import { letMinutesPass } from '../../testing/ledger.ts';
import { startWithMailbox } from '../../testing/mailbox.ts';
import { worded } from '../../testing/words.ts';

// What both sides are notified of when an order changes, and what its timers do.

/** Questions and reminders are further apart than what goes together. */
const MINUTES_APART = 6;

// Two at once, like two processes: everything must still happen once.
const { mailbox, market: fixture } = await startWithMailbox(
  createChangesFixture,
  { UNREAD_EMAIL_AFTER_SECONDS: '1', JOB_BACKOFF_MS: '50' },
  2,
);
const { consumer, farmer } = fixture;

interface Shown {
  kind: string;
  title: string;
  body: string;
  link: string;
  isRead: boolean;
}

const notificationsOf = async (as: Caller, order: Order, kind: string): Promise<Shown[]> =>
  worded((await fixture.call('GET', '/notifications?limit=100', { as })).body.data).filter(
    (each) => each.kind === kind && each.link === `/orders/${order._id}`,
  );

const untilNotified = async (as: Caller, order: Order, kind: string, count = 1): Promise<Shown[]> =>
  until(async () => {
    const list = await notificationsOf(as, order, kind);
    return list.length >= count ? list : undefined;
  });

const proposalId = (made: Order) => made.openChange?._id ?? '';

const runTimer = (key: string) =>
  fixture.platform.db.timer.update({ where: { key }, data: { dueAt: new Date(0) } });

describe('a proposal', () => {
  test('asks the customer at once, with the old beside the new lines', async () => {
    const { made } = await fixture.proposed();
    const [only] = await untilNotified(consumer, made, 'order.changeProposed');
    expect(only?.title).toBe('Your order needs your answer');
    expect(only?.body).toMatch(
      /Carrots 10 .* → 4 .*, Kale left out, Beets 2 .* added\. The new total would be .*16\.00\. Please answer within 2 hours\./,
    );
    const mail = await until(() =>
      mailbox.mailsTo(consumer.email).find(({ text }) => text.includes(made._id)),
    );
    expect(mail.subject).toMatch(/^A farm asks about your order: /);
    expect(mail.text).toMatch(/- Carrots: Ordered 10 .*, Proposed 4 /);
    expect(mail.text).toMatch(/- Beets: Ordered –, Proposed 2 /);
    expect(mail.text).toMatch(/- Total: Ordered ₨35\.00, Proposed ₨16\.00/);
    expect(mail.text).toContain('<td');
  });

  test('that is answered notifies the farm, and asks no more', async () => {
    const { made } = await fixture.proposed();
    await untilNotified(consumer, made, 'order.changeProposed');
    await fixture.answered(made, ['accept', 'leave_out']);
    const [only, ...others] = await untilNotified(farmer, made, 'order.changeAnswered');
    expect(only?.body).toMatch(/answered your change of order #\w+\. .*The total is ₨10\.00 now\./);
    expect(others).toEqual([]);
    await until(async () =>
      (await notificationsOf(consumer, made, 'order.changeProposed')).every(({ isRead }) => isRead),
    );
    // The order is accepted with it, so it does not wait for the farm either.
    await until(async () =>
      (await notificationsOf(farmer, made, 'order.placed')).every(({ isRead }) => isRead),
    );
    await runTimer(`order.changeReminder:${proposalId(made)}:1`);
    await runTimer(`order.change:${proposalId(made)}`);
    await until(
      async () =>
        (await fixture.platform.db.timer.count({
          where: { key: { contains: proposalId(made) }, doneAt: null, dueAt: new Date(0) },
        })) === 0,
    );
    expect(await notificationsOf(consumer, made, 'order.changeProposed')).toHaveLength(1);
    expect((await fixture.read(made)).version).toBe(3);
  });

  test('is reminded of while it waits, and ends by its timer, which notifies both', async () => {
    const { made } = await fixture.proposed();
    await untilNotified(consumer, made, 'order.changeProposed');
    await letMinutesPass(fixture.platform, MINUTES_APART);
    await runTimer(`order.changeReminder:${proposalId(made)}:1`);
    const reminded = await untilNotified(consumer, made, 'order.changeProposed', 2);
    expect(reminded.map(({ title }) => title).sort()).toEqual([
      'Your order needs your answer',
      'Your order still needs your answer',
    ]);
    const mail = await until(() =>
      mailbox
        .mailsTo(consumer.email)
        .find(({ text }) => text.includes(made._id) && text.includes('waits for your answer')),
    );
    expect(mail.text).toMatch(/- Carrots: Ordered 10 .*, Proposed 4 /);
    expect(mail.text).toMatch(/- Kale: Ordered 5 .*, Proposed –/);
    expect(mail.text).toMatch(/- Total: Ordered ₨35\.00, Proposed ₨16\.00/);
    await fixture.platform.db.orderProposal.update({
      where: { id: proposalId(made) },
      data: { answerBy: new Date(Date.now() - 1000) },
    });
    await runTimer(`order.change:${proposalId(made)}`);
    const [consumers] = await untilNotified(consumer, made, 'order.changeExpired');
    const [farms] = await untilNotified(farmer, made, 'order.changeExpired');
    expect(consumers?.body).toMatch(/^The time to answer is over\. .*The total is ₨10\.00 now\.$/);
    expect(farms?.body).toMatch(/did not answer your change in time/);
    expect((await fixture.read(made)).items.map(({ quantity }) => quantity)).toEqual([4, 0]);
  });
});

test('a question about heavy goods shows what they weigh, also when reminded', async () => {
  const chicken = await fixture.createProduct(100, {
    name: 'Chicken',
    unit: 'kg',
    priceMinor: 40_000,
    pieceMilli: 2000,
  });
  const { _id } = await fixture.placeOrder([{ product: chicken, quantity: 1 }]);
  const order: Order = (await fixture.changeStatus(_id, 'accepted', farmer)).body.data;
  const path = `/orders/${_id}/lines/${order.items[0]?._id}/weight`;
  const { body } = await fixture.put(path, farmer, { packed: 2.5, overweight: 'ask' });
  const asked = body.data as Order;
  await untilNotified(consumer, asked, 'order.changeProposed');
  await letMinutesPass(fixture.platform, MINUTES_APART);
  await runTimer(`order.changeReminder:${proposalId(asked)}:1`);
  await untilNotified(consumer, asked, 'order.changeProposed', 2);
  const mails = await until(() => {
    const list = mailbox
      .mailsTo(consumer.email)
      .filter(({ text, subject }) => text.includes(_id) && /asks about/.test(subject));
    return list.length === 2 ? list : undefined;
  });
  for (const { text } of mails) {
    expect(text).toMatch(/- Chicken: Before 1 piece, Proposed 2\.5 kg, ₨1,000\.00/);
    expect(text).toMatch(/- Total: Before ₨960\.00, Proposed ₨1,000\.00/);
  }
});

test('totals of goods that are still to be weighed are shown as estimates', async () => {
  const duck = await fixture.createProduct(100, {
    name: 'Duck',
    unit: 'kg',
    priceMinor: 1000,
    pieceMilli: 2000,
  });
  const kale = await fixture.createProduct(100, { name: 'Kale', priceMinor: 200 });
  const items = [
    { product: duck, quantity: 1 },
    { product: kale, quantity: 5 },
  ];
  const order = await fixture.placeOrder(items);
  await fixture.put(`/orders/${order._id}/items`, consumer, {
    items: [items[0], { product: kale, quantity: 4 }],
  });
  const [change] = await untilNotified(farmer, order, 'order.itemsChanged');
  expect(change?.body).toContain('The total is ≈ ₨28.00 now.');
  const { body } = await fixture.propose(order, [
    { lineId: order.items[1]?._id, action: 'reduce', newQuantity: 1, reason: 'damaged' },
  ]);
  const [asked] = await untilNotified(consumer, body.data, 'order.changeProposed');
  expect(asked?.body).toContain('The new total would be ≈ ₨22.00.');
  const mail = await until(() =>
    mailbox.mailsTo(consumer.email).find(({ text }) => text.includes(order._id)),
  );
  expect(mail.text).toMatch(/- Total: Ordered ≈ ₨28\.00, Proposed ≈ ₨22\.00/);
});

test("a customer's own change notifies the farm of the difference, and nobody of a wish", async () => {
  const { order, carrots } = await fixture.ordered();
  await fixture.put(`/orders/${order._id}/lines/${order.items[0]?._id}/preference`, consumer, {
    onShort: 'leave_out',
  });
  await fixture.put(`/orders/${order._id}/items`, consumer, {
    items: [{ product: carrots, quantity: 12 }],
  });
  const list = await untilNotified(farmer, order, 'order.itemsChanged');
  expect(list).toHaveLength(1);
  expect(list[0]?.body).toMatch(/changed it: Carrots 10 .* → 12 .*, Kale left out\. The total is/);
  const { body } = await fixture.propose(order, [
    { lineId: order.items[0]?._id, action: 'remove', reason: 'damaged' },
  ]);
  expect(body.data.status).toBe('rejected');
  const [applied] = await untilNotified(consumer, order, 'order.itemsChanged');
  expect(applied?.title).toBe('Your order changed as you wished');
  expect(applied?.body).toContain('It is rejected now.');
});
