import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_PREFERENCES, TEXTED_KINDS } from '#contract/people/notifications/constants';
import { until } from '../../../testing/until.ts';
import { readEnv } from '../../platform/process/env.ts';
import { readVapid } from '../../platform/process/push.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import { subscribePush } from './service.ts';

let reader: Caller;

const market = closeAfter(await startTestMarket());
beforeEach(async () => {
  reader = await market.join('farmer');
});

const get = (path: string, as?: Caller) => market.get(`/notifications${path}`, as);
const put = (path: string, body: unknown, as?: Caller) =>
  market.put(`/notifications${path}`, as, body);

/** Writes notifications without the API. @returns the ids, oldest first */
async function addNotifications(person: Caller, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    userId: person.id,
    kind: 'order.placed',
    title: `Order ${index}`,
    body: 'Two beets.',
    link: '/orders/1',
    key: `test:${index}`,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, index)),
  }));
  await market.platform.db.notification.createMany({ data: rows });
  return rows.map(({ id }) => id);
}

it('every call requires a session', async () => {
  const subscription = { endpoint: 'https://push.example.com/1' };
  const answers = await Promise.all([
    get(''),
    put('/read', {}),
    get('/preferences'),
    put('/preferences', {}),
    get('/push-key'),
    market.call('POST', '/notifications/push-subscriptions', { body: subscription }),
    market.call('DELETE', '/notifications/push-subscriptions', { body: subscription }),
    market.call('POST', '/admin/queues-session'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(401));
});

describe('the list', () => {
  it('returns only the own notifications, newest first, in pages, with the count of all unread', async () => {
    await addNotifications(await market.join('farmer'), 2);
    await addNotifications(reader, 3);
    const { body } = await get('?limit=2', reader);
    expect(body).toMatchObject({ count: 2, unreadCount: 3 });
    expect(body.data[0]).toEqual({
      _id: expect.any(String),
      kind: 'order.placed',
      title: 'Order 2',
      body: 'Two beets.',
      link: '/orders/1',
      isRead: false,
      createdAt: '2026-01-01T00:02:00.000Z',
    });
    const rest = await get(`?limit=2&cursor=${body.nextCursor}`, reader);
    expect(rest.body.data.map((row: { title: string }) => row.title)).toEqual(['Order 0']);
    expect(rest.body.nextCursor).toBeNull();
    expect((await get('?limit=0', reader)).status).toBe(400);
    expect((await get('?cursor=x', reader)).status).toBe(400);
  });
});

describe('reading', () => {
  it('marks some, then all, and sends an event when something changed', async () => {
    const [first = ''] = await addNotifications(reader, 3);
    const socket = await market.connect({ token: reader.token });
    const received: unknown[] = [];
    socket.on('notifications.read', ({ data }) => received.push(data));

    const some = await put('/read', { ids: [first, randomUUID()] }, reader);
    expect([some.status, some.body.data]).toEqual([200, { unreadCount: 2 }]);
    const again = await put('/read', { ids: [first] }, reader);
    expect(again.body.data).toEqual({ unreadCount: 2 });
    expect((await put('/read', {}, reader)).body.data).toEqual({ unreadCount: 0 });

    await until(() => received.length >= 2);
    expect(received).toEqual([
      { ids: [first, expect.any(String)], unreadCount: 2 },
      { ids: null, unreadCount: 0 },
    ]);
    expect((await get('', reader)).body.unreadCount).toBe(0);
  });

  it("does not mark other people's notifications", async () => {
    const other = await market.join('farmer');
    const ids = await addNotifications(other, 1);
    expect((await put('/read', { ids }, reader)).body.data).toEqual({ unreadCount: 0 });
    expect((await get('', other)).body.unreadCount).toBe(1);
    expect((await put('/read', { ids: ['x'] }, reader)).status).toBe(400);
  });
});

describe('reading by subject', () => {
  /** Writes unread notifications that lead to these pages. @returns the ids */
  async function addLinked(person: Caller, links: readonly string[]): Promise<string[]> {
    const rows = links.map((link, index) => ({
      id: randomUUID(),
      userId: person.id,
      kind: 'order.statusChanged',
      title: 'Your order changed',
      body: '',
      link,
      key: `subject:${randomUUID()}:${index}`,
    }));
    await market.platform.db.notification.createMany({ data: rows });
    return rows.map(({ id }) => id);
  }
  const see = (kind: string, _id: string, as = reader) =>
    put('/read', { subject: { kind, _id } }, as);

  it('marks what leads to the order or the conversation, also by an id in upper case', async () => {
    const [order, person] = [randomUUID(), randomUUID()];
    const ids = await addLinked(reader, [
      `/orders/${order}`,
      `/orders/${order}`,
      `/messages/${person}`,
      `/admin/messages/${person}`,
      `/orders/${randomUUID()}`,
    ]);
    const socket = await market.connect({ token: reader.token });
    const received: { ids: string[] | null; unreadCount: number }[] = [];
    socket.on('notifications.read', ({ data }) => received.push(data));
    const seen = await see('order', order.toUpperCase());
    expect([seen.status, seen.body.data]).toEqual([200, { unreadCount: 3 }]);
    expect((await see('conversation', person)).body.data).toEqual({ unreadCount: 1 });
    await until(() => received.length === 2);
    expect(received.map(({ unreadCount }) => unreadCount)).toEqual([3, 1]);
    expect(received.map((event) => new Set(event.ids))).toEqual([
      new Set(ids.slice(0, 2)),
      new Set(ids.slice(2, 4)),
    ]);
  });

  it('marks what leads to a product, also where its farmer changes it', async () => {
    const product = randomUUID();
    await addLinked(reader, [
      `/products/${product}`,
      `/farmer/products/edit/${product}`,
      `/farmer/products?view=stock&product=${product}`,
      `/farmer/products?view=stock&product=${randomUUID()}`,
    ]);
    const { body } = await see('product', product);
    expect(body.data).toEqual({ unreadCount: 1 });
    await put('/read', {}, reader);
  });

  it('sends one event, however often and at once it is called', async () => {
    const order = randomUUID();
    await addLinked(reader, [`/orders/${order}`]);
    const socket = await market.connect({ token: reader.token });
    const received: unknown[] = [];
    socket.on('notifications.read', ({ data }) => received.push(data));
    const answers = await Promise.all(Array.from({ length: 8 }, () => see('order', order)));
    expect(answers.map(({ body }) => body.data)).toEqual(Array(8).fill({ unreadCount: 0 }));
    await put('/read', {}, reader);
    await addLinked(reader, ['/orders/last']);
    await put('/read', {}, reader);
    await until(() => received.length >= 2);
    expect(received).toEqual([
      { ids: [expect.any(String)], unreadCount: 0 },
      { ids: null, unreadCount: 0 },
    ]);
  });

  it("leaves other people's alone, and refuses what is no subject", async () => {
    const order = randomUUID();
    const other = await market.join('consumer');
    await addLinked(other, [`/orders/${order}`]);
    expect((await see('order', order)).body.data).toEqual({ unreadCount: 0 });
    expect((await get('', other)).body.unreadCount).toBe(1);
    expect((await see('order', 'x')).status).toBe(400);
    expect((await see('farm', order)).status).toBe(400);
    const both = { ids: [randomUUID()], subject: { kind: 'order', _id: order } };
    expect((await put('/read', both, reader)).status).toBe(400);
  });

  it('finds one among 100,000 by its index, and sends many in parts', async () => {
    const order = randomUUID();
    await market.platform.db.$executeRaw`
      INSERT INTO notifications (id, user_id, kind, title, body, link, key)
      SELECT gen_random_uuid(), ${reader.id}::uuid, 'order.placed', '', '',
        CASE WHEN n <= 1200 THEN ${`/orders/${order}`} ELSE '/orders/' || n END, 'many:' || n
      FROM generate_series(1, 100000) AS n`;
    await market.platform.db.$executeRaw`ANALYZE notifications`;
    const plan = await market.platform.db.$queryRaw<{ 'QUERY PLAN': string }[]>`
      EXPLAIN SELECT id FROM notifications
      WHERE user_id = ${reader.id}::uuid AND link IN (${`/orders/${order}`}, '/orders/x')
        AND read_at IS NULL`;
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain(
      'notifications_user_id_link_idx',
    );
    const socket = await market.connect({ token: reader.token });
    const received: { ids: string[] | null }[] = [];
    socket.on('notifications.read', ({ data }) => received.push(data));
    expect((await see('order', order)).body.data).toEqual({ unreadCount: 98_800 });
    await until(() => received.length === 3);
    expect(received.map(({ ids }) => ids?.length)).toEqual([500, 500, 200]);
  });
});

describe('preferences', () => {
  it('are on by default but for texts, and can be changed for each kind', async () => {
    const texted = TEXTED_KINDS.map((kind) => [kind, { email: true, push: true, sms: false }]);
    const defaults = { ...DEFAULT_PREFERENCES, ...Object.fromEntries(texted) };
    expect((await get('/preferences', reader)).body.data).toEqual(defaults);
    const off = { email: false, push: false };
    const answers = await Promise.all([
      put('/preferences', { 'stock.low': off }, reader),
      put('/preferences', { 'message.unread': off, unknown: off }, reader),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await get('/preferences', reader)).body.data).toEqual({
      ...defaults,
      'stock.low': off,
      'message.unread': { ...off, sms: false },
    });
    expect((await put('/preferences', { 'stock.low': { email: 1 } }, reader)).status).toBe(400);
  });
});

describe('push messages', () => {
  const subscription = (endpoint = `https://push.example.com/${randomUUID()}`) => ({
    endpoint,
    keys: {
      p256dh: createECDH('prime256v1').generateKeys('base64url'),
      auth: randomBytes(16).toString('base64url'),
    },
  });
  const subscribe = (body: unknown, as: Caller = reader) =>
    market.post('/notifications/push-subscriptions', as, body);
  const ownersOf = async (endpoint: string) =>
    (await market.platform.db.pushSubscription.findMany({ where: { endpoint } })).map(
      ({ userId }) => userId,
    );

  it('use one public key in all processes', async () => {
    const { body } = await get('/push-key', reader);
    expect(Buffer.from(body.data.publicKey, 'base64url')).toHaveLength(65);
    expect(readVapid(market.env).publicKey).toBe(body.data.publicKey);
    expect(readVapid({ ...market.env, JWT_SECRET: 'x'.repeat(32) }).publicKey).not.toBe(
      body.data.publicKey,
    );
  });

  it('go to a browser until it is unsubscribed, and only to its last user', async () => {
    const body = subscription();
    const other = await market.join('consumer');
    expect((await subscribe(body)).status).toBe(201);
    expect((await subscribe(body)).status).toBe(201);
    expect((await subscribe(body, other)).status).toBe(201);
    expect(await ownersOf(body.endpoint)).toEqual([other.id]);
    const take = (as: Caller) =>
      market.call('DELETE', '/notifications/push-subscriptions', {
        as,
        body: { endpoint: body.endpoint },
      });
    expect((await take(reader)).status).toBe(200);
    expect(await ownersOf(body.endpoint)).toEqual([other.id]);
    expect((await take(other)).status).toBe(200);
    expect(await ownersOf(body.endpoint)).toEqual([]);
  });

  it('go to at most the twenty newest browsers of a person', async () => {
    const all = Array.from({ length: 22 }, () => subscription());
    for (const each of all) await subscribe(each);
    const kept = await market.platform.db.pushSubscription.findMany({
      where: { userId: reader.id },
    });
    expect(new Set(kept.map(({ endpoint }) => endpoint))).toEqual(
      new Set(all.slice(2).map(({ endpoint }) => endpoint)),
    );
  });

  it('go to at most twenty browsers, also when many subscribe at the same time', async () => {
    const all = Array.from({ length: 40 }, () => subscription());
    const answers = await Promise.all(all.map((each) => subscribe(each)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const where = { userId: reader.id };
    expect(await market.platform.db.pushSubscription.count({ where })).toBe(20);
  });

  it('are rejected for an endpoint that is not on the public internet', async () => {
    const { keys } = subscription();
    for (const body of [
      subscription('http://push.example.com/1'),
      subscription('ftp://push.example.com/1'),
      subscription('no address'),
      { endpoint: 'https://push.example.com/1' },
      { endpoint: 'https://push.example.com/1', keys: { ...keys, p256dh: 'short' } },
    ]) {
      expect((await subscribe(body)).status, body.endpoint).toBe(400);
    }
    const env = readEnv({ ...process.env, NODE_ENV: 'development', JWT_SECRET: 'x'.repeat(32) });
    const inner = ['127.0.0.1', '[::1]', '169.254.169.254', '10.0.0.1', 'localhost', 'db'];
    const odd = ['push.example.com:8443', 'push.example.com:22', 'me:secret@push.example.com'];
    const session = await market.platform.sessions.peek(reader.token);
    for (const host of [...inner, ...odd]) {
      const attempt = subscribePush(
        { ...market.platform, env },
        session?.user as SessionUser,
        subscription(`https://${host}/1`),
      );
      await expect(attempt, host).rejects.toMatchObject({ status: 400 });
    }
  });
});
