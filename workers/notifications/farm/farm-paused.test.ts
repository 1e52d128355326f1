import { expect, it } from 'vitest';
import { pauseByItself } from '../../../server/farm/pause/service.ts';
import { transact } from '../../../server/platform/stores/postgres.ts';
import { proveEmails } from '../../../server/testing/mailed-links.ts';
import { type Caller, startTestMarket } from '../../../server/testing/market.ts';
import { hire } from '../../../server/testing/staff.ts';
import { until } from '../../../testing/until.ts';
import { startWithMailbox } from '../../testing/mailbox.ts';
import { worded } from '../../testing/words.ts';

const { mailbox, market } = await startWithMailbox(startTestMarket);

const bellOf = async (as: Caller) =>
  worded((await market.get('/notifications', as)).body.data as never[]);

it('tells those who may resume a farm that it takes no orders and until when, but for a pause by hand', async () => {
  const owner = await market.join('farmer', 'Fern');
  const manager = await hire(market, owner, 'manager');
  const packer = await hire(market, owner, 'packer');
  await proveEmails(market, owner);
  await market.put('/users/farmers/profile', owner, {
    farmName: 'Green Valley',
    description: 'Soil.',
    timeZone: 'Pacific/Kiritimati',
    businessHours: { monday: { open: '08:00', close: '12:00' } },
  });
  await market.post('/farm/pause', owner, { note: 'At the fair.' });
  await market.delete('/farm/pause', owner);

  await transact(market.platform.db, (tx) => pauseByItself(tx, owner.id));
  await market.platform.eventLog.sequence();
  for (const each of [owner, manager]) {
    await until(async () => (await bellOf(each)).length > 0);
    expect(await bellOf(each)).toMatchObject([
      {
        kind: 'farm.paused',
        title: 'Green Valley takes no orders for now',
        // By the clock of the farm.
        body: expect.stringMatching(/until Mon, \w+ \d+, 8:00 AM\. .*"Resume" on your dashboard/),
        link: '/farmer/dashboard',
        isRead: false,
      },
    ]);
  }
  expect(await bellOf(packer)).toEqual([]);
  await until(() =>
    mailbox
      .mailsTo(owner.email)
      .some(({ subject }) => subject === 'Green Valley takes no orders for now'),
  );
});
