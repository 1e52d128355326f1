// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { WEEKDAYS } from '#contract/farm/farmers/constants';
import type { BusinessHours, FarmerDetail } from '#contract/farm/farmers/farmers';
import { weekdayOf } from '#contract/farm/schedule/constants';
import { addDays, dayIn, formatDay } from '#contract/platform/time/constants';
import { formatWallDates } from '#contract/platform/time/constants/clock';
import { FarmFacts } from './FarmFacts.tsx';

afterEach(cleanup);

const today = dayIn('UTC');
const at = (open: string, close: string) =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, { open, close }])) as BusinessHours;

/** Shows a farm that is open each day, but on its closed days. */
function show(businessHours: BusinessHours, closedDays: string[]) {
  const detail = {
    farmer: { phone: '', email: '' },
    profile: { description: '', farmingPractices: [], businessHours, timeZone: 'UTC' },
    handoff: { closedDays },
  } as unknown as FarmerDetail;
  Object.assign(detail.profile, { socialMedia: {}, acceptsDelivery: false });
  render(<FarmFacts detail={detail} />);
}
const rowOfToday = () => {
  const row = screen.getByText('(today)').closest('div');
  return { words: row?.textContent ?? '', bars: row?.querySelectorAll('rect').length };
};

it('says today that the farm is closed, whatever its hours are, and lists the closed days to come', () => {
  const [yesterday, away, back] = [addDays(today, -1), addDays(today, 7), addDays(today, 9)];
  show(at('08:00', '12:30'), [yesterday, today, addDays(today, 3), away, addDays(today, 8), back]);
  expect(rowOfToday()).toMatchObject({ bars: 1 });
  expect(rowOfToday().words).toContain('Closed today');
  expect(screen.getAllByText(/8:00.AM–12:30.PM/)).toHaveLength(6);
  const days = `${formatDay(addDays(today, 3), today)} and ${formatWallDates(away, back)}`;
  expect(screen.getByText(`Closed on ${days}.`)).toBeDefined();
});

it('shows the hours of today on a day that is not closed, until midnight and all day too', () => {
  show(
    { ...at('18:00', '00:00'), [weekdayOf(addDays(today, 1))]: { open: '07:00', close: '07:00' } },
    [addDays(today, -1)],
  );
  expect(rowOfToday().words).toMatch(/6:00.PM to midnight/);
  expect(rowOfToday().bars).toBe(2);
  expect(screen.getByText('all day')).toBeDefined();
  expect(screen.queryByText(/Closed/)).toBeNull();
});
