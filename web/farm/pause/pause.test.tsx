// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { FarmPause } from '#contract/farm/pause/pause';
import type { FarmRole } from '#contract/platform/session/constants';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { farmer } from '../../app/testing/world.ts';
import { beginAs, one, open } from '../../pages/testing/page.tsx';
import { store, userAtom } from '../../platform/session/session.ts';
import { type Call, refusal, stubNetwork } from '../../platform/testing/network.ts';
import { PauseBanner } from './PauseBanner.tsx';
import { PauseControl } from './PauseControl.tsx';

beginAs(farmer);

const workAs = (role: FarmRole) =>
  store.set(userAtom, { ...farmer, membership: { farmId: farmer._id, role } });
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const open_ = { pausedUntil: null, pauseNote: null, pausedAt: null, pausedBy: null };
const TIME_ZONE = 'Asia/Karachi';
const paused = (over: Partial<FarmPause> = {}): FarmPause => ({
  pausedUntil: inHours(3),
  pauseNote: null,
  pausedAt: inHours(-1),
  pausedBy: { _id: farmer._id, name: 'Finn Grower' },
  timeZone: TIME_ZONE,
  ...over,
});
const sentTo = (calls: readonly Call[], method: string) =>
  calls.filter((call) => call.method === method && call.path === '/farm/pause');

describe('the banner of a paused farm', () => {
  const show = (pause: FarmPause, replies: Parameters<typeof stubNetwork>[0] = {}) => {
    const calls = stubNetwork({ 'GET /farm/pause': one(pause), ...replies });
    open(<PauseBanner />);
    return calls;
  };

  it('says until when and who paused it, with the note, and resumes with a press', async () => {
    const calls = show(paused({ pauseNote: 'At the fair.' }), {
      'DELETE /farm/pause': one({ ...open_, timeZone: TIME_ZONE }),
    });
    const banner = await screen.findByRole('region', { name: 'Paused orders' });
    expect(banner.textContent).toMatch(/Your farm takes no orders until \d+/);
    expect(banner.textContent).toMatch(/Paused by .*Finn Grower/);
    expect(banner.textContent).toContain('At the fair.');
    await userEvent.click(screen.getByRole('button', { name: 'Resume' }));
    await waitFor(() => expect(sentTo(calls, 'DELETE')).toHaveLength(1));
  });

  it('says that the market did where nobody of the farm did', async () => {
    show(paused({ pausedBy: null }));
    await screen.findByText(/nobody answered the last orders/);
  });

  it.each(['packer', 'seller'] as const)('shows a %s no way to resume', async (role) => {
    workAs(role);
    show(paused());
    await screen.findByRole('region', { name: 'Paused orders' });
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('goes at the end of the pause, without a reload', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      show(paused({ pausedUntil: inHours(0.5) }));
      await screen.findByRole('region', { name: 'Paused orders' });
      act(() => vi.advanceTimersByTime(31 * 60_000));
      expect(screen.queryByRole('region', { name: 'Paused orders' })).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the control of a pause', () => {
  const openDialog = async (
    reply: Parameters<typeof stubNetwork>[0][string],
    present: FarmPause = { ...open_, timeZone: TIME_ZONE },
  ) => {
    const calls = stubNetwork({ 'GET /farm/pause': one(present), 'POST /farm/pause': reply });
    open(<PauseControl />);
    await waitFor(() => expect(sentTo(calls, 'GET')).toHaveLength(1));
    const name = present.pausedUntil ? 'Change the pause' : 'Pause orders';
    await userEvent.click(await screen.findByRole('button', { name }));
    await screen.findByRole('dialog');
    return calls;
  };
  const press = async () => {
    const buttons = screen.getAllByRole('button', { name: 'Pause orders' });
    await userEvent.click(buttons.at(-1) as HTMLElement);
  };
  const today = () => dayIn(TIME_ZONE);

  it.each([
    ['Until we open next', () => ({})],
    ['Until the end of today', () => ({ until: { date: addDays(today(), 1) } })],
  ])('pauses %s, with a note', async (choice, expected) => {
    const calls = await openDialog(one(paused()));
    await userEvent.click(screen.getByRole('radio', { name: new RegExp(choice) }));
    await userEvent.type(screen.getByLabelText(/Note to customers/), 'At the fair.');
    await press();
    await waitFor(() => expect(sentTo(calls, 'POST')).toHaveLength(1));
    expect(sentTo(calls, 'POST')[0]?.body).toEqual({ ...expected(), note: 'At the fair.' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('pauses for an hour by the clock that decides', async () => {
    const calls = await openDialog(one(paused()));
    await userEvent.click(screen.getByRole('radio', { name: 'For an hour' }));
    const before = inHours(1);
    await press();
    await waitFor(() => expect(sentTo(calls, 'POST')).toHaveLength(1));
    const [{ until }] = sentTo(calls, 'POST').map(({ body }) => body) as [{ until: string }];
    expect(until >= before && until <= inHours(1)).toBe(true);
  });

  it('asks for a day and a time of the farm, and shows what the server refuses', async () => {
    const message = 'That time is over. Choose a later one.';
    const calls = await openDialog(refusal(400, message, [{ path: 'until', message }]));
    await userEvent.click(screen.getByRole('radio', { name: 'Until a day and time' }));
    await press();
    await screen.findByText('Choose a time.');
    expect(sentTo(calls, 'POST')).toEqual([]);
    fireEvent.change(screen.getByLabelText(/^Time/), { target: { value: '06:30' } });
    await press();
    await screen.findByText(message);
    expect(sentTo(calls, 'POST')[0]?.body).toMatchObject({
      until: { date: today(), time: '06:30' },
    });
  });

  it('keeps the end of a pause whose note alone is changed', async () => {
    const until = { date: addDays(today(), 20), time: '08:30' };
    // Karachi is five hours ahead of UTC.
    const pausedUntil = `${until.date}T03:30:00.000Z`;
    const calls = await openDialog(one(paused()), paused({ pausedUntil, pauseNote: 'At the' }));
    await userEvent.type(screen.getByLabelText(/Note to customers/), ' fair.');
    await press();
    await waitFor(() => expect(sentTo(calls, 'POST')).toHaveLength(1));
    expect(sentTo(calls, 'POST')[0]?.body).toEqual({ until, note: 'At the fair.' });
  });

  it('pauses until the end of the day on which it is asked, also after midnight', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['Date'] });
    try {
      const calls = await openDialog(one(paused()));
      fireEvent.click(screen.getByRole('radio', { name: /Until the end of today/ }));
      vi.setSystemTime(Date.now() + 24 * 3_600_000);
      fireEvent.click(
        screen.getAllByRole('button', { name: 'Pause orders' }).at(-1) as HTMLElement,
      );
      await waitFor(() => expect(sentTo(calls, 'POST')).toHaveLength(1));
      expect(sentTo(calls, 'POST')[0]?.body).toMatchObject({
        until: { date: addDays(today(), 1) },
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it('is for those alone who may change the farm', () => {
    workAs('packer');
    stubNetwork({ 'GET /farm/pause': one({ ...open_, timeZone: TIME_ZONE }) });
    open(<PauseControl />);
    expect(screen.queryByRole('button')).toBeNull();
  });
});
