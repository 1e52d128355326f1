import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HealthReport } from '#contract/admin/health/health';
import { SLOT_DAYS_AHEAD } from '#contract/farm/slots/constants';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { judgeHealth } from '../server/admin/health/judge.ts';
import { measureHealth } from '../server/admin/health/measure.ts';
import { addNextSlots } from '../server/farm/slots/service.ts';
import { createOrderFixture, type OrderFixture } from '../server/ordering/testing/fixture.ts';
import { startHeartbeat } from '../server/platform/metrics/heartbeat.ts';
import { instantOf } from '../server/platform/time/clock.ts';
import { makePlace } from '../server/testing/slots.ts';
import { setClockWrong } from '../server/testing/wrong-clock.ts';
import { until } from '../testing/until.ts';
import { TASKS } from './housekeeping.ts';

const HOUR_MS = 3_600_000;
const BERLIN = 'Europe/Berlin';

describe.each([25, -25])('in a process whose clock is wrong by %d hours', (hours) => {
  let fixture: OrderFixture;
  let right: () => void;
  let today: string;
  beforeAll(async () => {
    fixture = await createOrderFixture();
    await fixture.call('PUT', '/users/farmers/profile', {
      as: fixture.farmer,
      body: { farmName: 'Green Valley', description: 'Good soil.', timeZone: BERLIN },
    });
    today = dayIn(BERLIN);
    right = setClockWrong(hours);
  });
  afterAll(async () => {
    right();
    await fixture.close();
    // An answer to what was asked by the wrong clock may have come after it was right.
    right();
  });

  it('housekeeping leaves what counts, and deletes what is over', async () => {
    const { db } = fixture.platform;
    const userId = fixture.consumer.id;
    const from = (age: number) => new Date(Date.now() - (hours + age) * HOUR_MS);
    const write = async (age: number) => {
      // Of a day, or an hour: over by an hour, or with an hour to go.
      const expiresAt = from(age);
      await db.command.create({
        data: {
          userId,
          key: randomUUID(),
          requestHash: '',
          status: 200,
          body: {},
          createdAt: from(24 + age),
        },
      });
      await db.session.updateMany({
        where: { userId: age > 0 ? fixture.admin.id : userId },
        data: { expiresAt },
      });
      await db.passwordReset.create({ data: { userId, tokenHash: randomUUID(), expiresAt } });
      await db.emailVerification.create({ data: { userId, tokenHash: randomUUID(), expiresAt } });
      await db.accountDeletionMail.create({
        data: { userId: randomUUID(), name: '', email: '', createdAt: from(24 + age) },
      });
      await db.upload.create({
        data: { ownerId: fixture.farmer.id, width: 1, height: 1, createdAt: from(24 + age) },
      });
      await db.timer.create({
        data: {
          key: randomUUID(),
          kind: 'stock.back',
          dueAt: from(200),
          doneAt: from(7 * 24 + age),
        },
      });
    };
    const count = () =>
      Promise.all([
        db.command.count(),
        db.session.count({ where: { userId: { in: [userId, fixture.admin.id] } } }),
        db.passwordReset.count({ where: { userId } }),
        db.emailVerification.count({ where: { userId, tokenHash: { contains: '-' } } }),
        db.accountDeletionMail.count(),
        db.upload.count(),
        db.timer.count({ where: { kind: 'stock.back' } }),
      ]);
    const before = await count();
    await write(-1);
    await write(1);
    const sessions = before[1];
    for (const task of Object.values(TASKS)) await task(fixture.platform);
    const after = await count();
    expect(after).toEqual(before.map((number, at) => (at === 1 ? sessions - 1 : number + 1)));
  });

  it('slots are made from the day that it is at the farm, and the next ones at its midnight', async () => {
    const { db } = fixture.platform;
    right();
    await makePlace(fixture, fixture.farmer);
    right = setClockWrong(hours);
    await db.slot.deleteMany({});
    await db.$transaction((tx) => addNextSlots(tx, fixture.farmer.id));
    const days = (await db.slot.findMany({ orderBy: { date: 'asc' } })).map(({ date }) =>
      date.toISOString().slice(0, 10),
    );
    expect([today, addDays(today, 1)]).toContain(days[0]);
    expect(days.at(-1)).toBe(addDays(today, SLOT_DAYS_AHEAD - 1));
    const timer = await db.timer.findFirstOrThrow({ where: { kind: 'slots.nextDay' } });
    expect(timer.dueAt).toEqual(instantOf({ date: addDays(today, 1) }, BERLIN));
  });

  it("days and closed days are those of the farm's today", async () => {
    const { db } = fixture.platform;
    const get = async (path: string) => (await fixture.call('GET', path)).body.data;
    const days = await get(`/users/farmers/${fixture.farmer.id}/days`);
    expect(days[0].date).toBe(today);
    await db.farmerProfile.update({
      where: { userId: fixture.farmer.id },
      data: { closedDays: [new Date(today), new Date(addDays(today, 1))] },
    });
    const { handoff } = await get(`/users/farmers/${fixture.farmer.id}`);
    expect(handoff.closedDays).toEqual([today, addDays(today, 1)]);
  });

  it('health says so, until the clock is right', async () => {
    const clocks = async (): Promise<HealthReport['checks'][number] | undefined> => {
      const report = judgeHealth(await measureHealth(fixture.platform), new Date());
      return report.checks.find(({ key }) => key === 'clocks');
    };
    const heartbeat = startHeartbeat(fixture.platform, 'workers');
    const wrong = await until(async () => {
      const check = await clocks();
      return check?.state === 'bad' ? check : undefined;
    });
    expect(wrong.value).toContain(
      `is 25 hours ${hours > 0 ? 'ahead of' : 'behind'} the database's. Set the time of this machine.`,
    );
    await heartbeat.close();
    right();
    const second = startHeartbeat(fixture.platform, 'workers');
    await until(async () => (await clocks())?.state === 'good');
    await second.close();
    right = setClockWrong(hours);
  });
});
