import { describe, expect, it } from 'vitest';
import { shortId } from '#contract/platform/http/constants';
import { formatAddress, formatTown } from '#contract/platform/text/constants/addresses';
import { readIn } from '../testing/network.ts';
import { capitalized, firstWord, initial } from './format.ts';
import {
  formatConversationTime,
  formatNearDateTime,
  formatRelative,
  formatWait,
} from './near-day.ts';

describe('a conversation', () => {
  const now = new Date(2026, 10, 21, 15, 0);
  const label = (...at: [number, number, number, number, number]) =>
    formatConversationTime(new Date(...at).toISOString(), now).replaceAll('\u202f', ' ');

  it('shows the time for today', () => expect(label(2026, 10, 21, 9, 5)).toBe('9:05 AM'));
  it('shows month and day for this year', () => expect(label(2026, 2, 3, 9, 5)).toBe('Mar 3'));
  it('shows the year for earlier years', () =>
    expect(label(2025, 10, 21, 9, 5)).toBe('Nov 21, 2025'));
  it('shows nothing for an invalid date', () => expect(formatConversationTime('?', now)).toBe(''));
});

describe('relative times and waits', () => {
  const now = Date.UTC(2026, 10, 21, 12);
  it.each([
    [20, 'just now'],
    [60, '1 minute ago'],
    [3_600, '1 hour ago'],
    [26 * 3_600, 'yesterday'],
    [40 * 86_400, 'last month'],
    [400 * 86_400, 'last year'],
    [-7_200, 'in 2 hours'],
  ])('%s seconds back is %s', (seconds, text) =>
    expect(formatRelative(new Date(now - seconds * 1000), now)).toBe(text),
  );
  it.each([
    [-5, '< 1 min'],
    [12 * 60_000, '12 min'],
    [185 * 60_000, '3 h 05 min'],
    [599 * 60_000, '9 h 59 min'],
    [1_551 * 60_000, '25 h'],
    [50 * 3_600_000, '2 days'],
  ])('a wait of %s ms is %s', (wait, text) => expect(formatWait(wait)).toBe(text));
  it.each([
    [59 * 60_000, '59 min'],
    [66 * 60_000, '1 h'],
    [599 * 60_000, '9 h'],
    [50 * 3_600_000, '2 days'],
  ])('a wait of %s ms is %s in short', (wait, text) =>
    expect(formatWait(wait, { isShort: true })).toBe(text),
  );
});

it('says times and waits in the language of their reader', async () => {
  await readIn('de');
  const now = Date.UTC(2026, 10, 21, 12);
  const ago = (minutes: number) => formatRelative(new Date(now - minutes * 60_000), now);
  expect([ago(0), ago(5), ago(26 * 60)]).toEqual(['gerade eben', 'vor 5 Minuten', 'gestern']);
  const waits = [12, 185, 50 * 60].map((minutes) => formatWait(minutes * 60_000));
  expect(waits).toEqual(['12 Min.', '3 Std. 05 Min.', '2 Tage']);
  expect(formatNearDateTime('2026-11-23T10:05:00.000Z', '2026-11-01', 'UTC')).toBe(
    'Mo., 23. Nov., 10:05',
  );
});

it('writes names, places and ids', () => {
  expect(firstWord('  Ada Lovelace ')).toBe('Ada');
  expect(initial('émile')).toBe('É');
  expect(initial('  ')).toBe('?');
  expect(shortId('1234abcd-0000')).toBe('1234abcd');
  expect(formatTown({ city: 'Salem', state: '' })).toBe('Salem');
  expect(formatTown(null)).toBe('');
  expect(formatAddress({ street: '1 Mill Rd', city: 'Salem', state: 'OR', zipCode: '97301' })).toBe(
    '1 Mill Rd, Salem, OR 97301',
  );
  expect(capitalized('bank transfer')).toBe('Bank transfer');
});
