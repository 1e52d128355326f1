// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import {
  DEFAULT_MARKET,
  type Market,
  setMarket,
  theMarket,
} from '#contract/platform/market/constants';
import { createQueryClient } from '../../platform/queries/query-client.ts';
import { type Call, type Reply, stubNetwork } from '../../platform/testing/network.ts';
import { beginAs, one } from '../testing/page.tsx';
import { MarketSettingsForm } from './AdminMarketPage.tsx';

beginAs();
afterEach(() => setMarket(DEFAULT_MARKET));

const market: Market = { ...DEFAULT_MARKET, name: 'Hill Market', version: 3 };

/** Shows the form of settings; `save` answers what it sends. */
function open(save: (call: Call) => Reply, name = market.name) {
  const calls = stubNetwork({ 'PUT /market': save });
  const view = (shown: Market) => (
    <QueryClientProvider client={client}>
      <MarketSettingsForm market={shown} />
    </QueryClientProvider>
  );
  const client = createQueryClient();
  const { rerender } = render(view({ ...market, name }));
  return { calls, show: (next: Market) => rerender(view(next)) };
}

const taken = (call: Call): Reply => {
  const { expectedVersion, ...settings } = call.body as Market & { expectedVersion: number };
  return one({ ...settings, version: expectedVersion + 1 });
};
const field = (name: string) => screen.getByLabelText(name) as HTMLInputElement;
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Save settings' }));
const preview = () => screen.getByRole('status', { name: 'Preview' }).textContent;

it('saves what was changed, with the version it was made from, and shows it everywhere', async () => {
  const { calls } = open(taken);
  await userEvent.clear(field('Tagline'));
  await userEvent.type(field('Tagline'), 'Fresh from the hill');
  await userEvent.selectOptions(field('A week begins on'), 'Sunday');
  await userEvent.click(field('lb'));
  await submit();
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.body).toMatchObject({
    name: 'Hill Market',
    tagline: 'Fresh from the hill',
    weekStart: 0,
    units: DEFAULT_MARKET.units.filter((unit) => unit !== 'lb'),
    expectedVersion: 3,
  });
  await waitFor(() => expect(theMarket().tagline).toBe('Fresh from the hill'));
});

it('suggests how a currency is written, and previews it', async () => {
  open(taken);
  expect(preview()).toContain('₨1,234.50');
  await userEvent.selectOptions(field('Currency'), 'EUR');
  await userEvent.selectOptions(field('Where the sign stands'), 'After the amount');
  await userEvent.selectOptions(field('Numbers and dates as in'), 'de-DE');
  expect(field('Sign').value).toBe('€');
  await waitFor(() => expect(preview()?.replace(/\s/g, ' ')).toContain('1.234,50 €'));
  expect(preview()).toContain('28 November');
  // A currency brings how it is usually written there, its side included.
  await userEvent.selectOptions(field('Where the sign stands'), 'Before the amount');
  await userEvent.selectOptions(field('Currency'), 'USD');
  expect([field('Sign').value, field('Where the sign stands').value]).toEqual(['$', 'after']);
});

it('takes country and languages, and the units that are usual there', async () => {
  const { calls } = open(taken);
  await userEvent.selectOptions(field('Country'), 'United States');
  expect(field('Distances in').value).toBe('us');
  await userEvent.click(field('Deutsch'));
  await userEvent.selectOptions(field('Language of the market'), 'اردو');
  await submit();
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.body).toMatchObject({
    country: 'US',
    unitSystem: 'us',
    languages: ['ur', 'en', 'de'],
  });
});

it('shows what cannot be, at its field', async () => {
  const { calls } = open(() => ({
    status: 409,
    body: {
      success: false,
      code: 'CURRENCY_IN_USE',
      message: 'There are prices in this currency.',
      errors: [{ path: 'currency.code', message: 'There are prices already.' }],
    },
  }));
  await userEvent.clear(field('Name *'));
  await submit();
  expect(await screen.findByText('Enter the name of the market.')).toBeDefined();
  expect(calls).toHaveLength(0);
  await userEvent.type(field('Name *'), 'Hill');
  await userEvent.selectOptions(field('Currency'), 'EUR');
  await submit();
  expect(await screen.findByText('There are prices already.')).toBeDefined();
  expect(field('Name *').value).toBe('Hill');
});

it('follows another admin while nothing is edited, and shows where both changed the same', async () => {
  const others = { ...market, tagline: 'Theirs', name: 'Their Market', version: 4 };
  const { calls, show } = open((call) =>
    (call.body as { expectedVersion: number }).expectedVersion === 4
      ? taken(call)
      : {
          status: 409,
          body: { success: false, code: 'VERSION_CONFLICT', message: 'Changed.', data: others },
        },
  );
  await userEvent.clear(field('Name *'));
  await userEvent.type(field('Name *'), 'Mine');
  act(() => show(others));
  expect([field('Name *').value, field('Tagline').value]).toEqual(['Mine', '']);
  await submit();
  expect(await screen.findByText(/“Their Market” by now/)).toBeDefined();
  await submit();
  await waitFor(() => expect(calls).toHaveLength(2));
  expect(calls[1]?.body).toMatchObject({ name: 'Mine', tagline: 'Theirs', expectedVersion: 4 });
  const form = within(screen.getByRole('form', { name: 'Market settings' }));
  await waitFor(() => expect(form.queryByText(/by now/)).toBeNull());
  // Shows the settings as they were saved, and then those that come with an event.
  act(() => show({ ...others, name: 'Mine', version: 5 }));
  act(() => show({ ...others, name: 'Newer', version: 6 }));
  await waitFor(() => expect(field('Name *').value).toBe('Newer'));
});

it('takes the pages of the people of the About page', async () => {
  const { calls } = open(taken, DEFAULT_MARKET.name);
  const maya = field('Profile of Maya Lindgren');
  await userEvent.clear(maya);
  await userEvent.type(maya, 'https://maya.example');
  await userEvent.clear(field('Profile of Owen Clarke'));
  await submit();
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]).toHaveProperty('body.teamLinks.0', 'https://maya.example');
  expect(calls[0]).toHaveProperty('body.teamLinks.3', '');
});

it('knows no such people where the market has a name of its own', async () => {
  const { calls } = open(taken);
  expect(screen.queryByLabelText('Profile of Maya Lindgren')).toBeNull();
  await userEvent.type(field('Tagline'), 'Fresh');
  await submit();
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]).toHaveProperty('body.teamLinks', []);
});
