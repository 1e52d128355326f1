import { randomUUID } from 'node:crypto';
import { io } from 'socket.io-client';
import { describe, expect, it } from 'vitest';
import { SOCKET_LIMITS } from '#contract/platform/events/constants';
import type { Envelope } from '#contract/platform/events/socket';
import { scaled, until } from '../../../testing/until.ts';
import { record } from '../../platform/events/event-log.ts';
import {
  type Caller,
  closeAfter,
  startTestMarket,
  type TestMarket,
  type TestSocket,
} from '../../testing/market.ts';
import { closedBecause, connectionsOf, listen, named, publicEvent } from './testing/connections.ts';

const market = closeAfter(await startTestMarket());

const { write, refusalOf, tokenEndingIn, secondProcess } = connectionsOf(() => market);

/**
 * Lets a process wait for Redis for as long as a busy machine may let it: what is to be relayed is given up where Redis
 * does not answer in time.
 */
function waitForRedis({ redis }: Pick<TestMarket['platform'], 'redis'>): void {
  const { withDeadline } = redis;
  redis.withDeadline = (command) => withDeadline(command, 60_000);
}

describe('several processes', () => {
  it('relay typing, presence and who is connected to each other; sessions end in all of them', async () => {
    const second = await secondProcess();
    for (const { platform } of [market, second]) waitForRedis(platform);
    const [consumer, farmer, admin] = await Promise.all([
      market.join('consumer'),
      market.join('farmer'),
      market.join('admin'),
    ]);
    const here = await market.connect({ token: farmer.token });
    const office = await market.connect({ token: admin.token });
    const toAdmin = listen(office);
    const toFarmer = listen(here);
    // Admins may ask of anyone.
    office.emit('presence.watch', { userIds: [consumer.id] });
    await until(() => named(toAdmin, 'presence.changed').length === 1);
    expect(named(toAdmin, 'presence.changed')[0]?.data).toEqual({
      userId: consumer.id,
      online: false,
      lastSeenAt: null,
    });

    const there: TestSocket = io(second.url, {
      auth: { token: consumer.token },
      transports: ['websocket'],
      reconnection: false,
    });
    await new Promise<void>((resolve) => there.once('synced', () => resolve()));
    await until(() => named(toAdmin, 'presence.changed').some(({ data }) => data.online === true));
    await until(() =>
      named(toAdmin, 'connected.changed').some(
        ({ data }) => data.consumer >= 1 && data.farmer >= 1 && data.admin >= 1,
      ),
    );

    there.emit('typing', { to: farmer.id, isTyping: true });
    await until(() => named(toFarmer, 'typing').length === 1);
    expect(named(toFarmer, 'typing')[0]?.data).toEqual({ from: consumer.id, isTyping: true });
    // A farmer may not write to a consumer who never wrote or ordered, so typing is not sent either.
    const toConsumer = listen(there);
    here.emit('typing', { to: consumer.id, isTyping: true });

    const closed = closedBecause(there);
    await market.platform.db.$transaction(async (tx) => {
      await tx.user.update({
        where: { id: consumer.id },
        data: { tokenVersion: { increment: 1 } },
      });
      await record(tx, { name: 'session.changed', data: { _id: consumer.id }, rooms: [] });
    });
    void market.platform.eventLog.sequence();
    expect(await closed).toBe('io server disconnect');
    expect(named(toConsumer, 'typing')).toEqual([]);
    expect((await refusalOf({ token: consumer.token })).message).toBe('Unauthorized');
    expect((await refusalOf({ token: consumer.token }, second.url)).message).toBe('Unauthorized');

    const gone = await until(() =>
      named(toAdmin, 'presence.changed').find(
        ({ data }) => !data.online && data.lastSeenAt !== null,
      ),
    );
    expect(gone.data.userId).toBe(consumer.id);
    await second.close();
  });
});

describe('presence', () => {
  const watch = (socket: TestSocket, ...userIds: string[]) =>
    socket.emit('presence.watch', { userIds });
  const usersIn = (received: Envelope[]) =>
    named(received, 'presence.changed').map(({ data }) => (data as { userId: string }).userId);

  it('is sent of those whom one may write to, and of nobody else', async () => {
    const [consumer, customer, farmer, otherFarmer, admin] = await Promise.all([
      market.join('consumer'),
      market.join('consumer'),
      market.join('farmer'),
      market.join('farmer'),
      market.join('admin'),
    ]);
    const body = { receiver: farmer.id, content: 'Are the carrots sweet?' };
    await market.post('/messages', customer, body);
    const everyone = [consumer, customer, farmer, otherFarmer, admin].map(({ id }) => id);
    // Whom each of them may write to as well: that these are answered shows that the list is.
    const [knownFarmer, knownCustomer] = [
      await market.join('farmer'),
      await market.join('consumer'),
    ];
    for (const { id: receiver } of [farmer, otherFarmer]) {
      await market.post('/messages', knownCustomer, { ...body, receiver });
    }
    const allowed = async (as: Caller) => {
      const known = (as.role === 'farmer' ? knownCustomer : knownFarmer).id;
      const socket = await market.connect({ token: as.token });
      const received = listen(socket);
      watch(socket, ...everyone, known, randomUUID());
      await until(() => usersIn(received).includes(known));
      // What is answered is sent at once, before this event.
      await write(publicEvent());
      await until(() => named(received, 'category.changed').length === 1);
      socket.disconnect();
      return new Set(usersIn(received).filter((id) => id !== known));
    };
    expect(await allowed(consumer)).toEqual(new Set([farmer.id, otherFarmer.id]));
    expect(await allowed(farmer)).toEqual(new Set([customer.id]));
    expect(await allowed(otherFarmer)).toEqual(new Set());
    expect(await allowed(admin)).toEqual(new Set(everyone.filter((id) => id !== admin.id)));
  });

  it('of somebody one may not write to is not sent when they connect either', async () => {
    const [watcher, someone] = await Promise.all([
      market.join('consumer'),
      market.join('consumer'),
    ]);
    const socket = await market.connect({ token: watcher.token });
    const received = listen(socket);
    watch(socket, someone.id);
    const farmer = await market.join('farmer');
    const customer = await market.connect({ token: someone.token });
    await market.connect({ token: farmer.token });
    watch(socket, someone.id, farmer.id);
    await until(() => usersIn(received).includes(farmer.id));
    customer.disconnect();
    await market.connect({ token: someone.token });
    await write(publicEvent());
    await until(() => named(received, 'category.changed').length === 1);
    expect(usersIn(received)).not.toContain(someone.id);
    socket.disconnect();
  });

  it('answers a list as long as is allowed', async () => {
    const farmers = await Promise.all(Array.from({ length: 3 }, () => market.join('farmer')));
    const consumer = await market.join('consumer');
    const unknown = Array.from({ length: 197 }, () => randomUUID());
    const socket = await market.connect({ token: consumer.token });
    const received = listen(socket);
    watch(socket, ...unknown, ...farmers.map(({ id }) => id));
    await until(() => usersIn(received).length === 3);
    expect(new Set(usersIn(received))).toEqual(new Set(farmers.map(({ id }) => id)));
    socket.disconnect();
  });

  it('the list that came last counts', async () => {
    const [one, other] = await Promise.all([market.join('farmer'), market.join('farmer')]);
    const consumer = await market.join('consumer');
    const socket = await market.connect({ token: consumer.token });
    const received = listen(socket);
    for (let turn = 0; turn < 20; turn++) watch(socket, turn % 2 ? one.id : other.id);
    watch(socket, one.id);
    await until(() => usersIn(received).includes(one.id));
    received.length = 0;
    const [first, second] = [
      await market.connect({ token: other.token }),
      await market.connect({ token: one.token }),
    ];
    await until(() => usersIn(received).includes(one.id));
    expect(usersIn(received)).not.toContain(other.id);
    for (const each of [socket, first, second]) each.disconnect();
  });
});

describe('the limits', () => {
  it('end a connection with its token', async () => {
    const someone = await market.join('consumer');
    // It connects before the token ends.
    const lifeSeconds = Math.ceil(scaled(6000) / 1000);
    const socket = await market.connect({ token: await tokenEndingIn(someone, lifeSeconds) });
    expect(await closedBecause(socket)).toBe('io server disconnect');
  });

  it('cut a connection that sends too much at once or too often', async () => {
    const big = await market.connect();
    const cut = closedBecause(big);
    (big as unknown as { emit: (...args: unknown[]) => void }).emit('typing', {
      to: randomUUID(),
      isTyping: true,
      filler: 'x'.repeat(SOCKET_LIMITS.packetBytes),
    });
    expect(await cut).toMatch(/transport/);

    const often = await market.connect();
    const ended = closedBecause(often);
    for (let count = 1; count < SOCKET_LIMITS.messagesPerMinute; count++) {
      often.emit('products.watch', { productIds: [] });
    }
    await new Promise((resolve) => often.emit('products.watch', { productIds: [] }, resolve));
    often.emit('products.watch', { productIds: [] });
    expect(await ended).toBe('io server disconnect');
  });

  it('leave one person at most ten connections a process', async () => {
    const someone = await market.join('consumer');
    const attempts = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket: TestSocket = io(market.url, {
          auth: { token: someone.token },
          transports: ['websocket'],
          reconnection: false,
        });
        await new Promise<void>((resolve) => {
          for (const name of ['synced', 'connect_error', 'disconnect'] as const) {
            socket.once(name, () => resolve());
          }
        });
        return socket;
      }),
    );
    await until(
      () => attempts.filter((socket) => socket.connected).length === SOCKET_LIMITS.socketsPerUser,
    );
    expect((await refusalOf({ token: someone.token })).data).toEqual({
      code: 'TOO_MANY_CONNECTIONS',
    });
    for (const socket of attempts) socket.disconnect();
    await until(async () =>
      market.connect({ token: someone.token }).then(
        (socket) => socket.disconnect(),
        () => false,
      ),
    );
  });

  it('send everyone elsewhere when the process ends', async () => {
    const second = await secondProcess();
    const socket: TestSocket = io(second.url, { transports: ['websocket'], reconnection: false });
    await new Promise<void>((resolve) => socket.once('synced', () => resolve()));
    const closed = closedBecause(socket);
    await second.close();
    // Not 'io server disconnect': after this reason a client comes back by itself.
    expect(await closed).toBe('transport close');
  });
});
