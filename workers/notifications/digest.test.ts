import { expect, it } from 'vitest';
import { AT_ONCE, keepAwake } from '../../server/testing/awake.ts';
import { startTestMarket } from '../../server/testing/market.ts';
import { until } from '../../testing/until.ts';
import { letMinutesPass, runHeld } from '../testing/ledger.ts';
import { startWithMailbox } from '../testing/mailbox.ts';
import { placeOrder } from '../testing/orders.ts';

const { mailbox, market } = await startWithMailbox(startTestMarket);

it('mails of ten orders that come together the first at once, and then all as one', async () => {
  const { platform } = market;
  await keepAwake(platform, AT_ONCE);
  const [consumer, farmer] = await Promise.all([market.join('consumer'), market.join('farmer')]);
  const orders = await Promise.all(
    Array.from({ length: 10 }, () => placeOrder(platform, { consumer, farmer })),
  );
  const countOf = (status?: 'sent') =>
    platform.db.notificationDelivery.count({
      where: {
        userId: farmer.id,
        channel: 'email',
        kind: 'order.placed',
        ...(status && { status }),
      },
    });
  await until(async () => (await countOf()) === 10);
  await letMinutesPass(platform, 1);
  await until(async () => {
    await runHeld(platform);
    return (await countOf('sent')) === 10;
  });
  const mails = mailbox.mailsTo(farmer.email);
  expect(mails[0]?.subject).toMatch(/^You have a new order: /);
  expect(mails.at(-1)?.subject).toBe('10 new orders');
  expect(mails.length).toBeLessThan(4);
  for (const { _id } of orders) {
    expect(mails.at(-1)?.text).toContain(`${market.env.PUBLIC_URL}/orders/${_id}`);
  }
  const { body } = await market.call('GET', '/notifications', { as: farmer });
  expect(body).toMatchObject({ count: 10, unreadCount: 10 });
});
