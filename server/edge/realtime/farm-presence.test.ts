import { beforeEach, describe, expect, it } from 'vitest';
import type { Envelope } from '#contract/platform/events/socket';
import { until } from '../../../testing/until.ts';
import { type Caller, closeAfter, startTestMarket, type TestSocket } from '../../testing/market.ts';
import { hire } from '../../testing/staff.ts';
import { listen, named } from './testing/connections.ts';

// A farm is online while any of its people is who may write for it; nobody learns which of them.

let farm: Caller;
let buyer: TestSocket;
let received: Envelope[];

const market = closeAfter(await startTestMarket());
const consumer = await market.join('consumer');
beforeEach(async () => {
  farm = await market.join('farmer');
  buyer = await market.connect({ token: consumer.token });
  received = listen(buyer);
});

const changes = () =>
  named(received, 'presence.changed').map(
    ({ data }) => data as { userId: string; online: boolean },
  );
const lastChange = () => changes().at(-1);
const watch = async (...userIds: string[]) => {
  const before = changes().length;
  buyer.emit('presence.watch', { userIds });
  await until(() => changes().length > before);
};
const come = ({ token }: Caller) => market.connect({ token });

describe('the presence of a farm', () => {
  it('is that of anybody who may write for it, the founder or another', async () => {
    const seller = await hire(market, farm, 'seller');
    await watch(farm.id);
    expect(lastChange()).toMatchObject({ userId: farm.id, online: false });

    const ann = await come(seller);
    await until(() => lastChange()?.online === true);
    // The founder comes and goes, and the farm stays online.
    const before = changes().length;
    const founder = await come(farm);
    founder.disconnect();
    await watch(farm.id);
    expect(changes().slice(before)).toEqual([expect.objectContaining({ online: true })]);

    ann.disconnect();
    await until(() => lastChange()?.online === false);
    expect(lastChange()).toMatchObject({ userId: farm.id, lastSeenAt: expect.any(String) });
    expect(new Set(changes().map(({ userId }) => userId))).toEqual(new Set([farm.id]));
  });

  it('is not that of people who may not write', async () => {
    const packer = await hire(market, farm, 'packer');
    await come(packer);
    await watch(farm.id);
    expect(lastChange()?.online).toBe(false);
  });

  it('never goes off for others when somebody is back before it was announced', async () => {
    await watch(farm.id);
    const first = await come(farm);
    await until(() => lastChange()?.online === true);
    const { pool } = market.platform;
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [farm.id]);
    first.disconnect();
    // The time they were seen last is being written.
    await until(async () => {
      const { rows } = await pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    const second = await come(farm);
    await holder.query('COMMIT');
    holder.release();
    second.disconnect();
    await until(() => lastChange()?.online === false);
    expect(changes().map(({ online }) => online)).toEqual([false, true, false]);
  });

  it('ends with the right to write, and comes with it', async () => {
    const ann = await hire(market, farm, 'seller');
    const setRole = (role: string) => market.put(`/farm/members/${ann.memberId}`, farm, { role });
    const socket = await come(ann);
    await watch(farm.id);
    expect(lastChange()?.online).toBe(true);
    const closed = new Promise((resolve) => socket.once('disconnect', resolve));
    await setRole('packer');
    await closed;
    await until(() => lastChange()?.online === false);

    // The client connects again by itself.
    const again = await come(ann);
    await watch(farm.id);
    expect(lastChange()?.online).toBe(false);
    const closedAgain = new Promise((resolve) => again.once('disconnect', resolve));
    await setRole('manager');
    await closedAgain;
    await come(ann);
    await until(() => lastChange()?.online === true);
  });

  it('goes on when the founder leaves for good', async () => {
    const second = await hire(market, farm, 'owner');
    await come(second);
    await come(farm);
    await watch(farm.id);
    expect(lastChange()?.online).toBe(true);
    const { body } = await market.get('/farm/members', farm);
    const own = body.data.find(({ isFounder }: { isFounder: boolean }) => isFounder)._id;
    const left = await market.delete(`/farm/members/${own}`, farm);
    expect(left.status).toBe(200);
    await watch(farm.id);
    expect(lastChange()?.online).toBe(true);
  });
});
