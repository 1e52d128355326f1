// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { Providers } from '../../../app/Providers.tsx';
import FarmerOrdersPage from '../../../pages/ordering/FarmerOrdersPage.tsx';
import { store, tokenAtom, userAtom } from '../../../platform/session/session.ts';
import { aToken, aUser, emptyList, stubNetwork } from '../../../platform/testing/network.ts';
import { anOrder } from '../../../platform/testing/orders.ts';
import type * as OrderItems from '../../model/order-items.ts';
import { stopWatchingAnswers, storedAnswersAtom } from '../answers/queued-answers.ts';

const { drawn } = vi.hoisted(() => ({ drawn: [] as unknown[] }));
// Each row puts its goods into words once whenever it is rendered, and nothing else on the page does.
vi.mock('../../model/order-items.ts', async (importOriginal) => {
  const original = await importOriginal<typeof OrderItems>();
  return {
    ...original,
    formatQuantities: (items: Order['items']) => {
      drawn.push(items);
      return original.formatQuantities(items);
    },
  };
});

const COUNT = 40;
const orders = Array.from({ length: COUNT }, (_, index) => anOrder(index + 1));
const row = (index: number) => document.querySelector(`[data-order="${orders[index]?._id}"]`);
const chosen = () =>
  screen.getAllByRole('button', { pressed: true }).find((each) => each.closest('[data-order]'));
const isAt = (index: number) =>
  waitFor(() => {
    expect(chosen()?.closest('[data-order]')).toBe(row(index));
    // The detail follows the row.
    const name = `Order abcdef${String(index + 1).padStart(2, '0')} of Cora Buyer`;
    expect(screen.getByRole('region', { name })).toBeDefined();
  });

/** Opens the farmer's orders on a desktop, and waits until all rows stand there. */
async function open() {
  const calls = stubNetwork({
    'GET /orders/farmer': {
      status: 200,
      body: { success: true, data: orders, count: COUNT, nextCursor: null },
    },
    'GET /products': emptyList,
  });
  render(
    <Providers>
      <FarmerOrdersPage />
    </Providers>,
  );
  await waitFor(() => expect(row(COUNT - 1)).not.toBeNull());
  await isAt(0);
  return calls;
}

beforeEach(() => {
  localStorage.clear();
  window.history.replaceState(null, '', '/farmer/orders?status=pending');
  store.set(tokenAtom, aToken);
  store.set(userAtom, aUser('farmer'));
  const media = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal('matchMedia', (query: string) => ({
    ...media,
    matches: query.startsWith('(min-width'),
  }));
});
afterEach(() => {
  cleanup();
  stopWatchingAnswers();
  store.set(storedAnswersAtom, []);
  Reflect.deleteProperty(navigator, 'locks');
  vi.unstubAllGlobals();
});

it('renders two rows of forty again when J or K moves the choice', async () => {
  await open();
  for (const [key, to] of [
    ['j', 1],
    ['j', 2],
    ['k', 1],
  ] as const) {
    drawn.length = 0;
    fireEvent.keyDown(document.body, { key });
    await isAt(to);
    expect(drawn).toHaveLength(2);
  }
  drawn.length = 0;
  fireEvent.keyDown(document.body, { key: 'k' });
  await isAt(0);
  // There is none before the first.
  drawn.length = 0;
  fireEvent.keyDown(document.body, { key: 'k' });
  await isAt(0);
  expect(drawn).toHaveLength(0);
});

it('takes back all that was accepted at once with one press, and sends nothing of it', async () => {
  // However slow the machine is, nothing is sent before Undo is pressed: another tab has the lock till then.
  let free = () => {};
  const isFree = new Promise<void>((resolve) => {
    free = resolve;
  });
  const request = (_: string, run: () => Promise<void>) => isFree.then(run);
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  const calls = await open();
  await userEvent.click(screen.getByRole('checkbox', { name: `Select all ${COUNT}` }));
  await userEvent.click(screen.getByRole('button', { name: `Accept ${COUNT}` }));
  await screen.findByText(`${COUNT} orders accepted.`);
  await screen.findByText("You're all caught up.");
  await within(row(0) as HTMLElement).findByText('Accepted');
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText(`${COUNT} orders are waiting for you.`);
  await screen.findByRole('checkbox', { name: `Select all ${COUNT}` });
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
  free();
  await isFree;
  expect(storedAnswersAtom.readStored()).toEqual([]);
  expect(calls.filter(({ method }) => method !== 'GET')).toEqual([]);
});
