import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { Order } from '#contract/ordering/orders/orders';
import { addDays } from '#contract/platform/time/constants';
import { callApi, nextSaturday } from '../faults/helpers.ts';
import {
  ACCOUNTS,
  openPerson,
  type Person,
  type Session,
  sharedBrowser,
  signIn,
} from '../people.ts';
import { type RunningProxy, startProxy } from '../proxy.ts';
import { freePort, printOutput, type Stack, startStack } from '../stack.ts';
import { expectNoReload } from './helpers.ts';

// Behind a proxy that lets no WebSocket through, before a server of three processes.

let proxy: RunningProxy;
let stack: Stack;
let browser: Browser;
let url: string;
const people: Person[] = [];

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [stack, browser] = await Promise.all([
    startStack({ workers: 1, env: { PUBLIC_URL: url, WEB_CONCURRENCY: '3' } }),
    sharedBrowser(),
  ]);
  proxy = await startProxy(port, [Number(new URL(stack.url).port)]);
  proxy.passesUpgrade = false;
});
afterEach(async ({ task }) => {
  await Promise.all(people.splice(0).map(({ context }) => context.close()));
  if (task.result?.state === 'fail') printOutput(stack);
});
afterAll(async () => {
  proxy?.close();
  await stack?.close();
});

async function call<Data>(as: Session, method: string, path: string, body?: unknown) {
  const answer = await callApi(stack.url, method, path, { token: as.token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data as Data;
}

async function open(as: Session, path: string, width = 1280): Promise<Person> {
  const person = await openPerson(browser, url, { as, width, height: 800 });
  people.push(person);
  await person.page.goto(path);
  return person;
}

/** Waits for how the page says that it is connected; on a phone that may be for screen readers alone. */
const badge = (page: Page, text: string) =>
  page.getByText(text).first().waitFor({ state: 'attached' });

/** Orders one more of the product. */
const order = (as: Session, { _id, farmer }: Product) =>
  call<Order>(as, 'POST', '/orders', {
    farmer: farmer._id,
    items: [{ product: _id, quantity: 1 }],
    pickupDetails: { date: addDays(nextSaturday(), 42), time: '10:00', location: 'Farm gate' },
  });

it('brings orders and answers to every page over HTTP, and goes back to a socket', async () => {
  const [farmer, consumer] = await Promise.all(
    [ACCOUNTS.farmer, ACCOUNTS.consumer].map((email) => signIn(stack.url, email)),
  );
  if (!farmer || !consumer) throw new Error('Somebody is not signed in.');
  const [category] = await call<{ _id: string }[]>(farmer, 'GET', '/categories');
  const plums = await call<Product>(farmer, 'POST', '/products', {
    ...{ name: 'Quiet Plums', description: 'From the hill.', category: category?._id },
    ...{ quantityAvailable: 50, price: 2, unit: 'lb' },
  });
  const first = await order(consumer, plums);
  const [atFarm, atHome] = await Promise.all([
    open(farmer, '/farmer/orders'),
    open(consumer, `/orders/${first._id}`, 360),
  ]);
  const areNotReloaded = await Promise.all([atFarm, atHome].map(expectNoReload));
  const slow = 'Updates every few seconds';
  await Promise.all([badge(atFarm.page, slow), badge(atHome.page, slow)]);

  const since = performance.now();
  await call(farmer, 'PUT', `/orders/${first._id}`, { status: 'accepted' });
  await atHome.page.getByText('Accepted', { exact: true }).first().waitFor();
  console.log(
    `FIGURE accept to the customer's page over HTTP: ${Math.round(performance.now() - since)} ms`,
  );
  const rang = performance.now();
  const second = await order(consumer, plums);
  const card = (page: Page, { _id }: Order) => page.getByText(`#${_id.slice(0, 8)}`);
  await card(atFarm.page, second).first().waitFor();
  console.log(
    `FIGURE order to the farmer's page over HTTP: ${Math.round(performance.now() - rang)} ms`,
  );

  // The proxy is mended: a socket opens, and brings what follows.
  proxy.passesUpgrade = true;
  await Promise.all([badge(atFarm.page, 'Up to date'), badge(atHome.page, 'Up to date')]);
  expect(proxy.upgrades).toBeGreaterThanOrEqual(2);
  const third = await order(consumer, plums);
  await card(atFarm.page, third).first().waitFor();
  for (const each of [second, third]) expect(await card(atFarm.page, each).count()).toBe(1);
  for (const isNotReloaded of areNotReloaded) await isNotReloaded();
});
