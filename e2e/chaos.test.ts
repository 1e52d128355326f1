import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Order } from '#contract/orders';
import type { Product } from '#contract/products';
import { type Actor, badge } from './live/ground.ts';
import { expectFresh } from './live/screens.ts';
import { ACCOUNTS, launchBrowser, openPerson, signIn } from './people.ts';
import { freePort, type Program, type Stack, startStack, until } from './stack.ts';

/** How much is done; 200 is the long form. */
const ACTIONS = Number(process.env.CHAOS_ACTIONS ?? 40);
/** The same number does the same again, as far as people and machines do. */
const SEED = Number(process.env.CHAOS_SEED ?? 20_261_121);
/** Milliseconds an action may take: with the line cut many come to nothing, as in life. */
const GIVES_UP = 8_000;

type Role = 'consumer' | 'farmer' | 'admin';

let browser: Browser;
let stack: Stack;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let redis: Awaited<ReturnType<typeof startRedis>>;

beforeAll(async () => {
  [redis, proxy, browser] = await Promise.all([startRedis(), startProxy(), launchBrowser()]);
  stack = await startStack({
    servers: 2,
    workers: 2,
    redisUrl: redis.url,
    env: { PUBLIC_URL: proxy.url, UNANSWERED_AFTER_SECONDS: '10' },
  });
  proxy.lead(stack.servers.map(({ url }) => Number(new URL(url).port)));
}, 240_000);
afterAll(async () => {
  await browser?.close();
  proxy?.close();
  await stack?.close();
  await redis?.close();
}, 60_000);

/** A Redis of the test's own, to be taken away and given back. */
async function startRedis() {
  const port = await freePort();
  const folder = await mkdtemp(path.join(tmpdir(), 'farmgate-redis-'));
  let child: ChildProcess | undefined;
  const start = async () => {
    child = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes'],
      { stdio: 'ignore' },
    );
    await until('Redis to answer', () => answers(port));
  };
  const stop = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  // Whatever happens to the test, it does not go on running.
  process.once('exit', () => child?.kill('SIGKILL'));
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    stop,
    close: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** One address for several servers: connections go to them in turn, to the next where one is away. */
async function startProxy() {
  let ports: number[] = [];
  let turn = 0;
  const open = new Set<Socket>();
  const pass = (client: Socket, tries: number) => {
    const port = ports[turn++ % ports.length];
    if (port === undefined || tries === 0) {
      client.destroy();
      return;
    }
    let isThrough = false;
    const upstream = connect(port, '127.0.0.1', () => {
      isThrough = true;
      client.pipe(upstream).pipe(client);
    });
    upstream.once('error', () => (isThrough ? client.destroy() : pass(client, tries - 1)));
    upstream.once('close', () => {
      if (isThrough) client.destroy();
    });
    client.once('close', () => upstream.destroy());
  };
  const server: Server = createServer((client) => {
    open.add(client);
    client.on('error', () => {});
    client.once('close', () => open.delete(client));
    pass(client, ports.length);
  }).listen(await freePort(), '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://localhost:${port}`,
    lead: (to: number[]) => {
      ports = to;
    },
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Numbers from 0 up to 1 that only look like chance (mulberry32). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Goes to a page the way a link does, without loading anything anew. */
async function go({ page }: Actor, address: string, withinMs = GIVES_UP): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), address);
  await page.locator('main h1, main h2').first().waitFor({ timeout: withinMs });
}

/** Asks the API from within somebody's page, as another of their tabs would. */
const ask = <Data>({ page }: Actor, method: string, address: string, body?: unknown) =>
  page.evaluate(
    async ([how, where, what]) => {
      const response = await fetch(`/api${where}`, {
        method: how,
        headers: {
          authorization: `Bearer ${localStorage.getItem('token')}`,
          'content-type': 'application/json',
        },
        ...(what === null ? {} : { body: what }),
      });
      const answer: { data?: unknown; message?: string } = await response.json();
      if (!response.ok) throw new Error(answer.message);
      return answer.data;
    },
    [method, address, body === undefined ? null : JSON.stringify(body)] as const,
  ) as Promise<Data>;

it(`after ${ACTIONS} actions through cuts, crashes and restarts every screen is as a fresh load shows it`, async () => {
  const random = chance(SEED);
  const oneOf = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('Nothing to choose from.');
    return item;
  };
  const people = Object.fromEntries(
    await Promise.all(
      (['consumer', 'farmer', 'admin'] as const).map(async (role) => {
        const session = await signIn(stack.url, ACCOUNTS[role]);
        const person = await openPerson(browser, proxy.url, { as: session });
        await person.page.goto('/about');
        await badge(person, 'Live').waitFor({ timeout: 60_000 });
        return [role, { ...person, session }] as const;
      }),
    ),
  ) as Record<Role, Actor>;
  const { consumer, farmer, admin } = people;
  const farmerId = farmer.session.user._id;
  const consumerId = consumer.session.user._id;
  const products = await ask<Product[]>(farmer, 'GET', '/products/farmer/me');
  const goods = products.filter(({ isActive }) => isActive).slice(0, 4);

  const pages: Record<Role, readonly string[]> = {
    consumer: [
      '/orders',
      '/messages',
      `/messages/${farmerId}`,
      `/farmers/${farmerId}`,
      '/checkout',
      ...goods.slice(0, 2).map(({ _id }) => `/products/${_id}`),
    ],
    farmer: [
      '/farmer/dashboard',
      '/farmer/orders',
      '/farmer/products',
      '/orders',
      `/messages/${consumerId}`,
    ],
    admin: ['/admin/dashboard', '/admin/orders', '/admin/users', '/admin/categories'],
  };

  // Everybody has been everywhere, so that every screen is an old one in the end.
  for (const role of ['consumer', 'farmer', 'admin'] as const) {
    for (const address of pages[role]) await go(people[role], address, 60_000);
  }

  let words = 0;
  const say = async (person: Actor, to: string) => {
    await go(person, `/messages/${to}`);
    const box = person.page.getByRole('textbox', { name: /^Message to/ });
    await box.fill(`Word ${++words}`, { timeout: GIVES_UP });
    await box.press('Enter');
  };
  const press = async (person: Actor, name: RegExp) =>
    person.page.getByRole('button', { name }).first().click({ timeout: GIVES_UP });
  const order = () => {
    const { _id, price } = oneOf(goods);
    return ask<Order>(consumer, 'POST', '/orders', {
      farmer: farmerId,
      items: [{ product: _id, quantity: 1, price }],
      pickupDetails: {
        date: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
        time: '10:00',
        location: 'Farm gate',
      },
    });
  };
  const change = async (person: Actor, from: string, list: string, to: string) => {
    const found = await ask<Order[]>(person, 'GET', `/orders${list}?status=${from}&limit=20`);
    await ask(person, 'PUT', `/orders/${oneOf(found)._id}`, { status: to });
  };

  const deeds: Record<string, () => Promise<unknown>> = {
    'the consumer looks around': () => go(consumer, oneOf(pages.consumer)),
    'the farmer looks around': () => go(farmer, oneOf(pages.farmer)),
    'the admin looks around': () => go(admin, oneOf(pages.admin)),
    'the consumer orders': order,
    'the consumer orders again': order,
    'the consumer fills the cart': async () => {
      await go(consumer, `/products/${oneOf(goods)._id}`);
      await press(consumer, /^Add to Cart$/);
    },
    'the consumer takes an order back': () => change(consumer, 'pending', '/consumer', 'cancelled'),
    'the consumer writes': () => say(consumer, farmerId),
    'the farmer writes': () => say(farmer, consumerId),
    'the farmer accepts': async () => {
      await go(farmer, '/farmer/orders');
      await press(farmer, /^Accept order/);
    },
    'the farmer completes': () => change(farmer, 'accepted', '/farmer', 'completed'),
    'the farmer counts the stock': () =>
      ask(farmer, 'PUT', `/products/${oneOf(goods)._id}`, {
        quantityAvailable: 5 + Math.floor(random() * 20),
      }),
    'the admin rejects': () => change(admin, 'pending', '', 'rejected'),
    'the admin adds a category': () =>
      ask(admin, 'POST', '/categories', { name: `Kind ${++words}` }),
  };

  const down = new Set<number>();
  const ports = stack.servers.map(({ url }) => Number(new URL(url).port));
  const running = new Map<number, Program | undefined>(
    stack.servers.map((server, index) => [ports[index] ?? 0, server]),
  );
  const cut = new Set<Actor>();
  let isRedisDown = false;

  const cutOff = async (person: Actor) => {
    cut.add(person);
    await person.context.setOffline(true);
  };
  const join = async (person: Actor) => {
    cut.delete(person);
    await person.context.setOffline(false);
  };
  const giveRedis = async () => {
    if (isRedisDown) await redis.start();
    isRedisDown = false;
  };
  const raise = async () => {
    // A server that starts looks for its stores first, and does not start without them.
    if (down.size > 0) await giveRedis();
    for (const port of [...down]) {
      running.set(port, await stack.startServer(port));
      down.delete(port);
    }
  };
  const disasters: Record<string, () => Promise<unknown>> = {
    "the consumer's line is cut": () => cutOff(consumer),
    "the farmer's line is cut": () => cutOff(farmer),
    "the admin's line is cut": () => cutOff(admin),
    'lines are joined': () => Promise.all([...cut].map(join)),
    'a server is killed': async () => {
      await raise();
      const port = oneOf(ports);
      const server = running.get(port);
      if (!server) return;
      down.add(port);
      await server.end('SIGKILL');
    },
    'a server is started': raise,
    'Redis is killed': async () => {
      isRedisDown = true;
      await redis.stop();
    },
    'Redis is started': giveRedis,
  };

  const done: string[] = [];
  let undone = 0;
  for (let action = 0; action < ACTIONS; action++) {
    const isDisaster = random() < 0.25;
    const [name, run] = oneOf(Object.entries(isDisaster ? disasters : deeds));
    const failed = await Promise.race([
      run().then(
        () => undefined,
        (error: Error) => error,
      ),
      new Promise<Error>((resolve) =>
        setTimeout(() => resolve(new Error('took too long')), isDisaster ? 60_000 : GIVES_UP * 2),
      ),
    ]);
    if (failed && isDisaster) throw failed;
    if (failed) undone++;
    done.push(failed ? `${name}: ${failed.message.split('\n')[0]}` : name);
  }
  console.log(`Seed ${SEED}, ${ACTIONS} actions, ${undone} came to nothing:\n${done.join('\n')}`);

  // Everything is whole again.
  await giveRedis();
  await raise();
  for (const person of [...cut]) await join(person);
  for (const role of ['consumer', 'farmer', 'admin'] as const) {
    const person = people[role];
    await badge(person, 'Live').waitFor({ timeout: 60_000 });
    for (const address of pages[role]) {
      await go(person, address, 60_000);
      await expectFresh(person.page);
    }
  }
  // Most of what was tried was done: else the market was never put to the test.
  expect(undone).toBeLessThan(ACTIONS / 2);
}, 900_000);
