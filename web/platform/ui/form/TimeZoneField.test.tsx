// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { TimeZoneSelect, zoneName, zonesByRegion } from './TimeZoneSelect.tsx';

it.each([
  ['UTC', 'UTC'],
  ['America/Argentina/Buenos_Aires', 'Argentina, Buenos Aires'],
  ['Asia/Calcutta', 'Kolkata'],
  ['Asia/Kolkata', 'Kolkata'],
  ['America/Port-au-Prince', 'Port-au-Prince'],
])('%s is read as %s', (zone, name) => {
  expect(zoneName(zone)).toBe(name);
});

it('has each place once, by the name that the farm keeps', () => {
  const known = ['UTC', 'Europe/Berlin', 'Asia/Calcutta', 'Asia/Karachi'];
  expect([...zonesByRegion(known, 'Asia/Kolkata')]).toEqual([
    ['', ['UTC']],
    ['Asia', ['Asia/Karachi', 'Asia/Kolkata']],
    ['Europe', ['Europe/Berlin']],
  ]);
  expect(zonesByRegion(known, 'Asia/Calcutta').get('Asia')).toEqual([
    'Asia/Karachi',
    'Asia/Calcutta',
  ]);
});

it.each(['UTC', 'Asia/Kolkata', 'Europe/Berlin', 'Asia/Calcutta'])('shows %s as chosen', (kept) => {
  render(<TimeZoneSelect aria-label="Time zone" kept={kept} defaultValue={kept} />);
  expect((screen.getByLabelText('Time zone') as HTMLSelectElement).value).toBe(kept);
  expect(screen.getAllByRole('option').length).toBeGreaterThan(300);
});
