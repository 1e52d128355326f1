import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Message } from '#contract/messages';
import { openBackDoor } from '../faults/ground.ts';
import type { Person } from '../people.ts';
import { until } from '../stack.ts';
import { badge, mustNotReload, openMarket, untilCount } from './ground.ts';

const market = openMarket({ workers: 0 });

const ids = async () => {
  const [farmer, consumer, consumer2] = await Promise.all(
    (['farmer', 'consumer', 'consumer2'] as const).map(market.session),
  );
  return {
    farmer: farmer?.user._id ?? '',
    consumer: consumer?.user._id ?? '',
    consumer2: consumer2?.user._id ?? '',
  };
};

const thread = ({ page }: Person) => page.getByRole('log');
const box = ({ page }: Person) => page.getByRole('textbox', { name: /^Message to/ });
/** The bubble with these words. */
const bubble = (person: Person, words: string) =>
  thread(person).getByRole('listitem').filter({ hasText: words });

async function say(person: Person, words: string): Promise<void> {
  await box(person).fill(words);
  await box(person).press('Enter');
}

it('a message goes from being written to being read before both', async () => {
  const { farmer: farmerId, consumer: consumerId } = await ids();
  const [farmer, consumer] = await Promise.all([
    market.open('farmer', '/farmer/products'),
    market.open('consumer', `/messages/${farmerId}`),
  ]);
  await box(consumer).waitFor();
  await consumer.page.getByText('Online').waitFor();
  const unreloaded = await Promise.all([farmer, consumer].map(mustNotReload));

  // On its way: the answer is held back.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await consumer.page.route('**/api/messages', async (route) => {
    await held;
    await route.continue();
  });
  await say(consumer, 'Are the plums ripe?');
  await bubble(consumer, 'Are the plums ripe?').getByText('Sending').waitFor();
  release();
  await bubble(consumer, 'Are the plums ripe?').getByText('Sent', { exact: true }).waitFor();
  await consumer.page.unroute('**/api/messages');

  // The farmer, somewhere else in the market, sees the count, then the conversation.
  await farmer.page.evaluate(() => history.pushState(null, '', '/messages'));
  const row = farmer.page.locator(`a[href="/messages/${consumerId}"]`);
  await row.getByText('Are the plums ripe?').waitFor();
  await row.getByText(/\d+ new/).waitFor();

  // Typing is seen in the list and in the thread.
  await box(consumer).pressSequentially('And the');
  await row.getByText('is typing…').waitFor();
  await box(consumer).fill('');
  await row.getByText('Are the plums ripe?').waitFor();

  await row.click();
  await farmer.page.waitForURL(`**/messages/${consumerId}`);
  await bubble(consumer, 'Are the plums ripe?').getByText('Read', { exact: true }).waitFor();
  await untilCount('nothing to be new', farmer.page.getByText(/^\d+ new$/), 0);

  await box(farmer).pressSequentially('By tom');
  await consumer.page.getByText('is typing').first().waitFor();
  await say(farmer, 'By tomorrow.');
  await bubble(consumer, 'By tomorrow.').waitFor();
  await bubble(farmer, 'By tomorrow.').getByText('Read', { exact: true }).waitFor();
  await untilCount('nobody to be typing', consumer.page.getByText('is typing'), 0);

  for (const check of unreloaded) await check();
  // Whoever goes was here a moment ago, and is here again when they come back.
  await farmer.context.close();
  await consumer.page.getByText(/Last seen/).waitFor();
  await market.open('farmer', '/farmer/dashboard');
  await consumer.page.getByText('Online').waitFor();
});

it('what failed is sent again by a tap, and arrives once', async () => {
  const { farmer: farmerId, consumer2: consumerId } = await ids();
  const [farmer, consumer] = await Promise.all([
    market.open('farmer', `/messages/${consumerId}`),
    market.open('consumer2', `/messages/${farmerId}`),
  ]);
  await Promise.all([box(farmer).waitFor(), box(consumer).waitFor()]);

  await consumer.context.setOffline(true);
  await badge(consumer, 'Offline').waitFor();
  await say(consumer, 'Do you keep bees?');
  const failed = bubble(consumer, 'Do you keep bees?');
  const again = failed.getByRole('button', { name: 'Not sent. Tap to try again' });
  await again.waitFor();
  // It outlives the page.
  await consumer.context.setOffline(false);
  await consumer.page.reload();
  await badge(consumer, 'Live').waitFor();
  await again.click();
  await failed.getByText(/^(Sent|Read)$/).waitFor();
  await bubble(farmer, 'Do you keep bees?').waitFor();

  // The server has it, but its answers are lost: the message itself comes back over the live line.
  let losses = 0;
  await consumer.page.route('**/api/messages', async (route) => {
    await route.fetch();
    losses++;
    await route.abort();
  });
  await say(consumer, 'I have a jar to fill.');
  await bubble(consumer, 'I have a jar to fill.')
    .getByText(/^(Sent|Read)$/)
    .waitFor();
  await bubble(farmer, 'I have a jar to fill.').waitFor();
  await until('all tries to be lost', () => losses === 3);
  await consumer.page.unroute('**/api/messages');
  await consumer.page.reload();
  await badge(consumer, 'Live').waitFor();

  for (const person of [farmer, consumer]) {
    for (const words of ['Do you keep bees?', 'I have a jar to fill.']) {
      await untilCount(`'${words}' to be there once`, bubble(person, words), 1);
    }
  }
  await untilCount('nothing to be unsent', consumer.page.getByText('Not sent'), 0);
});

it('a long thread shows its days, what is new, and older messages without a jump', async () => {
  const { farmer: farmerId, consumer: consumerId } = await ids();
  const database = openBackDoor(market.stack().databaseUrl);
  await database.query(
    `INSERT INTO messages (id, sender_id, receiver_id, content, read_at, created_at)
     SELECT gen_random_uuid(), CASE WHEN n % 2 = 0 THEN $1::uuid ELSE $2::uuid END,
            CASE WHEN n % 2 = 0 THEN $2::uuid ELSE $1::uuid END, 'Old words ' || n, now(),
            now() - interval '400 days' + n * interval '1 hour'
     FROM generate_series(1, 120) n`,
    [farmerId, consumerId],
  );
  await database.end();
  const [farmer, consumer] = await Promise.all([
    market.open('farmer', '/farmer/dashboard'),
    market.open('consumer', `/messages/${farmerId}`),
  ]);
  await thread(consumer).getByText('Today').waitFor();
  await say(consumer, 'One for the line.');
  await say(consumer, 'See https://example.org/bees?x=1 and javascript:alert(1) too.');
  await bubble(consumer, 'and javascript').getByText('Sent', { exact: true }).waitFor();

  const link = bubble(consumer, 'See').getByRole('link');
  await untilCount('one link', link, 1);
  expect(await link.getAttribute('href')).toBe('https://example.org/bees?x=1');
  expect(await link.getAttribute('rel')).toContain('noopener');

  await farmer.page.goto(`/messages/${consumerId}`);
  await bubble(farmer, 'One for the line.').waitFor();
  const line = thread(farmer).getByText('New', { exact: true });
  await line.waitFor();
  const stands = async (what: typeof line) => (await what.boundingBox())?.y ?? Number.NaN;
  expect(await stands(line)).toBeLessThan(await stands(bubble(farmer, 'One for the line.')));

  // Reading upwards: what is above comes, and what one reads stays where it is.
  const top = thread(farmer)
    .getByRole('listitem')
    .filter({ hasText: /Old words/ })
    .first();
  const first = (await top.textContent())?.match(/Old words \d+/)?.[0] ?? '';
  await farmer.page.route('**/api/messages/*before*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  const anchor = bubble(farmer, first).first();
  await anchor.scrollIntoViewIfNeeded();
  const count = await thread(farmer).getByRole('listitem').count();
  const before = await stands(anchor);
  await until('older ones to come', async () => {
    return (await thread(farmer).getByRole('listitem').count()) > count;
  });
  expect(Math.abs((await stands(anchor)) - before)).toBeLessThan(3);
  // Another year names itself.
  await thread(farmer)
    .getByText(/\w+day, \w+ \d+, \d{4}/)
    .first()
    .waitFor();
});

it('a message about an order leads to it', async () => {
  const { farmer: farmerId, consumer: consumerId } = await ids();
  const product = await market.bring({ name: 'Quinces' });
  const order = await market.buy('consumer', product);
  const [farmer, consumer] = await Promise.all([
    market.open('farmer', `/messages/${consumerId}`),
    market.open('consumer', `/orders/${order._id}`),
  ]);
  await box(farmer).waitFor();
  await consumer.page
    .getByRole('textbox', { name: /about this order/ })
    .fill('I may be a little late.');
  await consumer.page.getByRole('button', { name: 'Send Message' }).click();
  await consumer.page.getByText('Message sent').waitFor();
  await bubble(farmer, 'I may be a little late.')
    .getByRole('link', { name: `About order ${order._id.slice(0, 8)}` })
    .click();
  await farmer.page.waitForURL(`**/orders/${order._id}`);

  // An admin is led to where admins read orders.
  const admin = await market.open('admin', '/admin/dashboard');
  await market.act<Message>('admin', 'POST', '/messages', {
    _id: randomUUID(),
    receiver: farmerId,
    content: 'Is all well?',
  });
  await admin.page.goto(`/admin/messages/${farmerId}`);
  await bubble(admin, 'Is all well?').waitFor();
  await say(admin, 'Tell me if not.');
  await bubble(admin, 'Tell me if not.').getByText('Sent', { exact: true }).waitFor();
});

it('a draft waits for its writer, and for nobody else at the same browser', async () => {
  const { farmer: farmerId } = await ids();
  const consumer = await market.open('consumer', `/messages/${farmerId}`);
  await box(consumer).fill('What I wanted to ask');
  await consumer.page.goto('/products');
  await consumer.page.goto(`/messages/${farmerId}`);
  await until('the draft to be there', async () => {
    return (await box(consumer).inputValue()) === 'What I wanted to ask';
  });

  // Somebody else signs in, in another tab; this one follows and shows them nothing of it.
  const { token, user } = await market.session('consumer2');
  const other = await consumer.context.newPage();
  await other.goto('/about');
  await other.evaluate(
    ([theirs, self]) => {
      localStorage.setItem('user', self);
      localStorage.setItem('token', theirs);
    },
    [token, JSON.stringify(user)] as const,
  );
  await other.close();
  await until('the box to be empty', async () => (await box(consumer).inputValue()) === '');
});
