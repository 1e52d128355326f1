// @vitest-environment happy-dom
import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { OfferedSlot } from '#contract/farm/slots/slots';
import { store } from '../../platform/session/session.ts';
import { announcementAtom } from '../../platform/ui/feedback/announce.ts';
import { SlotPicker } from './SlotPicker.tsx';
import { aSlot, MILL } from './testing/slots.ts';

const NOW = new Date('2026-11-26T12:00:00Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});
afterEach(() => {
  cleanup();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const plainText = ({ textContent }: Element) => textContent?.replaceAll('\u202f', ' ');

let setSlots: (slots: readonly OfferedSlot[]) => void;

function Picker({ slots, first, own }: { slots: OfferedSlot[]; first: string; own?: string }) {
  const [shown, setShown] = useState<readonly OfferedSlot[]>(slots);
  const [value, setValue] = useState(first);
  setSlots = setShown;
  return (
    <>
      <SlotPicker
        slots={shown}
        value={value}
        onChange={({ _id }) => setValue(_id)}
        timeZone="UTC"
        own={own}
      />
      <output>{value}</output>
    </>
  );
}
const open = (slots: OfferedSlot[], first = slots[0]?._id ?? '', own?: string) =>
  render(<Picker slots={slots} first={first} {...(own !== undefined && { own })} />);
const chosen = () => screen.getAllByRole('status').at(-1)?.textContent;
const group = (name: string) => within(screen.getByRole('group', { name }));
const time = (name: RegExp) => group('Pickup time').getByRole<HTMLInputElement>('radio', { name });

it('asks for no place where there is one, and names it', () => {
  open([aSlot('2026-11-28', '10:00')]);
  expect(screen.queryByRole('group', { name: 'Pickup place' })).toBeNull();
  expect(screen.getByText('Market square, 1 Main St, Putney')).toBeDefined();
  expect(screen.getByText('Beside the fountain.')).toBeDefined();
  expect(screen.getByText('Sat, Nov 28, 2026, 10:00–10:30 AM')).toBeDefined();
});

it("shows times by the farm's clock and by the reader's where these differ", () => {
  vi.stubEnv('TZ', 'Asia/Karachi');
  open([aSlot('2026-11-28', '10:00', { closesAt: '2026-11-27T18:00:00.000Z' })]);
  const page = plainText(document.body);
  expect(page).toContain('Sat, Nov 28, 2026, 10:00–10:30 AM at the farm (3:00–3:30 PM your time)');
  expect(page).toContain('Order by Fri, Nov 27, 6:00 PM at the farm (11:00 PM your time)');
});

it('says for each day until when one can order for it', () => {
  const closesAt = '2026-11-27T18:00:00Z';
  open([
    aSlot('2026-11-28', '10:00', { closesAt }),
    aSlot('2026-11-28', '11:00', { closesAt }),
    aSlot('2026-11-29', '10:00'),
  ]);
  const [cutOff, free] = group('Pickup day').getAllByRole('radio');
  expect(plainText(cutOff?.parentElement as Element)).toContain('order until 6 PM tomorrow');
  expect(plainText(free?.parentElement as Element)).not.toContain('order until');
});

it('keeps the time of day when the day or the place changes', async () => {
  const slots = [
    aSlot('2026-11-27', '09:00'),
    aSlot('2026-11-27', '10:00'),
    aSlot('2026-11-28', '09:00'),
    aSlot('2026-11-28', '10:00'),
    aSlot('2026-11-28', '09:00', { place: MILL }),
    aSlot('2026-11-28', '10:00', { place: MILL }),
  ];
  open(slots, slots[1]?._id);
  await userEvent.click(group('Pickup day').getByRole('radio', { name: /^Sat/ }));
  expect(chosen()).toBe(slots[3]?._id);
  await userEvent.click(group('Pickup place').getByRole('radio', { name: /^Old mill/ }));
  expect(chosen()).toBe(slots[5]?._id);
});

it('shows the first days, and more on request', async () => {
  const slots = Array.from({ length: 9 }, (_, day) =>
    aSlot(`2026-12-0${day + 1}`, '10:00', day === 1 ? { state: 'closed' } : {}),
  );
  open(slots);
  const days = () => group('Pickup day').getAllByRole('radio');
  expect(days()).toHaveLength(6);
  expect(group('Pickup day').getByText('Nothing free')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'More days' }));
  expect(days()).toHaveLength(9);
  expect(screen.queryByRole('button', { name: 'More days' })).toBeNull();
});

it('greys a chosen time that fills, keeps its place, announces it and offers the nearest', async () => {
  const slots = ['09:30', '10:00', '10:30', '11:00'].map((from) => aSlot('2026-11-28', from));
  const [before, taken, after] = slots as [OfferedSlot, OfferedSlot, OfferedSlot, OfferedSlot];
  open(slots, taken._id);
  time(/^10:00–10:30\sAM/).focus();
  act(() => setSlots(slots.map((s) => (s === taken ? { ...s, hasLimit: true, remaining: 0 } : s))));
  const radio = time(/^10:00–10:30\sAM\s*Full/);
  expect(document.activeElement).toBe(radio);
  expect(radio.getAttribute('aria-disabled')).toBe('true');
  const order = group('Pickup time').getAllByRole('radio');
  expect(order.indexOf(radio)).toBe(1);
  await vi.waitFor(() => expect(store.get(announcementAtom)).toContain('is full by now'));
  // The choice is not moved in silence.
  expect(chosen()).toBe(taken._id);
  const offers = screen.getAllByRole('button', { name: /^Sat, / });
  expect(offers.map(plainText)).toEqual(['Sat, 9:30–10:00 AM', 'Sat, 10:30–11:00 AM']);
  await userEvent.click(offers[1] as HTMLElement);
  expect(chosen()).toBe(after._id);
  expect(screen.queryByText(/is full by now/)).toBeNull();
  expect(before._id).not.toBe(after._id);
});

it('refuses a full time that is pressed, and keeps the choice', async () => {
  const slots = [
    aSlot('2026-11-28', '10:00'),
    aSlot('2026-11-28', '10:30', { hasLimit: true, remaining: 0 }),
    aSlot('2026-11-28', '11:00', { state: 'closed' }),
    aSlot('2026-11-28', '11:30', { hasLimit: true, remaining: 2 }),
  ];
  open(slots);
  await userEvent.click(time(/^10:30–11:00\sAM/));
  expect(chosen()).toBe(slots[0]?._id);
  expect(screen.getByText(/^10:30–11:00 AM is full by now/)).toBeDefined();
  expect(screen.getAllByRole('button').map(plainText)).toEqual([
    'Sat, 10:00–10:30 AM',
    'Sat, 11:30 AM–12:00 PM',
  ]);
  await userEvent.click(time(/^11:00–11:30\sAM/));
  expect(screen.getByText(/^11:00–11:30 AM is closed by the farm/)).toBeDefined();
  await userEvent.click(time(/^11:30\sAM–12:00\sPM\s*2 left/));
  expect(chosen()).toBe(slots[3]?._id);
});

it('says so where nothing else is free', () => {
  open([aSlot('2026-11-28', '10:00', { state: 'closed' })]);
  expect(screen.getByText(/No other time is free at the moment/)).toBeDefined();
});
