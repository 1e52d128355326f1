import { randomUUID } from 'node:crypto';
import { io } from 'socket.io-client';
import { expect, it } from 'vitest';
import type { Envelope } from '#contract/platform/events/socket';
import { RELEASE } from '../../platform/process/release.ts';
import { closeAfter, startTestMarket } from '../../testing/market.ts';
import { connectionsOf, eventFor, publicEvent } from './testing/connections.ts';

const market = closeAfter(await startTestMarket());

const { write, reconnect, secondProcess } = connectionsOf(() => market);
const head = () => market.platform.eventLog.head();
const epoch = () => market.platform.eventLog.epoch();

it('sends the epoch of the log to visitors and to people who are signed in', async () => {
  const someone = await market.join('consumer');
  const data = { seq: await head(), epoch: await epoch() };
  expect(await reconnect({})).toMatchObject([{ name: 'synced', data }]);
  expect(await reconnect({ token: someone.token })).toMatchObject([{ name: 'synced', data }]);
});

it('replays after a number of the same epoch, in upper case too', async () => {
  const someone = await market.join('consumer');
  const after = await head();
  await write(eventFor(someone), publicEvent());
  const own = await epoch();
  for (const named of [own, own.toUpperCase(), undefined]) {
    const received = await reconnect({
      token: someone.token,
      after,
      ...(named && { epoch: named }),
    });
    expect(received.map(({ name }) => name)).toEqual([
      'category.changed',
      'category.changed',
      'synced',
    ]);
  }
});

it('replays nothing after a number of another epoch', async () => {
  const someone = await market.join('consumer');
  const after = await head();
  await write(eventFor(someone));
  const resync = [{ name: 'resync', data: { seq: after + 1, epoch: await epoch() } }];
  const foreign = { after, epoch: randomUUID() };
  expect(await reconnect({ token: someone.token, ...foreign })).toMatchObject(resync);
  expect(await reconnect(foreign)).toMatchObject(resync);
  // Also when it names no number, or the head itself.
  expect(await reconnect({ epoch: randomUUID() })).toMatchObject(resync);
  expect(await reconnect({ after: after + 1, epoch: randomUUID() })).toMatchObject(resync);
});

it('refuses an epoch that is no id', async () => {
  await expect(reconnect({ after: 0, epoch: 'yesterday' })).rejects.toThrow('expected form');
});

it('starts over for everybody once a restore has named another epoch', async () => {
  const someone = await market.join('consumer');
  const before = { after: await head(), epoch: await epoch() };
  await market.platform.pool.query('UPDATE event_epoch SET epoch = gen_random_uuid()');
  // As after a restore, the server starts then.
  const restarted = await secondProcess();
  try {
    const socket = io(restarted.url, {
      auth: { token: someone.token, ...before },
      transports: ['websocket'],
      reconnection: false,
    });
    const position = await new Promise<Envelope<'resync'>>((resolve) =>
      socket.once('resync', resolve),
    );
    socket.disconnect();
    const own = { epoch: await epoch(), release: RELEASE };
    expect(position.data).toEqual({ seq: before.after, ...own });
    expect(position.data.epoch).not.toBe(before.epoch);
  } finally {
    await restarted.close();
  }
});
