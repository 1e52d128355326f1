import { describe, expect, it } from 'vitest';
import {
  type Caller,
  makeCategory,
  orderInput,
  sellProduct,
  startTestMarket,
} from '../../../server/testing/market.ts';
import { hire } from '../../../server/testing/staff.ts';
import { until } from '../../../testing/until.ts';
import { startWithMailbox } from '../../testing/mailbox.ts';
import { worded } from '../../testing/words.ts';
import { definitionOf, effectsOf } from '../definitions.ts';

// What people are notified of: suspensions, reports and orders that nobody answers.

const { mailbox, market } = await startWithMailbox(startTestMarket, {
  UNREAD_EMAIL_AFTER_SECONDS: '1',
  UNANSWERED_AFTER_SECONDS: '1',
});
const [admin, otherAdmin, farmer] = await Promise.all([
  market.join('admin'),
  market.join('admin'),
  market.join('farmer'),
]);

const sell = async (farmer: Caller) =>
  sellProduct(market, farmer, await makeCategory(market.platform), { quantityAvailable: 1000 });
const product = await sell(farmer);

async function order(consumer: Caller, of = farmer, item = product): Promise<string> {
  const body = orderInput(of.id, [{ product: item, quantity: 1 }]);
  const answer = await market.call('POST', '/orders', { as: consumer, body });
  expect(answer.status).toBe(201);
  return answer.body.data._id;
}

interface Shown {
  kind: string;
  title: string;
  body: string;
  link: string;
  isRead: boolean;
}

const notificationsOf = async (as: Caller): Promise<Shown[]> =>
  worded((await market.call('GET', '/notifications?limit=200', { as })).body.data);

const mailsTo = ({ email }: Caller) => mailbox.mails.filter(({ to }) => to === email);

describe('a suspension', () => {
  const set = (id: string, suspended: boolean, reason = '') =>
    market.call('PUT', `/users/${id}/suspension`, { as: admin, body: { suspended, reason } });

  it('is mailed with its reason and where to write, and so is its end', async () => {
    const consumer = await market.join('consumer', 'Cleo');
    await set(consumer.id, true, 'Selling nothing but spam');
    await until(() => mailsTo(consumer).length === 1);
    expect(mailsTo(consumer)[0]).toMatchObject({ subject: 'Your Farmgate account is suspended' });
    const text = mailsTo(consumer)[0]?.text ?? '';
    expect(text).toContain('Hello Cleo');
    expect(text).toContain('Reason: Selling nothing but spam');
    expect(text).toContain('mailto:hello@farmgate.test');
    await set(consumer.id, false);
    await until(() => mailsTo(consumer).length === 2);
    expect(mailsTo(consumer)[1]?.subject).toBe('You can sign in to Farmgate again');
  });

  it('of one of its people leaves them out of what the farm is notified of', async () => {
    const [owner, consumer] = [await market.join('farmer'), await market.join('consumer')];
    const item = await sell(owner);
    const manager = await hire(market, owner, 'manager');
    await set(manager.id, true);
    const id = await order(consumer, owner, item);
    await until(async () =>
      (await notificationsOf(owner)).some(({ link }) => link === `/orders/${id}`),
    );
    const rows = await market.platform.db.notification.findMany({ where: { userId: manager.id } });
    expect(rows).toEqual([]);
  });

  it('of the only one leaves the farm untold, and its orders are reported to admins', async () => {
    const [owner, consumer] = [await market.join('farmer'), await market.join('consumer')];
    const item = await sell(owner);
    const id = await order(consumer, owner, item);
    await set(owner.id, true);
    await until(async () =>
      (await notificationsOf(admin)).some(({ link }) => link === `/admin/orders/${id}`),
    );
  });
});

describe('an order that nobody answers', () => {
  it('notifies all admins until it is answered', async () => {
    const id = await order(await market.join('consumer'));
    const isNotified = async (as: Caller, isRead: boolean) =>
      (await notificationsOf(as)).some(
        (each) =>
          each.kind === 'order.leftUnanswered' &&
          each.link === `/admin/orders/${id}` &&
          each.isRead === isRead,
      );
    for (const each of [admin, otherAdmin]) await until(() => isNotified(each, false));
    const body = { status: 'accepted' };
    await market.call('PUT', `/orders/${id}`, { as: farmer, body });
    for (const each of [admin, otherAdmin]) await until(() => isNotified(each, true));
  });

  it('is one mail with others', () => {
    expect(definitionOf('order.leftUnanswered')?.digest?.(12)).toBe(
      '12 orders are waiting for an answer',
    );
  });
});

describe('a report', () => {
  it('notifies admins until it is settled, and then the person who made it', async () => {
    const consumer = await market.join('consumer');
    const body = { kind: 'product', id: product, reason: 'unsafe' };
    const made = await market.call('POST', '/reports', { as: consumer, body });
    const link = `/admin/reports?report=${made.body.data._id}`;
    const notificationOf = async (as: Caller) =>
      (await notificationsOf(as)).find((each) => each.link === link);
    for (const each of [admin, otherAdmin]) await until(() => notificationOf(each));
    expect(await notificationOf(admin)).toMatchObject({
      title: 'A product was reported',
      isRead: false,
    });

    await market.call('PUT', `/admin/reports/${made.body.data._id}`, {
      as: admin,
      body: { outcome: 'dismissed' },
    });
    for (const each of [admin, otherAdmin])
      await until(async () => (await notificationOf(each))?.isRead);
    await until(async () => (await notificationsOf(consumer)).length === 1);
    expect((await notificationsOf(consumer))[0]).toMatchObject({
      kind: 'report.settled',
      title: 'We looked at your report',
      body: 'We looked at the product you reported and left it as it is. Thank you for telling us.',
      link: `/products/${product}`,
    });
  });
});

describe('the notification of a reporter', () => {
  const bodyOf = (kind: 'product' | 'farm' | 'message' | 'order', outcome: 'acted' | 'dismissed') =>
    effectsOf({
      seq: 1,
      id: '00000000-0000-4000-8000-0000000000a1',
      at: '2026-11-22T10:00:00.000Z',
      requestId: null,
      rooms: [],
      name: 'report.settled',
      data: { _id: 'r', kind, subject: 's', about: 'a', reporter: 'p', outcome },
    }).find((effect) => effect.do === 'notify');

  it.each([
    ['product', 'acted', '/products'],
    ['product', 'dismissed', '/products/s'],
    ['farm', 'acted', '/farmers'],
    ['farm', 'dismissed', '/farmers/s'],
    ['message', 'acted', '/messages/a'],
    ['order', 'dismissed', '/orders/s'],
  ] as const)('of a %s that was %s leads to %s', (kind, outcome, link) => {
    expect(bodyOf(kind, outcome)).toMatchObject({ userId: 'p', link });
  });
});
