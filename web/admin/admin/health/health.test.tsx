// @vitest-environment happy-dom

import { act, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { HEALTH_KEYS, type HealthState } from '#contract/admin/health/constants';
import type { HealthReport } from '#contract/admin/health/health';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { writeMessage } from '#contract/platform/text/constants/texts';
import AdminHealthPage from '../../../pages/admin/AdminHealthPage.tsx';
import { beginAs, one, open } from '../../../pages/testing/page.tsx';
import { aUser, type Reply, refusal, stubNetwork } from '../../../platform/testing/network.ts';
import { formatBytes, formatClock, HealthGlance, healthTexts, summarize } from './HealthParts.tsx';

const AT = '2026-11-22T10:00:05.000Z';

const aReport = (over: Partial<HealthReport> = {}): HealthReport => ({
  at: AT,
  state: 'good',
  checks: HEALTH_KEYS.map((key) => ({ key, state: 'good', value: `About ${key}.` })),
  processes: [
    {
      _id: '3f0e8a3e-8a39-4a53-9a86-0d2d1d4c7c11',
      service: 'server',
      host: 'farm1',
      pid: 41,
      version: '1.0.0',
      startedAt: '2026-11-22T08:00:00.000Z',
      seenAt: AT,
      isSilent: false,
      memoryBytes: 210_400_000,
      eventLoopDelayMs: 1.25,
      sockets: 1200,
    },
    {
      _id: '3f0e8a3e-8a39-4a53-9a86-0d2d1d4c7c12',
      service: 'workers',
      host: 'farm1',
      pid: 42,
      version: '1.0.0',
      startedAt: '2026-11-22T08:00:00.000Z',
      seenAt: '2026-11-22T09:59:00.000Z',
      isSilent: true,
      memoryBytes: null,
      eventLoopDelayMs: null,
      sockets: null,
    },
  ],
  lastBackup: {
    finishedAt: '2026-11-22T03:00:00.000Z',
    sizeBytes: 4_200_000,
    rowCount: 12_345,
    pictureCount: 264,
    madeBy: 'farmgate@farm1',
    folder: '/backups/farmgate-2026-11-22T03-00-00Z',
    isVerified: true,
  },
  ...over,
});

let answer: Reply;
function openWith(over?: Partial<HealthReport>) {
  answer = one(aReport(over));
  stubNetwork({ 'GET /admin/health': () => answer });
  open(<AdminHealthPage />);
}

beginAs(aUser('admin'));
afterEach(() => {
  vi.useRealTimers();
});

it('shows each line with a word, what was found and what it means', async () => {
  openWith();
  const list = await screen.findByRole('list', { name: 'Checks' });
  const lines = within(list).getAllByRole('listitem');
  expect(lines).toHaveLength(HEALTH_KEYS.length);
  for (const [index, key] of HEALTH_KEYS.entries()) {
    const line = within(lines[index] as HTMLElement);
    expect(line.getByRole('heading').textContent).toBe(writeMessage(healthTexts[key].label));
    for (const text of ['Good', `About ${key}.`, writeMessage(healthTexts[key].meaning)])
      line.getByText(text);
    expect(line.queryByText(/operating\.md/)).toBeNull();
  }
  screen.getByText('Everything is well.');
  screen.getByText(formatClock(AT));
});

it('says what to do, and where it is written, of what is not good', async () => {
  const checks = aReport().checks.map((check) =>
    check.key === 'redis' ? { ...check, state: 'bad' as const, value: 'Does not answer.' } : check,
  );
  openWith({ checks, state: 'bad' });
  const line = (await screen.findByText('Does not answer.')).closest('li') as HTMLElement;
  within(line).getByText('Act now');
  expect(line.textContent).toContain(writeMessage(healthTexts.redis.advice));
  expect(line.textContent).toContain('See “Redis is away” in docs/operating.md.');
  screen.getByText('One thing needs you now.');
});

it('shows the processes and the last backup', async () => {
  openWith();
  const table = await screen.findByRole('table', { name: 'Processes' });
  const [server, worker] = within(table).getAllByRole('row').slice(1) as [HTMLElement, HTMLElement];
  expect(server.textContent).toContain('farm1, process 41');
  expect(server.textContent).toContain('210 MB');
  expect(server.textContent).toContain('1,200');
  expect(worker.textContent).toContain('Not heard of since');
  const backup = screen.getByRole('region', { name: 'Last backup' });
  expect(backup.textContent).toContain('12,345 rows and 264 picture files');
  expect(backup.textContent).toContain('/backups/farmgate-2026-11-22T03-00-00Z');
});

it('leaves out what is not known', async () => {
  openWith({ processes: null, lastBackup: null });
  await screen.findByRole('list', { name: 'Checks' });
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.queryByRole('region', { name: 'Last backup' })).toBeNull();
});

it('asks again by itself, and is honest about its age when that fails', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  openWith();
  await screen.findByText('Everything is well.');
  const later = '2026-11-22T10:00:10.000Z';
  answer = one(aReport({ at: later }));
  await act(() => vi.advanceTimersByTimeAsync(5000));
  await waitFor(() => screen.getByText(formatClock(later)));
  answer = refusal(503, 'UNAVAILABLE');
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  await waitFor(() => screen.getByText(/We can't ask again just now\. This is as of/));
  answer = one(aReport({ at: '2026-11-22T10:02:00.000Z' }));
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  await waitFor(() => expect(screen.queryByText(/We can't ask again/)).toBeNull());
});

it.each<[HealthState[], string]>([
  [['good', 'good'], 'Everything is well.'],
  [['good', 'unknown'], 'Some things are not known.'],
  [['warning', 'unknown'], 'One thing needs a look soon.'],
  [['warning', 'warning'], '2 things need a look soon.'],
  [['bad', 'warning'], 'One thing needs you now.'],
  [['bad', 'bad', 'bad'], '3 things need you now.'],
])('sums %j up', (states, text) => {
  expect(summarize(states)).toBe(text);
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1500, '1.5 kB'],
  [210_400_000, '210 MB'],
  [12e12, '12 TB'],
])('formats %d bytes', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it.each([
  ['good', 'Health: Everything is well.'],
  ['warning', 'Health: One thing needs a look soon.'],
  ['bad', 'Health: One thing needs you now.'],
] as const)('says at a glance that all is %s, and leads on', (state, name) => {
  const checks = aReport().checks.map((check, index) => (index ? check : { ...check, state }));
  render(<HealthGlance report={aReport({ state, checks })} />);
  expect(screen.getByRole('link', { name }).getAttribute('href')).toBe('/admin/health');
});

it('leads on before anything is known', () => {
  render(<HealthGlance report={undefined} />);
  expect(screen.getByRole('link', { name: 'Health' })).toBeTruthy();
});

it('writes the time of its figures as the market writes times', () => {
  const at = new Date(2026, 10, 22, 16, 5, 10).toISOString();
  expect(formatClock(at).replace(/\s/g, ' ')).toBe('4:05:10 PM');
  setMarket({ ...DEFAULT_MARKET, locale: 'fr-SN' });
  expect(formatClock(at)).toBe('16:05:10');
  setMarket(DEFAULT_MARKET);
});
