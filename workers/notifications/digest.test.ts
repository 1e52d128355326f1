import { expect, it } from 'vitest';
import { startTestMarket } from '../../server/testing/market.ts';
import { scaled, until } from '../../testing/until.ts';
import { startWithMailbox } from '../testing/mailbox.ts';
import { placeOrder } from '../testing/orders.ts';

const { mailbox, market } = await startWithMailbox(startTestMarket, {
  // All ten are placed before the first would be mailed.
  UNREAD_EMAIL_AFTER_SECONDS: String(Math.ceil(scaled(6000) / 1000)),
});

it('sends one mail for ten orders of one minute', async () => {
  const { platform } = market;
  const [consumer, farmer] = await Promise.all([market.join('consumer'), market.join('farmer')]);
  const orders = await Promise.all(
    Array.from({ length: 10 }, () => placeOrder(platform, { consumer, farmer })),
  );
  const where = {
    userId: farmer.id,
    kind: 'order.placed',
    channel: 'email',
    status: 'sent',
  } as const;
  await until(async () => (await platform.db.notificationDelivery.count({ where })) === 10);
  const mails = mailbox.mailsTo(farmer.email);
  expect(mails.map(({ subject }) => subject)).toEqual(['10 new orders']);
  for (const { _id } of orders) {
    expect(mails[0]?.text).toContain(`${market.env.PUBLIC_URL}/orders/${_id}`);
  }
  const { body } = await market.call('GET', '/notifications', { as: farmer });
  expect(body).toMatchObject({ count: 10, unreadCount: 10 });
});
