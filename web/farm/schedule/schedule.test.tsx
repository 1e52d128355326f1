// @vitest-environment happy-dom

import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import type { FarmSchedule } from '#contract/farm/schedule/schedule';
import { dayIn } from '#contract/platform/time/constants';
import { Providers } from '../../app/Providers.tsx';
import { countAnsweredAtOnce } from '../../ordering/model/answered-at-once.ts';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import {
  aToken,
  aUser,
  type Call,
  emptyList,
  type Reply,
  stubNetwork,
} from '../../platform/testing/network.ts';
import { anOrder } from '../../platform/testing/orders.ts';
import { SchedulePart } from './SchedulePart.tsx';
import {
  cutoffSentence,
  daysOf,
  formatRow,
  rowsOf,
  toChange,
  toScheduleInput,
  withDays,
} from './schedule-form.ts';

const closed = (...dates: string[]): FarmSchedule['exceptions'] =>
  dates.map((date) => ({ date, skip: true }));
const schedule = (over: Partial<FarmSchedule> = {}): FarmSchedule => ({
  mode: 'notice',
  cutoff: { daysBefore: 1, time: '18:00' },
  exceptions: closed('2090-12-24', '2090-12-25', '2090-12-31', '2091-01-01'),
  atCutoff: 'remind',
  version: 3,
  ...over,
});

describe('closed days', () => {
  test('stand together where they follow each other, over a new year too', () => {
    expect(rowsOf(schedule().exceptions)).toEqual([
      { from: '2090-12-24', to: '2090-12-25' },
      { from: '2090-12-31', to: '2091-01-01' },
    ]);
    expect(rowsOf([])).toEqual([]);
    expect(daysOf({ from: '2090-12-31', to: '2091-01-01' })).toEqual(['2090-12-31', '2091-01-01']);
  });

  test('are closed and opened in rows, whatever is closed already', () => {
    const before = closed('2090-12-24', '2090-12-26');
    const row = { from: '2090-12-24', to: '2090-12-25' };
    expect(withDays(before, row, true)).toEqual(closed('2090-12-24', '2090-12-25', '2090-12-26'));
    expect(withDays(before, row, false)).toEqual(closed('2090-12-26'));
  });

  test('are shown from their first to their last', () => {
    expect(formatRow({ from: '2026-12-24', to: '2027-01-02' })).toBe(
      'Thu, Dec 24, 2026 to Sat, Jan 2, 2027',
    );
    expect(formatRow({ from: '2026-12-24', to: '2026-12-24' })).toBe('Thu, Dec 24, 2026');
  });
});

describe('the cut-off', () => {
  it.each([
    ['1', '18:00', 'For Sat, Nov 28, customers can order until Fri, Nov 27 at 6:00 PM.'],
    ['0', '08:30', 'For Sat, Nov 28, customers can order until Sat, Nov 28 at 8:30 AM.'],
    ['none', '18:00', 'Customers can order until your farm closes.'],
    ['2', '', ''],
  ])('%s %s is explained by the next Saturday', (closes, time, sentence) => {
    expect(cutoffSentence({ closes, time, atCutoff: 'remind' }, '2026-11-26')).toBe(sentence);
  });

  it.each([null, { daysBefore: 0, time: '08:30' }, { daysBefore: 14, time: '00:00' }])(
    'comes out of the form as it went in: %j',
    (cutoff) => {
      expect(toChange(toScheduleInput(schedule({ cutoff })))).toEqual({
        cutoff,
        atCutoff: 'remind',
      });
    },
  );
});

describe('the part of the settings', () => {
  const one = (data: unknown): Reply => ({ status: 200, body: { success: true, data } });
  const user = aUser('farmer');
  const open = (timeZone = 'UTC') =>
    render(<SchedulePart me={user} timeZone={timeZone} countAnswered={countAnsweredAtOnce} />, {
      wrapper: Providers,
    });
  const puts = (calls: Call[]) =>
    calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);

  beforeEach(() => {
    store.set(tokenAtom, aToken);
    store.set(userAtom, user);
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it('saves the cut-off and what happens then, over the version that was read', async () => {
    const calls = stubNetwork({
      'GET /farm': one({ timeZone: 'UTC' }),
      'GET /orders/farmer': emptyList,
      'GET /farm/schedule': one(schedule()),
      'PUT /farm/schedule': ({ body }) => one({ ...schedule(), ...(body as object), version: 4 }),
    });
    open();
    fireEvent.change(await screen.findByLabelText(/^At/), { target: { value: '12:30' } });
    await userEvent.click(screen.getByRole('radio', { name: /^Accept them/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await vi.waitFor(() =>
      expect(puts(calls)).toEqual([
        { cutoff: { daysBefore: 1, time: '12:30' }, atCutoff: 'accept', expectedVersion: 3 },
      ]),
    );
  });

  it('saves how many days ahead customers can order, from 1 to 366', async () => {
    const calls = stubNetwork({
      'GET /farm/schedule': one(schedule({ bookableDays: 56 })),
      'PUT /farm/schedule': ({ body }) => one({ ...schedule(), ...(body as object), version: 4 }),
    });
    open();
    const field = await screen.findByLabelText<HTMLInputElement>(/^Days ahead/);
    expect(field.value).toBe('56');
    for (const wrong of ['0', '367', '1.5', 'soon']) {
      fireEvent.change(field, { target: { value: wrong } });
      await userEvent.click(screen.getByRole('button', { name: 'Save' }));
      await screen.findByText('Enter a whole number of days from 1 to 366.');
    }
    fireEvent.change(field, { target: { value: '۹۰' } });
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await vi.waitFor(() =>
      expect(puts(calls)).toEqual([
        {
          cutoff: { daysBefore: 1, time: '18:00' },
          atCutoff: 'remind',
          bookableDays: 90,
          expectedVersion: 3,
        },
      ]),
    );
  });

  describe('asks before it answers waiting orders at once', () => {
    const inDays = (days: number) => {
      const startsAt = new Date(Date.now() + days * 86_400_000).toISOString();
      return {
        startsAt,
        pickupDetails: { date: startsAt.slice(0, 10), time: '10:00', location: 'Gate' },
      };
    };
    const asking = {
      ...anOrder(5),
      ...inDays(2),
      openChange: { _id: 'x' },
    };
    const orders = [
      { ...anOrder(1), ...inDays(2) },
      { ...anOrder(2), ...inDays(3) },
      { ...anOrder(3), ...inDays(9) },
      { ...anOrder(4), ...inDays(-1) },
      asking,
    ];
    const start = async () => {
      const calls = stubNetwork({
        'GET /farm': one({ timeZone: 'UTC' }),
        'GET /orders/farmer': {
          status: 200,
          body: { success: true, data: orders, count: orders.length, nextCursor: null },
        },
        'GET /farm/schedule': one(schedule()),
        'PUT /farm/schedule': ({ body }) => one({ ...schedule(), ...(body as object), version: 4 }),
      });
      open();
      fireEvent.change(await screen.findByLabelText(/^Orders for a day close/), {
        target: { value: '5' },
      });
      return calls;
    };

    it.each([
      ['Accept', 'accept'],
      ['Reject', 'reject'],
    ])('%s', async (verb, atCutoff) => {
      const calls = await start();
      await userEvent.click(screen.getByRole('radio', { name: new RegExp(`^${verb} them`) }));
      await userEvent.click(screen.getByRole('button', { name: 'Save' }));
      const dialog = () => screen.findByRole('alertdialog', { name: `${verb} 2 orders now?` });
      await userEvent.click(within(await dialog()).getByRole('button', { name: 'Cancel' }));
      await vi.waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
      expect(puts(calls)).toEqual([]);
      await userEvent.click(screen.getByRole('button', { name: 'Save' }));
      const save = `Save and ${atCutoff}`;
      await userEvent.click(within(await dialog()).getByRole('button', { name: save }));
      await vi.waitFor(() => expect(puts(calls)).toMatchObject([{ atCutoff }]));
      await vi.waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    });

    it('but not where the farm is only reminded', async () => {
      const calls = await start();
      await userEvent.click(screen.getByRole('button', { name: 'Save' }));
      await vi.waitFor(() => expect(puts(calls)).toMatchObject([{ atCutoff: 'remind' }]));
    });
  });

  it('closes days over what somebody else closed meanwhile, and opens a row in one action', async () => {
    const theirs = schedule({ exceptions: closed('2090-11-01'), version: 9 });
    let present = schedule({ exceptions: [] });
    const calls = stubNetwork({
      'GET /farm/schedule': () => one(present),
      'PUT /farm/schedule': ({ body }) => {
        const { expectedVersion, ...change } = body as { expectedVersion: number };
        if (expectedVersion < 9) {
          const failure = {
            success: false,
            code: 'VERSION_CONFLICT',
            message: 'No.',
            data: theirs,
          };
          return { status: 409, body: failure };
        }
        present = { ...present, ...change, version: expectedVersion + 1 };
        return one(present);
      },
    });
    open();
    fireEvent.change(await screen.findByLabelText('From'), { target: { value: '2090-12-24' } });
    fireEvent.change(screen.getByLabelText('To (optional)'), { target: { value: '2090-12-25' } });
    await userEvent.click(screen.getByRole('button', { name: 'Close these days' }));
    const list = await screen.findByRole('list', { name: 'Closed days' });
    await within(list).findByText('Sun, Dec 24, 2090 to Mon, Dec 25, 2090');
    expect(puts(calls)).toEqual([
      { exceptions: closed('2090-12-24', '2090-12-25'), expectedVersion: 3 },
      { exceptions: closed('2090-11-01', '2090-12-24', '2090-12-25'), expectedVersion: 9 },
    ]);
    await userEvent.click(
      screen.getByRole('button', { name: 'Open again: Sun, Dec 24, 2090 to Mon, Dec 25, 2090' }),
    );
    await vi.waitFor(() => expect(present.exceptions).toEqual(closed('2090-11-01')));
  });

  // It is never the same day in both.
  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
    'offers to close days from the present one in %s on',
    async (timeZone) => {
      stubNetwork({ 'GET /farm/schedule': one(schedule()) });
      open(timeZone);
      const from = await screen.findByLabelText<HTMLInputElement>('From');
      await vi.waitFor(() => expect(from.min).toBe(dayIn(timeZone)));
    },
  );

  it('shows but does not change for anyone who may not', async () => {
    stubNetwork({ 'GET /farm/schedule': one(schedule()) });
    render(
      <SchedulePart
        countAnswered={countAnsweredAtOnce}
        me={{ ...user, membership: { farmId: user._id, role: 'packer' } }}
        timeZone="UTC"
      />,
      { wrapper: Providers },
    );
    await screen.findByText('Sun, Dec 24, 2090 to Mon, Dec 25, 2090');
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.getByText(/Your role on this farm/)).toBeTruthy();
  });
});
