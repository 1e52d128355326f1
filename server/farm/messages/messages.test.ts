import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Role } from '#contract/platform/http/http';
import { until } from '../../../testing/until.ts';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import { messageableRole } from './people.ts';

const market = closeAfter(await startTestMarket());
const [consumer, farmer, admin] = (await Promise.all(
  (['consumer', 'farmer', 'admin'] as Role[]).map((role) => market.join(role)),
)) as [Caller, Caller, Caller];

const send = (as: Caller, receiver: Caller | string, over: Record<string, unknown> = {}) =>
  market.post('/messages', as, {
    receiver: typeof receiver === 'string' ? receiver : receiver.id,
    content: 'Hello',
    ...over,
  });

/** An order behind the API, with nothing in it that matters here. */
async function placeOrder(by: Caller, at: Caller): Promise<string> {
  const order = await market.platform.db.order.create({
    data: {
      consumerId: by.id,
      farmerId: at.id,
      totalMinor: 100,
      isPickup: true,
      date: new Date('2030-01-01'),
      time: '10:00',
    },
  });
  return order.id;
}

const unreadOf = async (as: Caller, other: Caller): Promise<number> => {
  const { body } = await market.get('/messages', as);
  return body.data.find((row: { user: { _id: string } }) => row.user._id === other.id).unreadCount;
};

describe('sending', () => {
  it('stores the trimmed text and returns it with both names', async () => {
    const { status, body } = await send(consumer, farmer, { content: '  Are there beets?\n' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      sender: { _id: consumer.id, name: consumer.name },
      receiver: { _id: farmer.id, name: farmer.name },
      content: 'Are there beets?',
      isRead: false,
    });
  });

  it('requires a signed-in sender, a receiver and a text of 1 to 2000 characters', async () => {
    const body = { receiver: farmer.id, content: 'Hello' };
    expect((await market.call('POST', '/messages', { body })).status).toBe(401);
    for (const over of [
      { content: ' \n ' },
      { content: 'x'.repeat(2001) },
      { content: 'nul \u0000' },
      { content: 7 },
      { receiver: 'nobody' },
      { _id: 'mine' },
    ]) {
      expect((await send(consumer, farmer, over)).status, JSON.stringify(over)).toBe(400);
    }
    expect((await send(consumer, farmer, { content: 'x'.repeat(2000) })).status).toBe(201);
    expect((await send(consumer, randomUUID())).status).toBe(404);
  });

  it('follows the policy of who may write to whom', async () => {
    const [stranger, otherFarmer] = await Promise.all([
      market.join('consumer'),
      market.join('farmer'),
    ]);
    expect((await send(consumer, consumer)).status).toBe(404);
    expect((await send(consumer, stranger)).status).toBe(404);
    expect((await send(consumer, admin)).status).toBe(404);
    expect((await send(otherFarmer, farmer)).status).toBe(404);
    expect((await send(otherFarmer, stranger)).status).toBe(404);

    await placeOrder(stranger, otherFarmer);
    expect((await send(otherFarmer, stranger)).status).toBe(201);
    expect((await send(farmer, stranger)).status).toBe(404);

    expect((await send(admin, consumer)).status).toBe(201);
    expect((await send(consumer, admin)).status).toBe(201);
  });

  it('returns the same as for an unknown person on every path when writing is not allowed', async () => {
    const [one, other] = await Promise.all([market.join('consumer'), market.join('consumer')]);
    const foreign = await send(consumer, farmer);
    const foreignOrder = await placeOrder(consumer, farmer);
    const ownOrder = await placeOrder(one, farmer);
    const paths: [string, (id: string) => [string, string, unknown?]][] = [
      ['sending', (id) => ['POST', '/messages', { receiver: id, content: 'Hi' }]],
      [
        'sending about an own order',
        (id) => ['POST', '/messages', { receiver: id, content: 'Hi', relatedOrder: ownOrder }],
      ],
      [
        "sending about somebody else's order",
        (id) => ['POST', '/messages', { receiver: id, content: 'Hi', relatedOrder: foreignOrder }],
      ],
      ['reading', (id) => ['GET', `/messages/${id}`]],
      ['reading on', (id) => ['GET', `/messages/${id}?before=${foreign.body.data._id}`]],
      ['reading on from nowhere', (id) => ['GET', `/messages/${id}?before=${randomUUID()}`]],
      ['marking as read', (id) => ['PUT', `/messages/read/${id}`, {}]],
    ];
    for (const [name, path] of paths) {
      const answers = await Promise.all(
        [randomUUID(), other.id, other.id.toUpperCase(), admin.id, one.id].map(async (id) => {
          const [method, address, body] = path(id);
          const { status, body: answer } = await market.call(method, address, { as: one, body });
          return { status, answer };
        }),
      );
      expect(answers, name).toEqual(
        answers.map((_, index) => ({
          status: 404,
          answer: {
            success: false,
            code: 'NOT_FOUND',
            // The last one is the writer's own.
            message: index === 4 ? "You can't write to yourself." : 'User not found',
          },
        })),
      );
    }
  });

  it("returns the same for somebody else's order and for an unknown one", async () => {
    const foreign = await placeOrder(consumer, farmer);
    const one = await market.join('consumer');
    const [known, unknown] = await Promise.all([
      send(one, farmer, { relatedOrder: foreign }),
      send(one, farmer, { relatedOrder: randomUUID() }),
    ]);
    expect([known.status, known.body]).toEqual([404, unknown.body]);
  });

  it('rejects messages to deleted accounts and keeps their threads readable', async () => {
    const [leaver, customer] = await Promise.all([market.join('farmer'), market.join('consumer')]);
    await send(customer, leaver);
    await market.platform.db.user.update({
      where: { id: leaver.id },
      data: { deletedAt: new Date() },
    });
    expect((await send(customer, leaver)).status).toBe(404);
    const { body } = await market.get(`/messages/${leaver.id}`, customer);
    expect(body).toMatchObject({
      count: 1,
      user: { _id: leaver.id, name: 'Deleted user' },
      mayWrite: false,
    });
  });

  it('names the farm beside its person, in the list and in the thread, until that is deleted', async () => {
    const [farmer, customer] = await Promise.all([market.join('farmer'), market.join('consumer')]);
    const body = { farmName: 'Green Valley', description: 'Good soil.' };
    await market.put('/users/farmers/profile', farmer, body);
    await send(customer, farmer);
    const seenBy = async (reader: Caller, other: Caller) => [
      (await market.get('/messages', reader)).body.data[0].user,
      (await market.get(`/messages/${other.id}`, reader)).body.user,
    ];
    const farm = { _id: farmer.id, name: farmer.name, role: 'farmer', farmName: 'Green Valley' };
    expect(await seenBy(customer, farmer)).toEqual([farm, farm]);
    const person = { _id: customer.id, name: customer.name, role: 'consumer' };
    expect(await seenBy(farmer, customer)).toEqual([person, person]);
    const deletedAt = new Date();
    await market.platform.db.user.update({ where: { id: farmer.id }, data: { deletedAt } });
    const gone = { _id: farmer.id, name: 'Deleted user', role: 'farmer' };
    expect(await seenBy(customer, farmer)).toEqual([gone, gone]);
  });

  it('treats a repeated id as the same message, also at the same time', async () => {
    const [writer, reader] = await Promise.all([market.join('consumer'), market.join('farmer')]);
    const _id = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send(writer, reader, { _id, content: 'Once' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.data))).size).toBe(1);
    expect(await market.platform.db.message.count({ where: { senderId: writer.id } })).toBe(1);
    expect(await unreadOf(reader, writer)).toBe(1);

    const elsewhere = await send(writer, farmer, { _id, content: 'Elsewhere' });
    expect(elsewhere.body.data).toMatchObject({ _id, content: 'Once' });
    const stolen = await send(consumer, reader, { _id });
    expect(stolen.status).toBe(409);
    expect(JSON.stringify(stolen.body)).not.toContain('Once');
  });

  it('accepts a related order only when both are parties to it', async () => {
    const relatedOrder = await placeOrder(consumer, farmer);
    const otherFarmer = await market.join('farmer');
    const { status, body } = await send(consumer, farmer, { relatedOrder });
    expect([status, body.data.relatedOrder]).toEqual([201, relatedOrder]);
    expect((await send(admin, consumer, { relatedOrder })).status).toBe(201);
    expect((await send(consumer, otherFarmer, { relatedOrder })).status).toBe(400);
    const outsider = await market.join('consumer');
    expect((await send(outsider, farmer, { relatedOrder })).status).toBe(404);
    expect((await send(consumer, farmer, { relatedOrder: randomUUID() })).status).toBe(404);
  });

  it('sends an event to both sides', async () => {
    const [writer, reader] = await Promise.all([market.join('consumer'), market.join('farmer')]);
    const received: unknown[] = [];
    for (const { token } of [writer, reader]) {
      const socket = await market.connect({ token });
      socket.on('message.created', ({ data }) => received.push(data));
    }
    const { body } = await send(writer, reader);
    await until(() => received.length === 2);
    expect(received).toEqual([body.data, body.data]);
  });
});

describe('conversations', () => {
  it('returns one row per person, latest first, in pages', async () => {
    const reader = await market.join('farmer');
    const writers = await Promise.all([1, 2, 3].map(() => market.join('consumer')));
    for (const writer of writers) await send(writer, reader, { content: `From ${writer.name}` });
    const [first] = writers as [Caller];
    await send(first, reader, { content: 'Me again' });

    const { body } = await market.get('/messages?limit=2', reader);
    expect(body.count).toBe(2);
    expect(body.data[0]).toMatchObject({
      user: { _id: first.id, name: first.name, role: 'consumer' },
      lastMessage: { content: 'Me again', sender: first.id },
      unreadCount: 2,
    });
    const rest = await market.get(`/messages?limit=2&cursor=${body.nextCursor}`, reader);
    expect(rest.body.nextCursor).toBeNull();
    const people = [...body.data, ...rest.body.data].map((row) => row.user._id);
    expect(new Set(people)).toEqual(new Set(writers.map(({ id }) => id)));
    expect(people).toHaveLength(3);

    expect((await market.get('/messages?cursor=abc', reader)).status).toBe(400);
    expect((await market.get('/messages')).status).toBe(401);
  });

  it('counts every message when both write at the same time', async () => {
    const [one, other] = await Promise.all([market.join('consumer'), market.join('farmer')]);
    await send(one, other);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? send(one, other) : send(other, one))),
    );
    expect(await unreadOf(other, one)).toBe(11);
    expect(await unreadOf(one, other)).toBe(10);
    const thread = await market.get(`/messages/${one.id}`, other);
    const times = thread.body.data.map((message: { createdAt: string }) => message.createdAt);
    expect(times).toEqual([...new Set(times)].sort());
  });
});

describe('the count of unread messages', () => {
  it('covers all conversations on every page of the list', async () => {
    const reader = await market.join('consumer');
    const { db } = market.platform;
    const people = await db.user.createManyAndReturn({
      data: Array.from({ length: 150 }, (_, index) => ({
        name: `Writer ${index}`,
        email: `writer-${randomUUID()}@farmgate.test`,
        passwordHash: '',
        role: 'farmer' as const,
      })),
    });
    const messages = people.map(({ id }) => ({
      id: randomUUID(),
      senderId: id,
      receiverId: reader.id,
      content: 'Hello',
    }));
    await db.message.createMany({ data: messages });
    await db.conversation.createMany({
      data: messages.map(({ id, senderId }, index) => ({
        userId: reader.id,
        otherId: senderId,
        lastMessageId: id,
        lastMessageAt: new Date(),
        unreadCount: index < 149 ? 1 : 3,
      })),
    });
    const first = await market.get('/messages?limit=100', reader);
    expect(first.body.data).toHaveLength(100);
    expect(first.body.unreadCount).toBe(152);
    const rest = await market.get(`/messages?cursor=${first.body.nextCursor}`, reader);
    expect(rest.body.data).toHaveLength(50);
    expect(rest.body.unreadCount).toBe(152);
    const read = first.body.data[0];
    await market.call('PUT', `/messages/read/${read.user._id}`, { as: reader });
    const after = await market.get('/messages?limit=1', reader);
    expect(after.body.unreadCount).toBe(152 - read.unreadCount);
  });
});

describe('a thread', () => {
  it('returns the newest messages in time order, and earlier ones before a given one', async () => {
    const [one, other] = await Promise.all([market.join('consumer'), market.join('farmer')]);
    for (const content of ['a', 'b', 'c', 'd', 'e']) {
      await send(content === 'c' ? other : one, content === 'c' ? one : other, { content });
    }
    const read = async (query: string) =>
      (await market.get(`/messages/${other.id}${query}`, one)).body;
    const texts = (body: { data: { content: string }[] }) => body.data.map((row) => row.content);

    const newest = await read('?limit=2');
    expect(texts(newest)).toEqual(['d', 'e']);
    expect(newest).toMatchObject({ user: { _id: other.id, role: 'farmer' }, mayWrite: true });
    const earlier = await read(`?limit=2&before=${newest.nextCursor}`);
    expect(texts(earlier)).toEqual(['b', 'c']);
    const first = await read(`?limit=2&before=${earlier.nextCursor}`);
    expect([texts(first), first.nextCursor]).toEqual([['a'], null]);
    expect(texts(await read(''))).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('is empty with an allowed person and 404 with anybody else', async () => {
    const [one, other] = await Promise.all([market.join('consumer'), market.join('farmer')]);
    const { body } = await market.get(`/messages/${other.id}`, one);
    expect(body).toMatchObject({ data: [], count: 0, nextCursor: null, mayWrite: true });
    for (const id of [randomUUID(), consumer.id, one.id, 'nobody']) {
      expect((await market.get(`/messages/${id}`, one)).status).toBe(404);
    }
    const foreign = await send(consumer, farmer);
    const before = await market.get(`/messages/${other.id}?before=${foreign.body.data._id}`, one);
    expect(before.status).toBe(404);
    expect((await market.get(`/messages/${other.id}?limit=101`, one)).status).toBe(400);
    expect((await market.get(`/messages/${other.id}`)).status).toBe(401);
  });
});

describe('reading', () => {
  it('marks what the other person wrote, sends one event to both, and leaves the rest unread', async () => {
    const [writer, reader, third] = await Promise.all([
      market.join('consumer'),
      market.join('farmer'),
      market.join('consumer'),
    ]);
    await send(writer, reader);
    await send(third, reader);
    const receipts: unknown[] = [];
    const socket = await market.connect({ token: writer.token });
    socket.on('messages.read', ({ data }) => receipts.push(data));

    const mark = () => market.put(`/messages/read/${writer.id}`, reader, {});
    const { status, body } = await mark();
    expect([status, body.data]).toMatchObject([200, { reader: reader.id, sender: writer.id }]);
    expect((await mark()).status).toBe(200);
    // A message after the repeat shows that the repeat itself notified nobody.
    const received = new Promise((resolve) => socket.once('message.created', resolve));
    await send(writer, reader);
    await received;
    expect(receipts).toEqual([body.data]);
    expect(await unreadOf(reader, writer)).toBe(1);
    expect(await unreadOf(reader, third)).toBe(1);
    const thread = await market.get(`/messages/${reader.id}`, writer);
    expect(thread.body.data.map((row: { isRead: boolean }) => row.isRead)).toEqual([true, false]);
  });

  it('requires a session and an existing person', async () => {
    expect((await market.call('PUT', `/messages/read/${consumer.id}`)).status).toBe(401);
    const unknown = await market.call('PUT', `/messages/read/${randomUUID()}`, { as: consumer });
    expect(unknown.status).toBe(404);
  });
});

it('returns to the gateway who may receive typing events', async () => {
  const { platform } = market;
  expect(await messageableRole(platform, consumer, farmer.id)).toBe('farmer');
  expect(await messageableRole(platform, consumer, consumer.id)).toBeUndefined();
  expect(await messageableRole(platform, consumer, randomUUID())).toBeUndefined();
});
