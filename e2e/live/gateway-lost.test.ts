import { connect, createServer, type Socket } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { Order } from '#contract/ordering/orders/orders';
import { addDays } from '#contract/platform/time/constants';
import { scaled, until } from '../../testing/until.ts';
import { callApi, nextSaturday } from '../faults/helpers.ts';
import {
  ACCOUNTS,
  openPerson,
  type Person,
  type Session,
  sharedBrowser,
  signIn,
} from '../people.ts';
import { freePort, printOutput, type Stack, startStack } from '../stack.ts';
import { expectNoReload } from './helpers.ts';

// A consumer, a farmer and a packer at work while the server that all their pages are connected to dies. Nobody
// reloads.

const DAY = addDays(nextSaturday(), 35);
const PACKER = 'tess@farmgate.test';

/** Leads to the first of these servers that takes the connection, as a load balancer does. */
async function startBalancer(port: number) {
  const targets: number[] = [];
  const server = createServer((client: Socket) => lead(client, [...targets]));
  function lead(client: Socket, [port, ...others]: number[]): void {
    if (port === undefined) return void client.destroy();
    const target = connect(port, '127.0.0.1');
    let isConnected = false;
    target.once('connect', () => {
      isConnected = true;
      client.pipe(target).pipe(client);
    });
    target.on('error', () => {
      if (isConnected) client.destroy();
      else lead(client, others);
    });
    target.on('close', () => isConnected && client.destroy());
    client.on('error', () => target.destroy());
    client.on('close', () => target.destroy());
  }
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { targets, close: () => server.close() };
}

let balancer: Awaited<ReturnType<typeof startBalancer>>;
let stack: Stack;
let browser: Browser;
let url: string;
const people: Person[] = [];

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  balancer = await startBalancer(port);
  [stack, browser] = await Promise.all([
    startStack({ servers: 2, workers: 0, env: { PUBLIC_URL: url } }),
    sharedBrowser(),
  ]);
  balancer.targets.push(...stack.servers.map((server) => Number(new URL(server.url).port)));
});
afterEach(async ({ task }) => {
  await Promise.all(people.splice(0).map(({ context }) => context.close()));
  if (task.result?.state === 'fail') printOutput(stack);
});
afterAll(async () => {
  await stack?.close();
  balancer?.close();
});

/** Calls the API of the server that stays. @throws with its answer when it refuses */
async function call<Data>(as: Session, method: string, path: string, body?: unknown) {
  const answer = await callApi(stack.servers[1]?.url ?? '', method, path, {
    token: as.token,
    body,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data as Data;
}

/** Opens a page and waits until it is live. */
async function open(as: Session, path: string, width = 1280): Promise<Person> {
  const person = await openPerson(browser, url, { as, width, height: width < 600 ? 740 : 800 });
  people.push(person);
  await show(person.page, path);
  return person;
}

async function show(page: Page, path: string): Promise<void> {
  await page.goto(path);
  // On a phone the word is there for screen readers alone.
  await page.getByText('Up to date').first().waitFor({ state: 'attached' });
}

async function placeOrder(farmer: Session, buyer: Session) {
  const [category] = await call<{ _id: string }[]>(farmer, 'GET', '/categories');
  const goods = { description: 'From the hill.', category: category?._id, quantityAvailable: 50 };
  const carrots = await call<Product>(farmer, 'POST', '/products', {
    ...goods,
    name: 'Sturdy Carrots',
    price: 2,
    unit: 'lb',
  });
  const chicken = await call<Product>(farmer, 'POST', '/products', {
    ...goods,
    name: 'Sturdy Chicken',
    price: 400,
    unit: 'kg',
    soldBy: 'piece_by_weight',
    pieceWeight: { average: 1.8, min: 1.4, max: 2.4 },
  });
  const { _id } = await call<Order>(buyer, 'POST', '/orders', {
    farmer: carrots.farmer._id,
    items: [
      { product: carrots._id, quantity: 5 },
      { product: chicken._id, quantity: 1 },
    ],
    pickupDetails: { date: DAY, time: '10:00', location: 'Farm gate' },
  });
  return call<Order>(farmer, 'PUT', `/orders/${_id}`, { status: 'accepted' });
}

it('brings a proposal, its answer, a tick and a weight to every page when a gateway is killed', async () => {
  const [farmer, buyer, packer] = await Promise.all(
    [ACCOUNTS.farmer, ACCOUNTS.consumer, PACKER].map((email) =>
      signIn(stack.servers[1]?.url ?? '', email),
    ),
  );
  if (!farmer || !buyer || !packer) throw new Error('Somebody is not signed in.');
  const order = await placeOrder(farmer, buyer);
  const list = `/farmer/picklist?date=${DAY}`;
  const [atFarm, atHome, atTable] = await Promise.all([
    open(farmer, `/orders/${order._id}`),
    open(buyer, `/orders/${order._id}`, 360),
    open(packer, list),
  ]);
  const inField = await atFarm.context.newPage();
  await show(inField, list);
  const box = (page: Page) => page.getByRole('checkbox', { name: /^Sturdy Carrots/ });
  await Promise.all([box(inField).waitFor(), box(atTable.page).waitFor()]);
  const areNotReloaded = await Promise.all(
    [atFarm, atHome, atTable, { ...atFarm, page: inField }].map(expectNoReload),
  );

  // The farm is about to ask when the server dies that all pages are connected to.
  await atFarm.page.getByRole('button', { name: 'Short on something?' }).click();
  const dialog = atFarm.page.getByRole('dialog');
  await dialog
    .getByRole('listitem')
    .filter({ hasText: 'Sturdy Carrots' })
    .first()
    .getByText('Less', { exact: true })
    .click();
  await stack.servers[0]?.end('SIGKILL');
  const ask = dialog.getByRole('button', { name: /^Ask / });
  // A call that was cut off says so, and is made again: it has the same id.
  await until('the proposal to be made', async () => {
    if ((await dialog.count()) === 0) return true;
    // The dialog may close under the click, which then is not waited for.
    await ask.click({ timeout: scaled(2000) }).catch(() => undefined);
    return false;
  });

  // The consumer sees it and answers, which the farm sees.
  await atHome.page.getByRole('button', { name: 'Accept all' }).click();
  await atFarm.page.getByText(/accepted the change\./).waitFor();
  const now = await call<Order>(buyer, 'GET', `/orders/${order._id}`);
  expect(now).toMatchObject({ openChange: null, items: [{ quantity: 4 }, {}] });

  // What is left of it is in both pick lists; what is ticked in one is ticked in the other.
  for (const page of [inField, atTable.page]) {
    await page.getByRole('checkbox', { name: 'Sturdy Carrots, 4 lb' }).waitFor();
  }
  await box(atTable.page).click();
  await inField.getByRole('checkbox', { name: /^Sturdy Carrots/, checked: true }).waitFor();

  // What is weighed at the packing table is the price in the consumer's hand and at the farm.
  await atTable.page.getByRole('button', { name: 'Packing' }).click();
  await atTable.page.locator(`[data-pack-order="${order._id}"]`).click();
  const weight = atTable.page.getByLabel(/^Weight of 1 × Sturdy Chicken/);
  await weight.fill('0.9+0.95');
  await weight.press('Enter');
  for (const page of [atHome.page, atFarm.page]) {
    await page.getByText('(1.85 kg)').filter({ visible: true }).first().waitFor();
    await page.getByText('₨748.00').filter({ visible: true }).first().waitFor();
  }
  for (const isNotReloaded of areNotReloaded) await isNotReloaded();
});
