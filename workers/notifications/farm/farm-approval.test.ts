import { expect, it } from 'vitest';
import { proveEmails } from '../../../server/testing/mailed-links.ts';
import {
  type Caller,
  makeCategory,
  productInput,
  startTestMarket,
} from '../../../server/testing/market.ts';
import { hire } from '../../../server/testing/staff.ts';
import { until } from '../../../testing/until.ts';
import { startWithMailbox } from '../../testing/mailbox.ts';
import { worded } from '../../testing/words.ts';

const { mailbox, market } = await startWithMailbox(
  startTestMarket,
  { UNREAD_EMAIL_AFTER_SECONDS: '0' },
  2,
);
await market.platform.db.marketSettings.update({
  where: { id: 1 },
  data: { approvesFarms: true },
});

interface Shown {
  title: string;
  body: string;
  link: string;
  isRead: boolean;
}
const bellOf = async (as: Caller): Promise<Shown[]> =>
  worded((await market.call('GET', '/notifications', { as })).body.data);

it('admins are notified of each farm that asks until one has decided, and the farm of the decision', async () => {
  const admins = [await market.join('admin'), await market.join('admin')];
  const [admin] = admins as [Caller, Caller];
  const farm = await market.join('farmer', 'Fern');
  await proveEmails(market, farm);
  const packer = await hire(market, farm, 'packer');
  const consumer = await market.join('consumer');
  await market.call('PUT', '/users/farmers/profile', {
    as: farm,
    body: {
      farmName: 'Green Valley',
      description: 'Good soil.',
      businessHours: { monday: { open: '08:00', close: '12:00' } },
    },
  });
  const category = await makeCategory(market.platform);
  await market.call('POST', '/products', { as: farm, body: productInput(category) });
  const ask = () => market.call('POST', '/farm/opening', { as: farm, body: {} });
  const decide = (body: Record<string, unknown>) =>
    market.call('PUT', `/users/farmers/${farm.id}/approval`, { as: admin, body });

  expect((await ask()).status).toBe(200);
  for (const each of admins) {
    await until(async () => (await bellOf(each)).length === 1);
    expect(await bellOf(each)).toMatchObject([
      {
        title: 'Green Valley asks to join',
        link: `/admin/farms?farm=${farm.id}`,
        isRead: false,
      },
    ]);
    await until(() =>
      mailbox.mails.some(
        ({ to, subject }) => to === each.email && subject === 'A farm asks to join your market',
      ),
    );
  }

  await decide({ approved: false, reason: 'Please add a photo.' });
  await until(async () => (await bellOf(farm)).length === 1);
  expect(await bellOf(farm)).toMatchObject([
    {
      title: 'Your farm needs a change',
      body: expect.stringContaining('Please add a photo.'),
      link: '/farmer/dashboard',
    },
  ]);
  for (const each of admins) {
    await until(async () => (await bellOf(each)).every(({ isRead }) => isRead));
  }

  await ask();
  await until(async () => (await bellOf(admin)).length === 2);
  await decide({ approved: true });
  await until(async () => (await bellOf(farm)).length === 2);
  expect((await bellOf(farm))[0]).toMatchObject({ title: 'Your farm is open' });
  await until(() =>
    mailbox.mails.some(({ to, subject }) => to === farm.email && subject === 'Your farm is open'),
  );
  // Who packs changes nothing of the farm, and others have nothing to do with it.
  expect(await bellOf(packer)).toEqual([]);
  expect(await bellOf(consumer)).toEqual([]);
});
