import { randomUUID } from 'node:crypto';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Message } from '#contract/farm/messages/messages';
import { until } from '../../testing/until.ts';
import { openDatabase } from '../faults/helpers.ts';
import { holdRequests, type Person } from '../people.ts';
import { badge, expectNoReload, openMarket, untilCount } from './helpers.ts';

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
/** The message with this text. */
const bubble = (person: Person, words: string) =>
  thread(person).getByRole('listitem').filter({ hasText: words });

async function sendMessage(person: Person, words: string): Promise<void> {
  await box(person).fill(words);
  await box(person).press('Enter');
}

/** Types until the other side shows it, which is over some seconds after the last key. */
const typeUntil = (person: Person, words: string, shown: Locator) =>
  until('typing to be shown', async () => {
    await box(person).pressSequentially(words);
    return shown.isVisible();
  });

it('shows a message from sending to read on both sides', async () => {
  const { farmer: farmerId, consumer: consumerId } = await ids();
  const [farmer, consumer] = await Promise.all([
    market.open('farmer', '/farmer/products'),
    market.open('consumer', `/messages/${farmerId}`),
  ]);
  await box(consumer).waitFor();
  await consumer.page.getByText('Online').waitFor();
  const reloadChecks = await Promise.all([farmer, consumer].map(expectNoReload));

  // Hold back the response to see the sending state.
  const release = await holdRequests(consumer.page, '**/api/messages');
  await sendMessage(consumer, 'Are the plums ripe?');
  await bubble(consumer, 'Are the plums ripe?').getByText('Sending').waitFor();
  release();
  await bubble(consumer, 'Are the plums ripe?').getByText('Sent', { exact: true }).waitFor();
  await consumer.page.unroute('**/api/messages');

  // The farmer, on another page, sees the count, then the conversation.
  await farmer.page.evaluate(() => history.pushState(null, '', '/messages'));
  const row = farmer.page.locator(`a[href="/messages/${consumerId}"]`);
  await row.getByText('Are the plums ripe?').waitFor();
  await row.getByText(/\d+ new/).waitFor();

  // The list and the thread show typing.
  await typeUntil(consumer, 'And the', row.getByText('is typing…'));
  await box(consumer).fill('');
  await row.getByText('Are the plums ripe?').waitFor();

  await row.click();
  await farmer.page.waitForURL(`**/messages/${consumerId}`);
  await bubble(consumer, 'Are the plums ripe?').getByText('Read', { exact: true }).waitFor();
  await untilCount('no unread messages', farmer.page.getByText(/^\d+ new$/), 0);

  await typeUntil(farmer, 'By tom', consumer.page.getByText('is typing').first());
  await sendMessage(farmer, 'By tomorrow.');
  await bubble(consumer, 'By tomorrow.').waitFor();
  await bubble(farmer, 'By tomorrow.').getByText('Read', { exact: true }).waitFor();
  await untilCount('no typing indicator', consumer.page.getByText('is typing'), 0);

  for (const check of reloadChecks) await check();
  // Presence changes when a person leaves and returns.
  await farmer.context.close();
  await consumer.page.getByText(/Last seen/).waitFor();
  await market.open('farmer', '/farmer/dashboard');
  await consumer.page.getByText('Online').waitFor();
});

it('sends what was written offline by itself, in order and once', async () => {
  const { farmer: farmerId, consumer2: consumerId } = await ids();
  const [farmer, consumer] = await Promise.all([
    market.open('farmer', `/messages/${consumerId}`),
    market.open('consumer2', `/messages/${farmerId}`),
  ]);
  await Promise.all([box(farmer).waitFor(), box(consumer).waitFor()]);

  await consumer.context.setOffline(true);
  await badge(consumer, 'Offline').waitFor();
  await sendMessage(consumer, 'Do you keep bees?');
  await sendMessage(consumer, 'And hens?');
  for (const words of ['Do you keep bees?', 'And hens?']) {
    await bubble(consumer, words)
      .getByText("Not sent yet. We'll send it when you're back.")
      .waitFor();
  }
  await consumer.context.setOffline(false);
  for (const words of ['Do you keep bees?', 'And hens?']) {
    await bubble(consumer, words)
      .getByText(/^(Sent|Read)$/)
      .waitFor();
    await bubble(farmer, words).waitFor();
  }
  const log = await farmer.page.getByRole('log').textContent();
  expect(log?.indexOf('Do you keep bees?')).toBeLessThan(log?.indexOf('And hens?') ?? -1);

  // What is unsent survives a reload, and goes out also when another page is open then.
  await consumer.page.route('**/api/messages', (route) => route.abort());
  await sendMessage(consumer, 'What about goats?');
  await bubble(consumer, 'What about goats?').getByText('Not sent yet.').waitFor();
  await consumer.page.goto('/about');
  await consumer.page.unroute('**/api/messages');
  await bubble(farmer, 'What about goats?').waitFor();
  await consumer.page.goto(`/messages/${farmerId}`);
  await badge(consumer, 'Live').waitFor();

  // A refusal stays with its reason, and is sent again on tap.
  await consumer.page.route('**/api/messages', (route) =>
    route.fulfill({
      status: 400,
      json: { success: false, message: 'This is too rude.', code: 'INVALID' },
    }),
  );
  await sendMessage(consumer, 'Sell me a cow.');
  const refused = bubble(consumer, 'Sell me a cow.');
  await refused.getByText('This is too rude.').waitFor();
  await consumer.page.unroute('**/api/messages');
  await refused.getByRole('button', { name: 'Not sent. Tap to try again' }).click();
  await bubble(farmer, 'Sell me a cow.').waitFor();

  // The server stores it but its responses are lost; the message arrives over the live connection.
  let losses = 0;
  await consumer.page.route('**/api/messages', async (route) => {
    await route.fetch();
    losses++;
    await route.abort();
  });
  await sendMessage(consumer, 'I have a jar to fill.');
  await bubble(consumer, 'I have a jar to fill.')
    .getByText(/^(Sent|Read)$/)
    .waitFor();
  await bubble(farmer, 'I have a jar to fill.').waitFor();
  await until('a response to be lost', () => losses > 0);
  await consumer.page.unroute('**/api/messages');
  await consumer.page.reload();
  await badge(consumer, 'Live').waitFor();

  for (const person of [farmer, consumer]) {
    for (const words of [
      'Do you keep bees?',
      'And hens?',
      'What about goats?',
      'Sell me a cow.',
      'I have a jar to fill.',
    ]) {
      await untilCount(`'${words}' to be there once`, bubble(person, words), 1);
    }
  }
  await untilCount('no unsent message', consumer.page.getByText('Not sent'), 0);
});

it('shows days, new messages and older ones without a jump in a long thread', async () => {
  const { farmer: farmerId, consumer: consumerId } = await ids();
  const database = openDatabase(market.stack().databaseUrl);
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
  await sendMessage(consumer, 'One for the line.');
  await sendMessage(consumer, 'See https://example.org/bees?x=1 and javascript:alert(1) too.');
  await bubble(consumer, 'and javascript').getByText('Sent', { exact: true }).waitFor();

  const link = bubble(consumer, 'See').getByRole('link');
  await untilCount('one link', link, 1);
  expect(await link.getAttribute('href')).toBe('https://example.org/bees?x=1');
  expect(await link.getAttribute('rel')).toContain('noopener');

  await farmer.page.goto(`/messages/${consumerId}`);
  await bubble(farmer, 'One for the line.').waitFor();
  const line = thread(farmer).getByText('New', { exact: true });
  await line.waitFor();
  const topOf = async (locator: typeof line) => (await locator.boundingBox())?.y ?? Number.NaN;
  expect(await topOf(line)).toBeLessThan(await topOf(bubble(farmer, 'One for the line.')));

  // Scrolling up loads older messages and keeps the position.
  const top = thread(farmer)
    .getByRole('listitem')
    .filter({ hasText: /Old words/ })
    .first();
  const first = (await top.textContent())?.match(/Old words \d+/)?.[0] ?? '';
  const release = await holdRequests(farmer.page, '**/api/messages/*before*');
  const anchor = bubble(farmer, first).first();
  await anchor.scrollIntoViewIfNeeded();
  const count = await thread(farmer).getByRole('listitem').count();
  const before = await topOf(anchor);
  release();
  await until('older messages to load', async () => {
    return (await thread(farmer).getByRole('listitem').count()) > count;
  });
  await expect.poll(async () => Math.abs((await topOf(anchor)) - before)).toBeLessThan(3);
  // Days of another year show the year.
  await thread(farmer)
    .getByText(/\w{3}, \d+ \w{3} \d{4}/)
    .first()
    .waitFor();
});

it('links a message about an order to the order', async () => {
  const { farmer: farmerId, consumer: consumerId } = await ids();
  const product = await market.createProduct({ name: 'Quinces' });
  const order = await market.placeOrder('consumer', product);
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

  // An admin's conversation opens in the admin area.
  const admin = await market.open('admin', '/admin/dashboard');
  await market.callApi<Message>('admin', 'POST', '/messages', {
    _id: randomUUID(),
    receiver: farmerId,
    content: 'Is all well?',
  });
  await admin.page.goto(`/admin/messages/${farmerId}`);
  await bubble(admin, 'Is all well?').waitFor();
  await sendMessage(admin, 'Tell me if not.');
  await bubble(admin, 'Tell me if not.').getByText('Sent', { exact: true }).waitFor();
});
