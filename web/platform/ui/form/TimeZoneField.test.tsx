// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { z } from '#contract/platform/http/zod';
import { Form, useZodForm } from './form.tsx';
import { findPlaces, placesOf, TimeZoneField, zoneName } from './TimeZoneField.tsx';

afterEach(cleanup);

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
  const zones = (kept: string) => placesOf(known, kept).map(({ zone }) => zone);
  expect(zones('Asia/Kolkata')).toEqual(['Europe/Berlin', 'Asia/Karachi', 'Asia/Kolkata', 'UTC']);
  expect(zones('Asia/Calcutta')).toContain('Asia/Calcutta');
});

it.each([
  ['berl', 'Europe/Berlin'],
  ['KOLKATA', 'Asia/Kolkata'],
  ['sao paulo', 'America/Sao_Paulo'],
  ['são', 'America/Sao_Paulo'],
  // By its country, and by its region.
  ['pakistan', 'Asia/Karachi'],
  ['europe/ber', 'Europe/Berlin'],
])('finds by "%s" %s', (text, zone) => {
  const known = ['Europe/Berlin', 'Asia/Karachi', 'America/Sao_Paulo', 'Asia/Oral'];
  expect(findPlaces(placesOf(known, 'Asia/Kolkata'), text).map((place) => place.zone)).toEqual([
    zone,
  ]);
});

const Schema = z.object({ timeZone: z.string() });

function Fields({ onSent }: { onSent: (zone: string) => void }) {
  const form = useZodForm(Schema, { defaultValues: { timeZone: 'Asia/Karachi' } });
  return (
    <Form form={form} label="Zone" onSubmit={async ({ timeZone }) => onSent(timeZone)}>
      <TimeZoneField form={form} name="timeZone" label="Time zone" kept="Asia/Karachi" />
      <button type="submit">Save</button>
    </Form>
  );
}

it('is changed by typing a city, and keeps what was chosen where none is found', async () => {
  const sent: string[] = [];
  render(<Fields onSent={(zone) => sent.push(zone)} />);
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Time zone' });
  expect(field.value).toBe('Karachi');
  await userEvent.click(field);
  await userEvent.keyboard('kathm');
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    expect.stringMatching(/^Kathmandu/),
  ]);
  // Enter chooses, and does not send the form.
  await userEvent.keyboard('{Enter}');
  expect(field.value).toBe('Kathmandu');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(sent).toEqual([]);
  await userEvent.clear(field);
  await userEvent.type(field, 'Atlantis');
  expect(screen.getByRole('status').textContent).toMatch(/No city of this name/);
  await userEvent.tab();
  expect(field.value).toBe('Kathmandu');
  await userEvent.click(field);
  await userEvent.keyboard('berlin');
  await userEvent.click(screen.getByRole('option', { name: /^Berlin/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => sent).toEqual(['Europe/Berlin']);
});
