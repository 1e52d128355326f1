import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { Order } from '#contract/ordering/orders/orders';
import { scaled, until, WAIT_MS } from '../testing/until.ts';
import { nextSaturday } from './faults/helpers.ts';
import { startOwnPostgres } from './faults/own-postgres.ts';
import { type Actor, badge } from './live/helpers.ts';
import { expectFresh } from './live/screens.ts';
import { ACCOUNTS, openPerson, type Person, sharedBrowser, signIn } from './people.ts';
import { freePort, type Program, type Stack, startStack } from './stack.ts';

/** The number of actions; 200 for the long form. */
const ACTIONS = Number(process.env.CHAOS_ACTIONS ?? 40);
/** The same seed chooses the same actions. */
const SEED = Number(process.env.CHAOS_SEED ?? 20_261_121);
/** Milliseconds an action may take; while offline many take all of it, which is why it is shorter than a wait. */
const ACTION_MAX_MS = scaled(8000);

type Role = 'consumer' | 'farmer' | 'admin';

let browser: Browser;
const opened: Person[] = [];
let stack: Stack;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let redis: Awaited<ReturnType<typeof startRedis>>;
let postgres: Awaited<ReturnType<typeof startOwnPostgres>>;

beforeAll(async () => {
  [redis, postgres, proxy, browser] = await Promise.all([
    startRedis(),
    startOwnPostgres(),
    startProxy(),
    sharedBrowser(),
  ]);
  stack = await startStack({
    servers: 2,
    workers: 2,
    redisUrl: redis.url,
    databaseUrl: postgres.url,
    env: { PUBLIC_URL: proxy.url, UNANSWERED_AFTER_SECONDS: '10' },
  });
  proxy.setPorts(stack.servers.map(({ url }) => Number(new URL(url).port)));
});
afterAll(async () => {
  await Promise.all(opened.map(({ context }) => context.close()));
  proxy?.close();
  postgres?.thaw();
  await stack?.close();
  await redis?.close();
  await postgres?.remove();
});

/** Starts a private Redis that the test stops and restarts. */
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
  // It must not outlive the test process.
  process.once('exit', () => child?.kill('SIGKILL'));
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    stop,
    /** Suspends it: connections stay open and nothing is answered until `thaw`. */
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
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

/** Starts a TCP proxy that distributes connections over several servers and skips unavailable ones. */
async function startProxy() {
  let ports: number[] = [];
  let turn = 0;
  const open = new Set<Socket>();
  const connectUpstream = (client: Socket, attempts: number) => {
    const port = ports[turn++ % ports.length];
    if (port === undefined || attempts === 0) {
      client.destroy();
      return;
    }
    let isConnected = false;
    const upstream = connect(port, '127.0.0.1', () => {
      isConnected = true;
      client.pipe(upstream).pipe(client);
    });
    upstream.once('error', () =>
      isConnected ? client.destroy() : connectUpstream(client, attempts - 1),
    );
    upstream.once('close', () => {
      if (isConnected) client.destroy();
    });
    client.once('close', () => upstream.destroy());
  };
  const server: Server = createServer((client) => {
    open.add(client);
    client.on('error', () => {});
    client.once('close', () => open.delete(client));
    connectUpstream(client, ports.length);
  }).listen(await freePort(), '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://localhost:${port}`,
    setPorts: (to: number[]) => {
      ports = to;
    },
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Returns a generator of pseudo-random numbers from 0 up to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Navigates like a link, without a reload. */
async function navigate({ page }: Actor, address: string, withinMs = ACTION_MAX_MS): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), address);
  await page.locator('main h1, main h2').first().waitFor({ timeout: withinMs });
}

/** Calls the API from within a page, as another tab of the person would. */
const fetchInPage = <Data>({ page }: Actor, method: string, address: string, body?: unknown) =>
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

it(`shows what a fresh load shows after ${ACTIONS} actions with outages, crashes and restarts`, async () => {
  const random = createRandom(SEED);
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
        opened.push(person);
        // Whether to ask for a second factor is decided once, when the page opens, if it can be read then.
        await person.context.addInitScript(
          (key) => localStorage.setItem(key, String(Date.now() + 86_400_000)),
          `of:${session.user._id}:ask-second-factor-at`,
        );
        await person.page.goto('/about');
        await badge(person, 'Live').waitFor();
        return [role, { ...person, session }] as const;
      }),
    ),
  ) as Record<Role, Actor>;
  const { consumer, farmer, admin } = people;
  const farmerId = farmer.session.user._id;
  const consumerId = consumer.session.user._id;
  const products = await fetchInPage<Product[]>(farmer, 'GET', '/products/farmer/me');
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

  // Visit every page first, so that every screen at the end has live updates behind it.
  for (const role of ['consumer', 'farmer', 'admin'] as const) {
    for (const address of pages[role]) await navigate(people[role], address, WAIT_MS);
  }

  let words = 0;
  const sendMessage = async (person: Actor, to: string) => {
    await navigate(person, `/messages/${to}`);
    const box = person.page.getByRole('textbox', { name: /^Message to/ });
    await box.fill(`Word ${++words}`, { timeout: ACTION_MAX_MS });
    await box.press('Enter');
  };
  const click = async (person: Actor, name: RegExp) =>
    person.page.getByRole('button', { name }).first().click({ timeout: ACTION_MAX_MS });
  const order = () => {
    const { _id, price } = oneOf(goods);
    return fetchInPage<Order>(consumer, 'POST', '/orders', {
      farmer: farmerId,
      items: [{ product: _id, quantity: 1, price }],
      pickupDetails: {
        date: nextSaturday(),
        time: '10:00',
        location: 'Farm gate',
      },
    });
  };
  const change = async (person: Actor, from: string, list: string, to: string) => {
    const found = await fetchInPage<Order[]>(
      person,
      'GET',
      `/orders${list}?status=${from}&limit=20`,
    );
    await fetchInPage(person, 'PUT', `/orders/${oneOf(found)._id}`, { status: to });
  };

  const actions: Record<string, () => Promise<unknown>> = {
    'the consumer opens a page': () => navigate(consumer, oneOf(pages.consumer)),
    'the farmer opens a page': () => navigate(farmer, oneOf(pages.farmer)),
    'the admin opens a page': () => navigate(admin, oneOf(pages.admin)),
    'the consumer orders': order,
    'the consumer orders again': order,
    'the consumer fills the cart': async () => {
      await navigate(consumer, `/products/${oneOf(goods)._id}`);
      await click(consumer, /^Add to Cart$/);
    },
    'the consumer cancels an order': () => change(consumer, 'pending', '/consumer', 'cancelled'),
    'the consumer sends a message': () => sendMessage(consumer, farmerId),
    'the farmer sends a message': () => sendMessage(farmer, consumerId),
    'the farmer accepts': async () => {
      await navigate(farmer, '/farmer/orders');
      await click(farmer, /^Accept order/);
    },
    'the farmer completes': () => change(farmer, 'accepted', '/farmer', 'completed'),
    'the farmer changes the stock': () =>
      fetchInPage(farmer, 'PUT', `/products/${oneOf(goods)._id}`, {
        quantityAvailable: 5 + Math.floor(random() * 20),
      }),
    'the admin rejects': () => change(admin, 'pending', '', 'rejected'),
    'the admin adds a category': () =>
      fetchInPage(admin, 'POST', '/categories', { name: `Kind ${++words}` }),
  };

  const down = new Set<number>();
  const ports = stack.servers.map(({ url }) => Number(new URL(url).port));
  const running = new Map<number, Program | undefined>(
    stack.servers.map((server, index) => [ports[index] ?? 0, server]),
  );
  const offline = new Set<Actor>();
  let isRedisDown = false;
  let isPostgresFrozen = false;

  const disconnect = async (person: Actor) => {
    offline.add(person);
    await person.context.setOffline(true);
  };
  const reconnect = async (person: Actor) => {
    offline.delete(person);
    await person.context.setOffline(false);
  };
  const restoreRedis = async () => {
    redis.thaw();
    if (isRedisDown) await redis.start();
    isRedisDown = false;
  };
  const thawPostgres = async () => {
    if (isPostgresFrozen) postgres.thaw();
    isPostgresFrozen = false;
  };
  const startKilledServers = async () => {
    // A server starts without Redis but is only ready once Postgres responds.
    await thawPostgres();
    for (const port of [...down]) {
      running.set(port, await stack.startServer(port));
      down.delete(port);
    }
  };
  const faults: Record<string, () => Promise<unknown>> = {
    'the consumer goes offline': () => disconnect(consumer),
    'the farmer goes offline': () => disconnect(farmer),
    'the admin goes offline': () => disconnect(admin),
    'everybody goes online': () => Promise.all([...offline].map(reconnect)),
    'a server is killed': async () => {
      await startKilledServers();
      const port = oneOf(ports);
      const server = running.get(port);
      if (!server) return;
      down.add(port);
      await server.end('SIGKILL');
    },
    'a server is started': startKilledServers,
    'Redis is killed': async () => {
      isRedisDown = true;
      await redis.stop();
    },
    'Redis is frozen': async () => {
      redis.freeze();
    },
    'Redis is started or thawed': restoreRedis,
    'Postgres is frozen': async () => {
      isPostgresFrozen = true;
      postgres.freeze();
    },
    'Postgres is thawed': thawPostgres,
  };

  const log: string[] = [];
  let failures = 0;
  for (let action = 0; action < ACTIONS; action++) {
    const isFault = random() < 0.25;
    const [name, run] = oneOf(Object.entries(isFault ? faults : actions));
    const failed = await Promise.race([
      run().then(
        () => undefined,
        (error: Error) => error,
      ),
      new Promise<Error>((resolve) =>
        setTimeout(() => resolve(new Error('timed out')), isFault ? WAIT_MS : ACTION_MAX_MS * 2),
      ),
    ]);
    if (failed && isFault) throw failed;
    if (failed) failures++;
    log.push(failed ? `${name}: ${failed.message.split('\n')[0]}` : name);
  }
  console.log(`Seed ${SEED}, ${ACTIONS} actions, ${failures} failed:\n${log.join('\n')}`);

  // Restore everything.
  await restoreRedis();
  await thawPostgres();
  await startKilledServers();
  for (const person of [...offline]) await reconnect(person);
  for (const role of ['consumer', 'farmer', 'admin'] as const) {
    const person = people[role];
    await badge(person, 'Live').waitFor();
    for (const address of pages[role]) {
      await navigate(person, address, WAIT_MS);
      await expectFresh(person.page);
    }
  }
  // Most actions must succeed, otherwise the test proves nothing.
  expect(failures).toBeLessThan(ACTIONS / 2);
});
