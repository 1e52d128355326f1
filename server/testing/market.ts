import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { io, type Socket } from 'socket.io-client';
import { afterAll } from 'vitest';
import type { ClientToServerEvents, ServerToClientEvents } from '#contract/platform/events/socket';
import type { Role } from '#contract/platform/http/http';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { scaled } from '../../testing/until.ts';
import { beginMarket } from '../admin/market/service.ts';
import { createListener, KEEP_ALIVE_MS } from '../app.ts';
import { createGateway } from '../edge/realtime/gateway.ts';
import { createPlatform, type Platform } from '../platform/http/platform.ts';
import { followMarket } from '../platform/market/settings.ts';
import { readEnv } from '../platform/process/env.ts';
import { createTestDatabase } from './database.ts';

/** An answer of the API. */
export interface Answer {
  status: number;
  headers: Headers;
  // Answers have every form; the assertions check it.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
}

export interface Caller {
  id: string;
  token: string;
  role: Role;
  email: string;
  name: string;
}

export interface CallOptions {
  as?: Caller | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

export type TestSocket = Socket<ServerToClientEvents, ClientToServerEvents>;
export type TestMarket = Awaited<ReturnType<typeof startTestMarket>>;

/** How many markets are open: the files that a process runs one after the other share its settings of the market. */
let openMarkets = 0;

/**
 * Starts a market on its own database: API and gateway on a free port, with real Postgres and Redis.
 * `close` stops everything and drops the database.
 */
export async function startTestMarket(settings: Record<string, string> = {}) {
  openMarkets += 1;
  const database = await createTestDatabase();
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'farmgate-test-'));
  const env = readEnv({
    NODE_ENV: 'test',
    PORT: '0',
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '10',
    // A busy machine may be slow to schedule Postgres.
    DATABASE_SILENCE_MAX_MS: String(Math.min(60_000, scaled(30_000))),
    REDIS_URL: process.env.REDIS_URL,
    REDIS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
    DATA_DIR: dataDirectory,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_SCALE: '10000',
    // Nothing answers there.
    SMS_URL: 'http://127.0.0.1:1',
    ...settings,
  });
  const platform = await createPlatform(env, 'test');
  await beginMarket(platform);
  const market = await followMarket(platform);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, createListener(platform));
  const gateway = await createGateway(platform, server);
  await platform.responseCache.start();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sockets: TestSocket[] = [];

  async function call(
    method: string,
    pathname: string,
    options: CallOptions = {},
  ): Promise<Answer> {
    const response = await fetch(`${url}/api${pathname}`, {
      method,
      headers: {
        ...(options.as ? { authorization: `Bearer ${options.as.token}` } : {}),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined
        ? {}
        : { body: typeof options.body === 'string' ? options.body : JSON.stringify(options.body) }),
    });
    const raw = await response.text();
    let body: unknown = raw;
    try {
      body = JSON.parse(raw);
    } catch {
      // Not JSON: keep the text.
    }
    return { status: response.status, headers: response.headers, body };
  }

  const get = (path: string, as?: Caller) => call('GET', path, { as });
  const post = (path: string, as: Caller | undefined, body: unknown) =>
    call('POST', path, { as, body });
  const put = (path: string, as: Caller | undefined, body: unknown) =>
    call('PUT', path, { as, body });
  const remove = (path: string, as?: Caller) => call('DELETE', path, { as });

  /** Registers a user; an admin is promoted in the database, since the API creates none. */
  async function join(
    role: Role,
    name = `${role} ${randomBytes(3).toString('hex')}`,
  ): Promise<Caller> {
    const email = `${randomUUID()}@farmgate.test`;
    const { status, body } = await call('POST', '/auth/register', {
      body: {
        name,
        email,
        password: 'password123',
        role: role === 'admin' ? 'consumer' : role,
        phone: '555-0100',
        acceptsTerms: true,
        address: { street: '1 Mill Lane', city: 'Ashford', state: 'VT', zipCode: '05001' },
      },
    });
    if (status !== 201) throw new Error(`Registering failed: ${JSON.stringify(body)}`);
    const id: string = body.user._id;
    if (role === 'admin') {
      await platform.db.user.update({ where: { id }, data: { role: 'admin' } });
      platform.sessions.invalidate(id);
    }
    return { id, token: body.token, role, email, name };
  }

  /** Opens a socket and waits until it is synced. */
  async function connect(auth: { token?: string; after?: number } = {}): Promise<TestSocket> {
    const socket: TestSocket = io(url, { auth, transports: ['websocket'], reconnection: false });
    sockets.push(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('synced', () => resolve());
      socket.once('resync', () => resolve());
      socket.once('connect_error', reject);
    });
    return socket;
  }

  async function close(): Promise<void> {
    for (const socket of sockets) socket.disconnect();
    await gateway.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await market.close();
    openMarkets -= 1;
    if (openMarkets === 0) setMarket(DEFAULT_MARKET);
    await platform.close();
    await database.drop();
    await rm(dataDirectory, { recursive: true, force: true });
  }

  return {
    ...{ url, env, platform, gateway, server, join, connect, close },
    ...{ call, get, post, put, delete: remove },
  };
}

/** Closes what a file of tests opens once all of them are over. */
export function closeAfter<Opened extends { close: () => Promise<unknown> }>(
  opened: Opened,
): Opened {
  afterAll(() => opened.close());
  return opened;
}

/** Returns a body for `POST /products` in the given category; `over` replaces fields. */
export const productInput = (category: string, over: Record<string, unknown> = {}) => ({
  name: 'Carrots',
  description: 'Sweet and crunchy.',
  category,
  price: 2.5,
  unit: 'bunch',
  quantityAvailable: 50,
  ...over,
});

/** Offers a product of the farm over the API. @returns its id */
export async function sellProduct(
  market: Pick<TestMarket, 'call'>,
  farmer: Caller,
  category: string,
  over: Record<string, unknown> = {},
): Promise<string> {
  const body = productInput(category, over);
  const answer = await market.call('POST', '/products', { as: farmer, body });
  if (answer.status !== 201) throw new Error(`No product: ${JSON.stringify(answer.body)}`);
  return answer.body.data._id;
}

/** Creates a category in the database. @returns its id */
export async function makeCategory(platform: Platform, name = 'Vegetables'): Promise<string> {
  const row = await platform.db.category.create({
    data: { name, nameKey: `${name.toLowerCase()} ${randomUUID()}` },
  });
  return row.id;
}

/** The address of everyone who joins, where one picks up at their farm. */
export const FARM_ADDRESS = '1 Mill Lane, Ashford, VT 05001';

/** Returns a body for `POST /orders`, with pickup tomorrow. */
export const orderInput = (
  farmer: string,
  items: { product: string; quantity: number; price?: number }[],
  over: Record<string, unknown> = {},
) => ({
  farmer,
  items,
  pickupDetails: {
    date: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
    time: '10:00',
    location: FARM_ADDRESS,
  },
  ...over,
});
