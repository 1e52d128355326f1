import { beforeEach, describe, expect, it } from 'vitest';
import { FarmSchedule, PossibleDay } from '#contract/farm/schedule/schedule';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import { hire } from '../../testing/staff.ts';

const BERLIN = 'Europe/Berlin';

let farmer: Caller;

const market = closeAfter(await startTestMarket({ MARKET_TIME_ZONE: 'Asia/Karachi' }));
beforeEach(async () => {
  farmer = await market.join('farmer');
  await saveFarm({ timeZone: BERLIN });
});

const saveFarm = (over: Record<string, unknown>) =>
  market.put('/users/farmers/profile', farmer, {
    farmName: 'Green Valley',
    description: 'Good soil.',
    ...over,
  });
const save = (body: Record<string, unknown>, as = farmer) => market.put('/farm/schedule', as, body);
const read = async (as = farmer): Promise<FarmSchedule> =>
  (await market.get('/farm/schedule', as)).body.data;
const days = async (query = ''): Promise<PossibleDay[]> =>
  (await market.get(`/users/farmers/${farmer.id}/days${query}`)).body.data;

const today = () => dayIn(BERLIN);
const closed = (...offsets: number[]) =>
  offsets.map((offset) => ({ date: addDays(today(), offset), skip: true }));

describe("a farm's schedule", () => {
  it('begins without a cut-off and closed days, with a reminder', async () => {
    expect(FarmSchedule.parse(await read())).toEqual({
      mode: 'notice',
      cutoff: null,
      exceptions: [],
      atCutoff: 'remind',
      bookableDays: 56,
      version: 1,
    });
  });

  it('keeps what is left out, sorts its days and grows its version', async () => {
    const cutoff = { daysBefore: 1, time: '18:00' };
    const { status, body } = await save({ mode: 'notice', cutoff, exceptions: closed(9, 3) });
    expect([status, body.data]).toEqual([
      200,
      {
        mode: 'notice',
        cutoff,
        exceptions: closed(3, 9),
        atCutoff: 'remind',
        bookableDays: 56,
        version: 2,
      },
    ]);
    await save({ atCutoff: 'reject', bookableDays: 90 });
    expect(await read()).toEqual({
      ...body.data,
      atCutoff: 'reject',
      bookableDays: 90,
      version: 3,
    });
    await save({ cutoff: null, exceptions: [] });
    expect(await read()).toMatchObject({ bookableDays: 90 });
    expect(await read()).toMatchObject({ cutoff: null, exceptions: [], atCutoff: 'reject' });
  });

  it('reaches the public answers at once, and everyone connected', async () => {
    const socket = await market.connect();
    const received = new Promise((resolve) => socket.once('farmer.updated', resolve));
    await save({ cutoff: { daysBefore: 2, time: '12:00' }, exceptions: closed(3, 100) });
    expect(await received).toMatchObject({ data: { _id: farmer.id } });
    const { body } = await market.get(`/users/farmers/${farmer.id}`);
    expect(body.data.handoff).toMatchObject({
      cutoff: { daysBefore: 2, time: '12:00' },
      closedDays: [closed(3)[0]?.date],
      timeZone: BERLIN,
    });
    const { body: list } = await market.get('/users/farmers');
    const card = list.data.find(({ _id }: { _id: string }) => _id === farmer.id);
    expect(card.handoff).toEqual(body.data.handoff);
  });

  it('drops closed days that are over by themselves', async () => {
    await save({ exceptions: closed(3) });
    const over = addDays(today(), -1);
    await market.platform.db.farmerProfile.update({
      where: { userId: farmer.id },
      data: { closedDays: [new Date(over), new Date(addDays(today(), 3))] },
    });
    expect((await read()).exceptions).toEqual(closed(3));
    // Midnight came while somebody edited: what was listed is not refused.
    const { status, body } = await save({ exceptions: [...closed(-1), ...closed(4)] });
    expect([status, body.data.exceptions]).toEqual([200, closed(4)]);
    const row = await market.platform.db.farmerProfile.findUniqueOrThrow({
      where: { userId: farmer.id },
    });
    expect(row.closedDays).toHaveLength(1);
  });

  it.each([
    [
      'a negative number of days',
      { cutoff: { daysBefore: -1, time: '18:00' } },
      'cutoff.daysBefore',
    ],
    ['half a day', { cutoff: { daysBefore: 0.5, time: '18:00' } }, 'cutoff.daysBefore'],
    ['fifteen days', { cutoff: { daysBefore: 15, time: '18:00' } }, 'cutoff.daysBefore'],
    ['a time that is none', { cutoff: { daysBefore: 1, time: '24:00' } }, 'cutoff.time'],
    ['no time', { cutoff: { daysBefore: 1 } }, 'cutoff.time'],
    ['no days ahead', { bookableDays: 0 }, 'bookableDays'],
    ['more than a year ahead', { bookableDays: 367 }, 'bookableDays'],
    ['half a day ahead', { bookableDays: 1.5 }, 'bookableDays'],
    ['an unknown mode', { mode: 'windows' }, 'mode'],
    ['an unknown outcome', { atCutoff: 'cancel' }, 'atCutoff'],
    ['a day that is over', { exceptions: closed(5, -1) }, 'exceptions.1.date'],
    ['a day beyond two years', { exceptions: closed(732) }, 'exceptions.0.date'],
    ['a day twice', { exceptions: closed(5, 6, 5) }, 'exceptions.2.date'],
    [
      'a day that is none',
      { exceptions: [{ date: '2026-02-30', skip: true }] },
      'exceptions.0.date',
    ],
    [
      'a day that is not skipped',
      { exceptions: [{ date: '2030-01-01', skip: false }] },
      'exceptions.0.skip',
    ],
    [
      'more than 400 days',
      { exceptions: closed(...Array.from({ length: 401 }, (_, at) => at)) },
      'exceptions',
    ],
  ])('refuses %s by its field', async (_, body, path) => {
    const answer = await save(body);
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, path]);
    expect((await read()).version).toBe(1);
  });

  it('takes 400 closed days, from today to two years ahead', async () => {
    const offsets = [0, 731, ...Array.from({ length: 398 }, (_, at) => at + 1)];
    const { status, body } = await save({ exceptions: closed(...offsets) });
    expect([status, body.data.exceptions.length]).toEqual([200, 400]);
  });

  it('refuses a cut-off that comes after closing time on every day', async () => {
    await saveFarm({
      businessHours: {
        friday: { open: '15:00', close: '18:00' },
        saturday: { open: '08:00', close: '14:00' },
      },
    });
    const { status, body } = await save({ cutoff: { daysBefore: 0, time: '18:01' } });
    expect([status, body.errors]).toEqual([
      400,
      [
        {
          path: 'cutoff.time',
          message:
            'By then the farm is closed: it closes at 6:00 PM at the latest. Choose an earlier time.',
        },
      ],
    ]);
    expect((await save({ cutoff: { daysBefore: 0, time: '16:00' } })).status).toBe(200);
    expect((await save({ cutoff: { daysBefore: 1, time: '23:00' } })).status).toBe(200);
    // Hours that change later do not keep the rest of a schedule from being saved.
    await save({ cutoff: { daysBefore: 0, time: '18:00' } });
    await saveFarm({ businessHours: { friday: { open: '', close: '' } } });
    expect((await save({ exceptions: closed(3) })).status).toBe(200);
  });

  it('of another version is not overwritten', async () => {
    await save({ atCutoff: 'accept' });
    const { status, body } = await save({ atCutoff: 'reject', expectedVersion: 1 });
    expect([status, body.code, body.data]).toEqual([409, 'VERSION_CONFLICT', await read()]);
    const both = await Promise.all(
      [1, 2].map((daysBefore) =>
        save({ cutoff: { daysBefore, time: '18:00' }, expectedVersion: 2 }),
      ),
    );
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 409]);
    expect((await save({ atCutoff: 'remind', expectedVersion: 3 })).status).toBe(200);
  });

  it('does not make an edit of the profile fail, nor the other way round', async () => {
    const { body } = await market.get(`/users/farmers/${farmer.id}`);
    await save({ atCutoff: 'accept' });
    const profile = await saveFarm({ expectedVersion: body.data.profile.version });
    expect(profile.status).toBe(200);
    expect((await save({ atCutoff: 'reject', expectedVersion: 2 })).status).toBe(200);
  });

  it('is read by everyone of the farm, and changed by those whose role says so', async () => {
    const packer = await hire(market, farmer, 'packer');
    const manager = await hire(market, farmer, 'manager');
    expect((await save({ atCutoff: 'accept' }, manager)).status).toBe(200);
    expect((await save({ atCutoff: 'reject' }, packer)).status).toBe(403);
    expect((await read(packer)).atCutoff).toBe('accept');
  });
});

describe('the possible days', () => {
  const hours = { open: '00:00', close: '00:00' };

  it('begin today and are those of 31 days', async () => {
    await saveFarm({ businessHours: { saturday: hours, sunday: hours } });
    const listed = PossibleDay.array().parse(await days());
    expect(listed.length).toBeGreaterThanOrEqual(8);
    expect(listed.every(({ date }) => date >= today() && date <= addDays(today(), 30))).toBe(true);
    expect(listed.every(({ open, close }) => open === '00:00' && close === '00:00')).toBe(true);
  });

  it('leave out closed days, and change with the schedule', async () => {
    const [from, to] = [addDays(today(), 2), addDays(today(), 4)];
    expect((await days(`?from=${from}&to=${to}`)).map(({ date }) => date)).toEqual([
      from,
      addDays(from, 1),
      to,
    ]);
    await save({ exceptions: closed(3), cutoff: { daysBefore: 3, time: '00:00' } });
    expect((await days(`?from=${from}&to=${to}`)).map(({ date }) => date)).toEqual([to]);
  });

  it('of the past are none, and ranges have 31 days at most', async () => {
    expect(await days(`?to=${addDays(today(), -1)}`)).toEqual([]);
    const from = today();
    for (const [query, status] of [
      [`?from=${from}&to=${addDays(from, 30)}`, 200],
      [`?from=${from}&to=${addDays(from, 31)}`, 400],
      [`?from=${from}&to=${addDays(from, -1)}`, 400],
      ['?from=tomorrow', 400],
      ['?from=2999-12-31', 200],
    ]) {
      const answer = await market.get(`/users/farmers/${farmer.id}/days${query}`);
      expect([query, answer.status]).toEqual([query, status]);
    }
  });

  it('are of farms alone', async () => {
    const consumer = await market.join('consumer');
    expect((await market.get(`/users/farmers/${consumer.id}/days`)).status).toBe(404);
  });
});
