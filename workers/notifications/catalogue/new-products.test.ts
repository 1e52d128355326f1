import { expect, it } from 'vitest';
import { theMarket } from '#contract/platform/market/constants';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { instantOf } from '../../../server/platform/time/clock.ts';
import {
  type Caller,
  makeCategory,
  productInput,
  startTestMarket,
} from '../../../server/testing/market.ts';
import { until } from '../../../testing/until.ts';
import { startWithMailbox } from '../../testing/mailbox.ts';
import { worded } from '../../testing/words.ts';
import { productKinds } from './products.ts';

const { mailbox, market } = await startWithMailbox(
  startTestMarket,
  { UNREAD_EMAIL_AFTER_SECONDS: '0' },
  2,
);
const { db } = market.platform;
const category = await makeCategory(market.platform);
const [farmer, neighbour] = [await market.join('farmer'), await market.join('farmer')];
for (const [as, farmName] of [
  [farmer, 'Hill Farm'],
  [neighbour, 'Dale Farm'],
] as const) {
  await market.put('/users/farmers/profile', as, { farmName, description: 'Hills.' });
}

const add = (as: Caller, name: string, over = {}) =>
  market.post('/products', as, productInput(category, { name, ...over }));
const follow = (as: Caller, farm: Caller) => market.put(`/follows/farms/${farm.id}`, as, {});
const timers = () => db.timer.findMany({ where: { kind: 'farm.newProducts' } });
const newsOf = async (as: Caller) =>
  worded((await market.get('/notifications', as)).body.data).map(
    ({ title, body, link }: { title: string; body: string; link: string }) => ({
      title,
      body,
      link,
    }),
  );
/** Lets it be the next morning: what was added before is some minutes old, and the timer is due. */
async function nextMorning(): Promise<void> {
  // All that was added has set its timer: none comes after the one that is taken here.
  await market.platform.eventLog.sequence();
  const head = await market.platform.eventLog.head();
  const name = 'notifications';
  await until(async () => (await db.follower.findUniqueOrThrow({ where: { name } })).seq >= head);
  await db.$executeRaw`UPDATE products SET created_at = created_at - interval '5 minutes'`;
  await db.$executeRaw`
    UPDATE follows SET since = since - interval '5 minutes', told_at = told_at - interval '5 minutes'`;
  // Another day's, as tomorrow's would be: it is done once.
  await db.$executeRaw`
    UPDATE timers SET due_at = now(), key = 'farm.newProducts:' || gen_random_uuid()
    WHERE kind = 'farm.newProducts' AND done_at IS NULL`;
  await until(async () => (await timers()).every(({ doneAt }) => doneAt !== null));
}

it('tells once a day, in the morning of the market, what farms that one follows have added', async () => {
  const [one, both, nobody] = (await Promise.all([1, 2, 3].map(() => market.join('consumer')))) as [
    Caller,
    Caller,
    Caller,
  ];
  await follow(one, farmer);
  await follow(both, farmer);
  await follow(both, neighbour);
  for (const name of ['Kale', 'Chard', 'Beets', 'Leeks']) await add(farmer, name);
  await add(neighbour, 'Plums');
  await add(neighbour, 'Not yet', { isActive: false });
  await until(async () => (await timers()).length > 0);
  const [timer, ...others] = await timers();
  expect(others).toEqual([]);
  const { timeZone } = theMarket();
  const date = dayIn(timeZone, timer?.dueAt ?? new Date());
  expect(timer?.dueAt).toEqual(instantOf({ date, time: '08:00' }, timeZone));
  expect(timer?.dueAt.getTime()).toBeGreaterThan(Date.now());
  await nextMorning();
  await until(async () => (await newsOf(both)).length > 0);
  expect(await newsOf(one)).toEqual([
    {
      title: 'New at Hill Farm',
      body: 'Leeks, Beets, Chard, and 1 more',
      link: `/farmers/${farmer.id}`,
    },
  ]);
  expect(await newsOf(both)).toEqual([
    {
      title: '5 new products at farms you follow',
      body: 'Plums, Leeks, Beets, and 2 more',
      link: '/favorites',
    },
  ]);
  expect(await newsOf(nobody)).toEqual([]);

  // The next day only what was added since, and nothing to those whose farms have added nothing.
  await add(neighbour, 'Pears');
  await nextMorning();
  await until(async () => (await newsOf(both)).length > 1);
  expect((await newsOf(both))[0]).toMatchObject({ title: 'New at Dale Farm', body: 'Pears' });
  expect(await newsOf(one)).toHaveLength(1);
});

it('mails those alone who have agreed to it', async () => {
  const [agreed, silent] = [await market.join('consumer'), await market.join('consumer')];
  const preferences = async (as: Caller) =>
    (await market.get('/notifications/preferences', as)).body.data['farm.newProducts'];
  expect(await preferences(silent)).toEqual({ email: false, push: false });
  await market.put('/notifications/preferences', agreed, {
    'farm.newProducts': { email: true, push: false },
  });
  await follow(agreed, farmer);
  await follow(silent, farmer);
  await add(farmer, 'Quinces');
  await nextMorning();
  await until(() => mailbox.mailsTo(agreed.email).length > 0);
  expect(await newsOf(silent)).toHaveLength(1);
  expect(mailbox.mailsTo(silent.email)).toEqual([]);
});

it.each([
  ['07:58', 'that morning', 0],
  ['07:59', 'the next one, since it is too new for that', 1],
  ['08:00', 'the next one', 1],
])('tells of what was added at %s on %s', async (time, _, days) => {
  const { body } = await add(farmer, 'Early');
  const { timeZone } = theMarket();
  const at = instantOf({ date: '2030-05-04', time }, timeZone).toISOString();
  const react = productKinds['farm.newProducts'].reactions['product.created'];
  const event = { name: 'product.created', at, data: body.data } as Parameters<
    NonNullable<typeof react>
  >[0];
  const notBefore = instantOf({ date: addDays('2030-05-04', days), time: '08:00' }, timeZone);
  expect(react?.(event)).toMatchObject([{ do: 'schedule', notBefore }]);
});
