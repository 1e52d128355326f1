// @vitest-environment happy-dom
import type { QueryClient } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WEEKDAYS } from '#contract/farm/farmers/constants';
import { BusinessHours } from '#contract/farm/farmers/farmers';
import type { Place } from '#contract/farm/places/places';
import type { User } from '#contract/people/users/users';
import { applyEvent } from '../../app/live/reducers.ts';
import { Providers } from '../../app/Providers.tsx';
import { createQueryClient } from '../../platform/queries/query-client.ts';
import { store, tokenAtom } from '../../platform/session/session.ts';
import { aToken, aUser, type Reply, stubNetwork } from '../../platform/testing/network.ts';
import { PlacesPart } from './PlacesPart.tsx';

const market: Place = {
  _id: '00000000-0000-4000-8000-000000000801',
  name: 'Market square',
  address: { street: '1 Main St', city: 'Putney', state: 'VT', zipCode: '05346' },
  directions: 'Beside the fountain.',
  phone: '',
  isActive: true,
  hours: [{ weekday: 'saturday', from: '08:00', to: '12:00', slotMinutes: 30, capacity: 4 }],
  version: 3,
};
const businessHours = BusinessHours.parse({
  ...Object.fromEntries(WEEKDAYS.map((day) => [day, {}])),
  friday: { open: '09:00', close: '12:00' },
});
const PATH = `/farm/places/${market._id}`;
const farmer: User = {
  ...aUser('farmer'),
  address: { street: '40 Mill Lane', city: 'Putney', state: 'VT', zipCode: '05346' },
};
const asRole = (role: 'packer' | 'manager'): User => ({
  ...farmer,
  membership: { farmId: farmer._id, role },
});
const one = (data: unknown, status = 200): Reply => ({ status, body: { success: true, data } });

beforeEach(() => store.set(tokenAtom, aToken));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

let cache: QueryClient;

function open(replies: Parameters<typeof stubNetwork>[0], me: User = farmer) {
  const calls = stubNetwork(replies);
  cache = createQueryClient();
  render(
    <Providers client={cache}>
      <PlacesPart me={me} farm={{ address: farmer.address, businessHours }} />
    </Providers>,
  );
  return calls;
}
const written = (calls: ReturnType<typeof stubNetwork>) =>
  calls.filter(({ method }) => method !== 'GET');

it('adds the first place, which begins as the farm itself, with several hours a day', async () => {
  const calls = open({
    'GET /farm/places': one([]),
    'POST /farm/places': (call) => one({ ...market, ...(call.body as object) }, 201),
  });
  await screen.findByText('No pickup places yet');
  await userEvent.click(screen.getByRole('button', { name: 'Add a place' }));
  const form = within(await screen.findByRole('form', { name: 'New place' }));
  screen.getByText(/To go on handing over at the farm, let this place be the farm/);
  expect(form.getByLabelText<HTMLInputElement>(/Street/).value).toBe('40 Mill Lane');
  expect(form.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('Farm gate');
  const friday = form.getByRole<HTMLInputElement>('checkbox', { name: 'Friday' });
  expect(friday.checked).toBe(true);
  await userEvent.click(friday);
  await userEvent.click(form.getByRole('checkbox', { name: 'Saturday' }));
  await userEvent.click(form.getByRole('button', { name: 'Add hours on Saturday' }));
  const second = within(form.getByRole('group', { name: 'Saturday, range 2' }));
  fireEvent.change(second.getByLabelText(/^From/), { target: { value: '14:00' } });
  fireEvent.change(second.getByLabelText(/^To/), { target: { value: '15:00' } });
  await userEvent.type(second.getByLabelText('Orders per slot'), '5');
  expect(second.getByText('2 slots, 10 orders in all')).toBeDefined();
  await userEvent.click(form.getByRole('button', { name: 'Save place' }));
  await vi.waitFor(() => expect(written(calls)).toHaveLength(1));
  expect(written(calls)[0]?.body).toMatchObject({
    name: 'Farm gate',
    isActive: true,
    hours: [
      { weekday: 'saturday', from: '09:00', to: '12:00', slotMinutes: 30, capacity: null },
      { weekday: 'saturday', from: '14:00', to: '15:00', slotMinutes: 30, capacity: 5 },
    ],
  });
  await vi.waitFor(() => expect(screen.queryByRole('form')).toBeNull());
});

it('opens and closes a day by a tap, and copies its hours to others', async () => {
  const calls = open({
    'GET /farm/places': one([market]),
    [`PUT ${PATH}`]: (call) => one({ ...market, ...(call.body as object) }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Market square' }));
  const form = within(await screen.findByRole('form', { name: 'Edit Market square' }));
  const day = (name: string) => form.getByRole('checkbox', { name });
  // Opens with the hours of the open day before it, and as it was once it has been closed.
  await userEvent.click(day('Tuesday'));
  const tuesday = within(form.getByRole('group', { name: 'Tuesday' }));
  expect(tuesday.getByLabelText<HTMLInputElement>(/^From/).value).toBe('08:00');
  fireEvent.change(tuesday.getByLabelText(/^From/), { target: { value: '10:00' } });
  await userEvent.click(day('Tuesday'));
  expect(form.queryByRole('group', { name: 'Tuesday' })).toBeNull();
  await userEvent.click(day('Tuesday'));
  await userEvent.click(form.getByRole('button', { name: 'Copy the hours of Tuesday' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'To all open days' }));
  await userEvent.click(form.getByRole('button', { name: 'Copy the hours of Tuesday' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Sunday' }));
  await userEvent.click(form.getByRole('button', { name: 'Save place' }));
  await vi.waitFor(() => expect(written(calls)).toHaveLength(1));
  const sent = written(calls)[0]?.body as Place | undefined;
  expect(sent?.hours.map(({ weekday, from }) => `${weekday} ${from}`)).toEqual([
    'tuesday 10:00',
    'saturday 10:00',
    'sunday 10:00',
  ]);
});

it('shows plain errors at the fields, and sends nothing', async () => {
  const calls = open({ 'GET /farm/places': one([market]) });
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Market square' }));
  const form = within(await screen.findByRole('form', { name: 'Edit Market square' }));
  await userEvent.clear(form.getByLabelText(/^Name/));
  fireEvent.change(form.getByLabelText(/^To/), { target: { value: '07:00' } });
  await userEvent.click(form.getByRole('button', { name: 'Save place' }));
  expect(await form.findByText('Name is required')).toBeDefined();
  expect(form.getByText('The end must be after the start, on the same day.')).toBeDefined();
  expect(written(calls)).toEqual([]);
});

it('keeps what somebody else changed meanwhile, and marks hours that both changed', async () => {
  const theirs: Place = { ...market, phone: '555-0100', version: 4 };
  const conflict = (data: Place): Reply => ({
    status: 409,
    body: { success: false, code: 'VERSION_CONFLICT', message: 'Changed.', data },
  });
  let present: Place = theirs;
  const calls = open({
    'GET /farm/places': one([market]),
    [`PUT ${PATH}`]: (call) => {
      const { expectedVersion, ...values } = call.body as Place & { expectedVersion: number };
      if (expectedVersion !== present.version) return conflict(present);
      return one({ ...present, ...values, version: present.version + 1 });
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Market square' }));
  const form = within(await screen.findByRole('form', { name: 'Edit Market square' }));
  fireEvent.change(form.getByLabelText(/^To/), { target: { value: '11:00' } });
  present = { ...theirs, hours: [{ ...market.hours[0], to: '10:00' } as Place['hours'][number]] };
  await userEvent.click(form.getByRole('button', { name: 'Save place' }));
  expect(await form.findByText(/This was changed meanwhile/)).toBeDefined();
  await userEvent.click(form.getByRole('button', { name: 'Save place' }));
  await vi.waitFor(() => expect(screen.queryByRole('form')).toBeNull());
  expect(written(calls).at(-1)?.body).toMatchObject({
    phone: '555-0100',
    hours: [{ to: '11:00' }],
    expectedVersion: 4,
  });
});

it('says why a place cannot be removed, and where to move its orders', async () => {
  const message = 'Orders are to be picked up here. Move them first.';
  open({
    'GET /farm/places': one([market]),
    [`DELETE ${PATH}`]: { status: 409, body: { success: false, code: 'PLACE_IN_USE', message } },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Market square' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(await dialog.findByText(new RegExp(message))).toBeDefined();
  expect(dialog.getByRole('link', { name: 'Go to the slots' })).toBeDefined();
});

it("shows another device's change without a reload", async () => {
  let places = [market];
  open({ 'GET /farm/places': () => one(places) });
  await screen.findByText('Sat 8 AM–12 PM');
  places = [{ ...market, name: 'Old mill', isActive: false, version: 4 }];
  act(() =>
    applyEvent(cache, {
      seq: 9,
      id: market._id,
      at: '2026-11-22T10:00:00.000Z',
      name: 'place.changed',
      data: { _id: market._id, farmId: farmer._id },
    }),
  );
  expect(await screen.findByText('Old mill')).toBeDefined();
  expect(screen.getByText('Not offered')).toBeDefined();
});

it.each([
  ['packer', false],
  ['manager', true],
] as const)('offers a %s to change places: %s', async (role, mayChange) => {
  open({ 'GET /farm/places': one([market]) }, asRole(role));
  await screen.findByText('Market square');
  const names = ['Add a place', 'Edit Market square', 'Remove Market square'];
  for (const name of names) {
    expect(screen.queryAllByRole('button', { name })).toHaveLength(mayChange ? 1 : 0);
  }
});

it('takes hours until midnight, and shows them in its list', async () => {
  const late = { ...market, hours: [{ ...market.hours[0], from: '22:00', to: '24:00' }] };
  const calls = open({
    'GET /farm/places': one([late]),
    [`PUT ${PATH}`]: (call) => one({ ...late, ...(call.body as object) }),
  });
  await screen.findByText(/10 PM to midnight/);
  await userEvent.click(screen.getByRole('button', { name: /Edit/ }));
  const form = within(await screen.findByRole('form'));
  const range = within(form.getByRole('group', { name: 'Saturday' }));
  const choice = range.getByRole<HTMLInputElement>('checkbox', { name: 'Until midnight' });
  expect(choice.checked).toBe(true);
  expect(range.getByText('4 slots, 16 orders in all')).toBeDefined();
  await userEvent.click(choice);
  expect(range.queryByText('4 slots, 16 orders in all')).toBeNull();
  fireEvent.change(range.getByLabelText(/^To/), { target: { value: '00:00' } });
  expect(choice.checked).toBe(true);
  await userEvent.type(form.getByLabelText('Phone'), '1');
  await userEvent.click(form.getByRole('button', { name: /Save/ }));
  await vi.waitFor(() => expect(written(calls)).toHaveLength(1));
  expect(written(calls)[0]?.body).toMatchObject({ hours: [{ from: '22:00', to: '24:00' }] });
});
