// @vitest-environment happy-dom
import type { QueryClient } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WEEKDAYS } from '#contract/farm/farmers/constants';
import { BusinessHours, type FarmerDetail, type FarmProfile } from '#contract/farm/farmers/farmers';
import { Providers } from '../../app/Providers.tsx';
import { createQueryClient } from '../../platform/queries/query-client.ts';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { aToken, aUser, type Reply, stubNetwork } from '../../platform/testing/network.ts';
import { FarmProfileForm, type FarmSection } from './FarmProfileForm.tsx';
import { farmerQuery } from './queries.ts';

const farmer = aUser('farmer');
const closed = Object.fromEntries(WEEKDAYS.map((day) => [day, {}]));
const profile: FarmProfile = {
  farmName: 'Green Valley',
  description: 'Good soil.',
  establishedYear: null,
  socialMedia: { facebook: '', instagram: '', twitter: '' },
  farmingPractices: [],
  businessHours: BusinessHours.parse({ ...closed, monday: { open: '08:00', close: '12:00' } }),
  showsEmail: true,
  acceptsPickup: true,
  acceptsDelivery: false,
  deliveryRadius: 12.5,
  deliveryAreas: [],
  photo: null,
  cover: null,
  version: 3,
  timeZone: 'Asia/Karachi',
  contact: null,
  answerMinutes: 120,
  weightTolerancePercent: 20,
};
const PATH = `/users/farmers/${farmer._id}`;
const PUT = 'PUT /users/farmers/profile';
const one = (data: unknown, status = 200): Reply => ({ status, body: { success: true, data } });
const detail = (now: FarmProfile): FarmerDetail => ({ farmer, profile: now });

let cache: QueryClient;
let now: FarmProfile;

/** Opens sections of a farm whose profile is `now`, which the server changes as it is asked to. */
async function open(sections: readonly FarmSection[], over: Partial<FarmProfile> = {}) {
  now = { ...profile, ...over };
  const calls = stubNetwork({
    [`GET ${PATH}`]: () => one(detail(now)),
    [PUT]: ({ body }) => {
      const { expectedVersion, socialMedia, businessHours, ...fields } = body as FarmProfile & {
        expectedVersion: number;
      };
      if (expectedVersion !== now.version) {
        return {
          status: 409,
          body: { success: false, code: 'VERSION_CONFLICT', message: 'Changed.', data: now },
        };
      }
      now = {
        ...now,
        ...fields,
        socialMedia: { ...now.socialMedia, ...socialMedia },
        businessHours: { ...now.businessHours, ...businessHours },
        version: expectedVersion + 1,
      };
      return one(now);
    },
  });
  cache = createQueryClient();
  render(
    <Providers client={cache}>
      <FarmProfileForm farmerId={farmer._id} sections={sections} pictureField={() => null} />
    </Providers>,
  );
  await screen.findAllByRole('region');
  return () =>
    calls.filter(({ method }) => method === 'PUT').map(({ body }) => body as FarmProfile);
}
const section = (name: string) => within(screen.getByRole('form', { name }));
const save = (name: string) => userEvent.click(section(name).getByRole('button', { name: 'Save' }));
const saved = (name: string) => section(name).findByText('Farm profile updated successfully!');

beforeEach(() => {
  localStorage.clear();
  store.set(tokenAtom, aToken);
  store.set(userAtom, farmer);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('saves a section by itself, over what somebody else has changed since', async () => {
  const sent = await open(['about', 'links']);
  await userEvent.type(section('The farm').getByLabelText(/^Farm name/), ' Farm');
  const links = section('Email and social links');
  await userEvent.click(links.getByLabelText(/^Show/));
  now = { ...now, description: 'Better soil.', version: 4 };
  await save('Email and social links');
  await saved('Email and social links');
  expect(sent().at(-1)).toEqual({
    farmName: 'Green Valley',
    description: 'Better soil.',
    showsEmail: false,
    socialMedia: profile.socialMedia,
    expectedVersion: 4,
  });
  // What was typed elsewhere is there still, and is saved over both.
  await save('The farm');
  await saved('The farm');
  expect(now).toMatchObject({
    farmName: 'Green Valley Farm',
    description: 'Better soil.',
    showsEmail: false,
  });
});

it('saves one section after another without a conflict', async () => {
  const sent = await open(['about', 'links', 'changes']);
  // One that is touched already, and one that is not.
  await userEvent.type(
    section('Email and social links').getByLabelText('Facebook'),
    'https://a.test/',
  );
  const minutes = section('When an order changes').getByLabelText(/^Minutes/);
  await userEvent.clear(minutes);
  await userEvent.type(minutes, '30');
  await save('Email and social links');
  await saved('Email and social links');
  await save('When an order changes');
  await saved('When an order changes');
  await save('The farm');
  await saved('The farm');
  expect(sent()).toHaveLength(3);
  expect(now).toMatchObject({ socialMedia: { facebook: 'https://a.test/' }, answerMinutes: 30 });
});

it('shows what somebody else changes in a section that is untouched', async () => {
  await open(['about', 'handoff']);
  await userEvent.type(section('The farm').getByLabelText(/^Farm name/), ' Farm');
  now = { ...now, farmName: 'Blue Valley', acceptsDelivery: true, version: 4 };
  act(() => cache.setQueryData(farmerQuery(farmer._id).queryKey, detail(now)));
  await vi.waitFor(() =>
    expect(
      section('How customers get it').getByLabelText<HTMLInputElement>('Accepts delivery').checked,
    ).toBe(true),
  );
  const name = section('The farm').getByLabelText<HTMLInputElement>(/^Farm name/);
  expect(name.value).toBe('Green Valley Farm');
  await save('The farm');
  await section('The farm').findByText(/This is “Blue Valley” by now/);
});

it('keeps what is typed into a section until that section is saved', async () => {
  await open(['about', 'links']);
  await userEvent.type(section('The farm').getByLabelText(/^Farm name/), ' Farm');
  await save('Email and social links');
  await saved('Email and social links');
  cleanup();
  await open(['about', 'links']);
  await screen.findByText('Restored what you had typed.');
  expect(section('The farm').getByLabelText<HTMLInputElement>(/^Farm name/).value).toBe(
    'Green Valley Farm',
  );
});

it('keeps the hours of days that somebody else changes', async () => {
  const sent = await open(['hours']);
  const hours = section('Business hours');
  const monday = within(hours.getByRole('group', { name: 'Monday' }));
  fireEvent.change(monday.getByLabelText(/^To/), { target: { value: '13:00' } });
  await userEvent.click(hours.getByRole('button', { name: 'Add hours on Monday' }));
  const tuesday = { open: '09:00', close: '10:00', more: [] };
  now = { ...now, businessHours: { ...now.businessHours, tuesday }, version: 4 };
  await save('Business hours');
  await saved('Business hours');
  expect(sent().at(-1)?.businessHours).toMatchObject({
    monday: { open: '08:00', close: '13:00', more: [{ open: '14:00', close: '19:00' }] },
    tuesday,
    sunday: { open: '', close: '', more: [] },
  });
});

it('says what is wrong with hours at their fields', async () => {
  const sent = await open(['hours']);
  const hours = section('Business hours');
  await userEvent.click(hours.getByRole('button', { name: 'Add hours on Monday' }));
  const second = within(hours.getByRole('group', { name: 'Monday, range 2' }));
  fireEvent.change(second.getByLabelText(/^From/), { target: { value: '11:00' } });
  fireEvent.change(second.getByLabelText(/^To/), { target: { value: '' } });
  await save('Business hours');
  await second.findByText('Give a closing time too.');
  fireEvent.change(second.getByLabelText(/^To/), { target: { value: '15:00' } });
  await save('Business hours');
  await second.findByText('These hours overlap with others of this day.');
  expect(sent()).toEqual([]);
});

it('begins with the zone of the browser where a farm has no hours yet', async () => {
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    timeZone: 'Europe/Berlin',
  } as Intl.ResolvedDateTimeFormatOptions);
  const sent = await open(['hours'], { businessHours: BusinessHours.parse(closed) });
  vi.restoreAllMocks();
  const zone = screen.getByRole<HTMLInputElement>('combobox', { name: 'Time zone' });
  expect(zone.value).toBe('Berlin');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Saturday' }));
  await save('Business hours');
  await saved('Business hours');
  expect(sent().at(-1)).toMatchObject({
    timeZone: 'Europe/Berlin',
    businessHours: { saturday: { open: '08:00', close: '18:00' } },
  });
});

it('asks what the farm is before anything else that needs it', async () => {
  await open(['hours'], { farmName: '', description: '' });
  expect(screen.queryByRole('form')).toBeNull();
  const link = within(screen.getByRole('region', { name: 'Business hours' })).getByRole('link');
  expect(link.getAttribute('href')).toBe('/farmer/settings#farmName');
  cleanup();
  await open(['about', 'hours'], { farmName: '', description: '' });
  expect(screen.queryByRole('region', { name: 'Business hours' })).toBeNull();
  await userEvent.type(section('The farm').getByLabelText(/^Farm name/), 'Hill');
  await userEvent.type(section('The farm').getByLabelText(/^Description/), 'Soil.');
  await save('The farm');
  await screen.findByRole('form', { name: 'Business hours' });
});
