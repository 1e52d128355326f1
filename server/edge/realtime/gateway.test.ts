import { randomUUID } from 'node:crypto';
import { io } from 'socket.io-client';
import { describe, expect, it } from 'vitest';
import { LOGGED_EVENT_NAMES, parseEnvelope } from '#contract/app/registry';
import { REPLAY_MAX, room } from '#contract/platform/events/constants';
import type { Envelope } from '#contract/platform/events/socket';
import { until } from '../../../testing/until.ts';
import type { NewEvent } from '../../platform/events/event-log.ts';
import { closeAfter, makeCategory, productInput, startTestMarket } from '../../testing/market.ts';
import {
  connectionsOf,
  dataIds,
  eventFor,
  listen,
  named,
  publicEvent,
} from './testing/connections.ts';

const market = closeAfter(await startTestMarket());

const { write, reconnect, refusalOf, tokenEndingIn, secondProcess } = connectionsOf(() => market);

describe('the handshake', () => {
  it('lets a visitor in and says up to where they are complete', async () => {
    const received = await reconnect({});
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      name: 'synced',
      data: { seq: await market.platform.eventLog.head() },
    });
    expect(received[0]).not.toHaveProperty('seq');
  });

  it('refuses a token that is bad, foreign, expired or revoked', async () => {
    const someone = await market.join('consumer');
    const revoked = await market.join('consumer');
    await market.platform.db.user.update({
      where: { id: revoked.id },
      data: { tokenVersion: { increment: 1 } },
    });
    market.platform.sessions.invalidate(revoked.id);
    const tokens = [
      'nonsense',
      '',
      await tokenEndingIn(someone, 60, 'another secret of at least 32 characters'),
      await tokenEndingIn(someone, -10),
      revoked.token,
    ];
    for (const token of tokens) {
      const refusal = await refusalOf({ token });
      expect(refusal.message).toBe('Unauthorized');
      expect(refusal.data).toEqual({ code: 'UNAUTHORIZED' });
    }
  });

  it('refuses what is not of its form', async () => {
    for (const auth of [{ token: 7 }, { after: -1 }, { after: 'first' }, { after: 1.5 }]) {
      expect((await refusalOf(auth)).data).toEqual({ code: 'INVALID' });
    }
  });

  it('refuses a browser that shows another page, and lets its own in', async () => {
    const attempt = (origin: string) => {
      const socket = io(market.url, {
        transports: ['websocket'],
        reconnection: false,
        extraHeaders: { origin },
      });
      return new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true));
        socket.once('connect_error', () => resolve(false));
      }).finally(() => socket.disconnect());
    };
    const own = new URL(market.env.PUBLIC_URL).origin;
    expect(await attempt(own)).toBe(true);
    expect(await attempt(own.replace('localhost', '127.0.0.1'))).toBe(true);
    for (const other of ['https://evil.test', `${own}1`, 'null', 'http://localhost:5173']) {
      expect(await attempt(other)).toBe(false);
    }
  });

  it('works over polling too', async () => {
    const socket = io(market.url, { transports: ['polling'], reconnection: false });
    const synced = await new Promise<Envelope>((resolve) => socket.once('synced', resolve));
    expect(synced.name).toBe('synced');
    socket.disconnect();
  });
});

describe('the rooms', () => {
  it('show each person what is theirs, in the form that REST gives', async () => {
    const [writer, reader, stranger, admin] = await Promise.all([
      market.join('consumer'),
      market.join('farmer'),
      market.join('consumer'),
      market.join('admin'),
    ]);
    const sockets = await Promise.all([
      market.connect({ token: writer.token }),
      market.connect({ token: reader.token }),
      market.connect({ token: stranger.token }),
      market.connect({ token: admin.token }),
      market.connect(),
    ]);
    const [toWriter, toReader, ...toOthers] = sockets.map(listen);
    const { status, body } = await market.post('/messages', writer, {
      receiver: reader.id,
      content: 'Are there plums?',
    });
    expect(status).toBe(201);
    for (const received of [toWriter ?? [], toReader ?? []]) {
      const [event] = await until(() => {
        const messages = named(received, 'message.created');
        return messages.length > 0 ? messages : null;
      });
      expect(event?.data).toEqual(body.data);
      expect(event?.seq).toBeGreaterThan(0);
      expect(parseEnvelope('message.created', event)).toEqual(event);
    }
    await write(publicEvent());
    for (const received of toOthers) {
      await until(() => named(received, 'category.changed').length === 1);
      expect(named(received, 'message.created')).toEqual([]);
    }
    for (const socket of sockets) socket.disconnect();
  });

  it('cannot be chosen by a client', async () => {
    const [victim, watcher] = await Promise.all([market.join('consumer'), market.join('consumer')]);
    const socket = await market.connect({ token: watcher.token });
    const received = listen(socket);
    const send = socket as unknown as { emit: (...args: unknown[]) => void };
    send.emit('products.watch', { productIds: [room.user(victim.id)] });
    send.emit('presence.watch', { userIds: [room.admins] });
    send.emit('join', room.user(victim.id));
    send.emit('order.created', { rooms: [room.user(victim.id)] });
    send.emit('products.watch', null);
    send.emit('typing', 'x');
    await write(eventFor(victim));
    await write(publicEvent());
    await until(() => received.length > 0);
    expect(named(received, 'category.changed')).toHaveLength(1);
    socket.disconnect();
  });

  it('of products are joined on request, with the versions of that moment', async () => {
    const farmer = await market.join('farmer');
    const category = await makeCategory(market.platform);
    const make = async () =>
      (await market.post('/products', farmer, productInput(category))).body.data._id as string;
    const [watched, other, gone] = [await make(), await make(), randomUUID()];
    const socket = await market.connect();
    const versions = await new Promise((resolve) =>
      socket.emit('products.watch', { productIds: [watched, gone] }, resolve),
    );
    expect(versions).toEqual({ [watched]: 1 });
    const received = listen(socket);
    const rename = (id: string, name: string) =>
      market.put(`/products/${id}`, farmer, productInput(category, { name }));
    await rename(other, 'Unwatched');
    await rename(watched, 'Watched');
    const [event] = await until(() => {
      const events = named(received, 'product.updated');
      return events.length > 0 ? events : null;
    });
    expect(event?.data).toMatchObject({ _id: watched, name: 'Watched', version: 2 });
    await new Promise((resolve) => socket.emit('products.watch', { productIds: [other] }, resolve));
    await rename(watched, 'No longer watched');
    await rename(other, 'Watched instead');
    await until(() => named(received, 'product.updated').length === 2);
    expect(named(received, 'product.updated').map(({ data }) => data)).toMatchObject([
      { name: 'Watched' },
      { name: 'Watched instead' },
    ]);
    socket.disconnect();
  });
});

describe('coming back', () => {
  it('brings what one may see of what was missed, in order, once', async () => {
    const [one, other] = await Promise.all([market.join('consumer'), market.join('consumer')]);
    const after = await market.platform.eventLog.head();
    const mine = [publicEvent(), eventFor(one), publicEvent(), eventFor(one)];
    await write(mine[0] as NewEvent, eventFor(other), mine[1] as NewEvent);
    await write(eventFor(other), mine[2] as NewEvent, mine[3] as NewEvent);
    const received = await reconnect({ token: one.token, after });
    expect(received.at(-1)).toMatchObject({ name: 'synced', data: { seq: after + 6 } });
    const events = received.slice(0, -1);
    expect(dataIds(events)).toEqual(mine.map(({ data }) => (data as { _id: string })._id));
    expect(events.map(({ seq }) => seq)).toEqual([after + 1, after + 3, after + 5, after + 6]);
    const again = await reconnect({ token: one.token, after });
    expect(again.map(({ id }) => id).slice(0, -1)).toEqual(events.map(({ id }) => id));
    expect(await reconnect({ token: one.token, after: after + 6 })).toHaveLength(1);
  });

  it('starts over after more than can be replayed, and after what is no longer kept', async () => {
    const someone = await market.join('consumer');
    const before = await market.platform.eventLog.head();
    for (let batch = 0; batch < REPLAY_MAX / 100; batch++) {
      await write(...Array.from({ length: 100 }, () => eventFor(someone)));
    }
    const head = before + REPLAY_MAX;
    const most = await reconnect({ token: someone.token, after: before });
    expect(most).toHaveLength(REPLAY_MAX + 1);
    expect(most.at(-1)).toMatchObject({ name: 'synced', data: { seq: head } });

    await write(eventFor(someone));
    expect(await reconnect({ token: someone.token, after: before })).toMatchObject([
      { name: 'resync', data: { seq: head + 1 } },
    ]);
    // Another person has missed nothing by all that.
    expect(await reconnect({ after: before })).toMatchObject([
      { name: 'synced', data: { seq: head + 1 } },
    ]);
    // A number that no log ever gave, as after a database was put back.
    expect(await reconnect({ token: someone.token, after: head + 1000 })).toMatchObject([
      { name: 'resync', data: { seq: head + 1 } },
    ]);
  });

  it('reads the log where memory does not reach back, and says when the log does not either', async () => {
    const someone = await market.join('consumer');
    const before = await market.platform.eventLog.head();
    await write(eventFor(someone), publicEvent());
    // A process that started later remembers nothing of it.
    const second = await secondProcess();
    const back = async () => {
      const socket = io(second.url, {
        auth: { token: someone.token, after: before },
        transports: ['websocket'],
        reconnection: false,
      });
      const received: Envelope[] = [];
      socket.onAny((_, envelope) => received.push(envelope));
      await until(() => received.some(({ name }) => name === 'synced' || name === 'resync'));
      socket.disconnect();
      return received.map(({ name }) => name);
    };
    expect(await back()).toEqual(['category.changed', 'category.changed', 'synced']);
    await market.platform.pool.query(
      `UPDATE event_log SET at = now() - interval '8 days' WHERE seq <= $1`,
      [before + 1],
    );
    await market.platform.eventLog.prune(7);
    expect(await back()).toEqual(['resync']);
    await second.close();
  });

  it('misses and doubles nothing while events go on, however often the connection breaks', async () => {
    const someone = await market.join('consumer');
    let after = await market.platform.eventLog.head();
    const written: string[] = [];
    let isWriting = true;
    const writing = (async () => {
      while (isWriting) {
        const event = eventFor(someone);
        await write(event, publicEvent());
        written.push((event.data as { _id: string })._id);
      }
    })();
    const received: Envelope[] = [];
    // A busy machine may take longer to write than to connect.
    for (let turn = 0; turn < 25 || written.length <= 25; turn++) {
      const socket = io(market.url, {
        auth: { token: someone.token, after },
        transports: ['websocket'],
        reconnection: false,
      });
      socket.onAny((_, envelope: Envelope) => {
        if (envelope.seq === undefined) return;
        received.push(envelope);
        after = envelope.seq;
      });
      await new Promise((resolve) => socket.once('synced', resolve));
      // It breaks while events go on.
      const known = received.length;
      await until(() => received.length > known);
      socket.disconnect();
    }
    isWriting = false;
    await writing;
    const rest = await reconnect({ token: someone.token, after });
    received.push(...rest.filter(({ seq }) => seq !== undefined));
    const numbers = received.map(({ seq }) => seq);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => Number(a) - Number(b)));
    const seen = new Set(dataIds(received));
    expect(written.length).toBeGreaterThan(25);
    expect(written.filter((id) => !seen.has(id))).toEqual([]);
  });
});

describe('the contract', () => {
  it('has a form for every event that the log may hold', () => {
    const names = LOGGED_EVENT_NAMES;
    for (const name of names) {
      expect(() => parseEnvelope(name, { id: 'x', at: 'now', name, data: {} })).toThrow();
    }
    expect(names).toContain('order.created');
  });
});
