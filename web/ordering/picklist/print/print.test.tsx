// @vitest-environment happy-dom

import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { SHEET_ORDERS_MAX } from '#contract/ordering/picklist/constants';
import { pickOrderOf } from '#contract/ordering/picklist/pick-summary';
import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { Providers } from '../../../app/Providers.tsx';
import { stubNetwork } from '../../../platform/testing/network.ts';
import { anOrder } from '../../../platform/testing/orders.ts';
import { viewOf } from '../work/fold.ts';
import { PrintDialog } from './PrintDialog.tsx';

// Which papers of a day are offered.

const date = '2026-11-28';
const order = (number: number, over: Partial<PickOrder> = {}): PickOrder => ({
  ...pickOrderOf(anOrder(number)),
  status: 'accepted',
  date,
  ...over,
});
const delivery = {
  place: null,
  address: '5 Mall Road, Lahore',
  addressLines: ['5 Mall Road', 'Lahore'],
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(orders: PickOrder[]) {
  const calls = stubNetwork({ 'GET /farm/picklist/sheets.pdf': 'no answer' });
  const view = viewOf({ date, place: null, orders, ticks: [], print: null, summary: null });
  render(
    <Providers>
      <PrintDialog view={view} isPending={false} onPrint={() => {}} onClose={() => {}} />
    </Providers>,
  );
  return calls;
}
const choose = async (name: string) => userEvent.click(await screen.findByRole('radio', { name }));
const mayDownload = () =>
  !screen.getByRole<HTMLButtonElement>('button', { name: 'Download PDF' }).disabled;

it('offers the sheets of a day, and says of how many orders they are', async () => {
  const calls = open([order(1), order(2, { status: 'completed' }), order(3, delivery)]);
  expect(await screen.findByRole('dialog', { name: 'Print 1' })).toBeDefined();
  await choose('Packing slips');
  expect(await screen.findByText('2 orders')).toBeDefined();
  // What is chosen by keys keeps the focus.
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Packing slips' }));
  await choose('Run sheet for the driver');
  const dialog = within(await screen.findByRole('dialog', { name: 'Run sheet for the driver' }));
  expect(dialog.getByText('1 delivery')).toBeDefined();
  expect(dialog.queryByRole('button', { name: 'Print' })).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'Download PDF' }));
  await waitFor(() =>
    expect(calls.some(({ path }) => path === '/farm/picklist/sheets.pdf')).toBe(true),
  );
});

it('has no run sheet for a day without deliveries', async () => {
  open([order(1)]);
  await choose('Run sheet for the driver');
  expect(await screen.findByText('There are no accepted deliveries on this day.')).toBeDefined();
  expect(mayDownload()).toBe(false);
  await choose('Loading list');
  expect(mayDownload()).toBe(true);
});

it('asks to choose a place where there are too many orders for one file', async () => {
  open(Array.from({ length: SHEET_ORDERS_MAX + 1 }, (_, index) => order(index)));
  await choose('Packing slips');
  expect(await screen.findByText(/^These are 501 orders\./)).toBeDefined();
  expect(mayDownload()).toBe(false);
});
