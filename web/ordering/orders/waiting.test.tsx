// @vitest-environment happy-dom
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { Route } from 'wouter';
import type { FarmerDetail } from '#contract/farm/farmers/farmers';
import type { Order } from '#contract/ordering/orders/orders';
import OrderPage from '../../pages/ordering/OrderPage.tsx';
import OrdersPage from '../../pages/ordering/OrdersPage.tsx';
import { beginAs, list, one, open } from '../../pages/testing/page.tsx';
import { aUser, readIn, stubNetwork } from '../../platform/testing/network.ts';
import { anOrder } from '../../platform/testing/orders.ts';
import { answersFromSentence } from './waiting.ts';

const order = anOrder(1, { pickupDetails: { date: '2026-11-05', time: '16:30', location: '' } });
beginAs({ ...aUser('consumer'), _id: order.consumer._id });

const PLACED_MS = Date.parse(order.createdAt);
/** What a farm asks; what it is does not matter here. */
const asked = { _id: 'asked' } as Order['openChange'];
const unanswered = 'Green Valley has not answered yet';

/** Opens the order's page so many minutes after it was placed. */
function openAfter(minutes: number, shown: Order = order) {
  vi.useFakeTimers({ now: PLACED_MS + minutes * 60_000, shouldAdvanceTime: true });
  window.history.replaceState(null, '', `/orders/${order._id}`);
  const calls = stubNetwork({
    [`GET /orders/${order._id}`]: one(shown),
    [`PUT /orders/${order._id}`]: one({ ...shown, status: 'cancelled', version: 2 }),
  });
  open(<Route path="/orders/:id" component={OrderPage} />);
  return calls;
}
const nextSteps = async () => {
  const heading = await screen.findByRole('heading', { level: 2, name: /Green Valley/ });
  const section = heading.closest('section');
  if (!section) throw new Error('What happens next has no section.');
  return within(section);
};

it('says by itself that a farm has not answered, beside the button to cancel', async () => {
  const calls = openAfter(29);
  await screen.findByText("We've told Green Valley");
  act(() => void vi.advanceTimersByTime(60_000));
  await screen.findByText(unanswered);
  const steps = await nextSteps();
  expect(steps.getByText(/^You can cancel free of charge\. Pickup would be/)).toBeDefined();
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  await user.click(steps.getByRole('button', { name: /^Cancel order/ }));
  const dialog = within(await screen.findByRole('alertdialog'));
  await user.click(dialog.getByRole('button', { name: 'Cancel order' }));
  await vi.waitFor(() => expect(screen.queryByText(unanswered)).toBeNull());
  expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

it('does not say so of one that is answered', async () => {
  openAfter(45, { ...order, status: 'accepted' });
  await nextSteps();
  expect(screen.queryByText(unanswered)).toBeNull();
});

it('says it on the card of a list to its customer', async () => {
  vi.useFakeTimers({ now: PLACED_MS + 45 * 60_000, shouldAdvanceTime: true });
  stubNetwork({
    'GET /orders/consumer': list([
      order,
      anOrder(44),
      anOrder(2, { status: 'accepted' }),
      anOrder(3, { openChange: asked }),
    ]),
  });
  open(<OrdersPage />);
  const words = await screen.findByText('Not answered yet. You can cancel free of charge.');
  expect(words.closest('li')?.textContent).toContain('#abcdef01');
});

const farm = (
  quietHours: { from: string; to: string } | null | undefined,
  { timeZone = 'Asia/Karachi', cutoff = null as { daysBefore: number; time: string } | null } = {},
) =>
  ({ profile: { quietHours, timeZone }, handoff: { cutoff } }) as Pick<
    FarmerDetail,
    'profile' | 'handoff'
  >;
const night = { from: '21:00', to: '07:00' };
const sentence = (quiet: ReturnType<typeof farm>, at: string, over: Partial<Order> = {}) =>
  answersFromSentence({ ...order, ...over }, quiet, Date.parse(at));

it('says from when a farm answers that is quiet now, by its clock', async () => {
  const clock = "By the farm's clock, where it is 11:00 PM now.";
  expect(sentence(farm(night), '2026-11-02T18:00Z')).toBe(
    `Green Valley answers from 7:00 AM tomorrow. ${clock}`,
  );
  expect(sentence(farm(night), '2026-11-02T20:00Z')).toMatch(
    /^Green Valley answers from 7:00 AM\. /,
  );
  expect(sentence(farm(night, { timeZone: 'UTC' }), '2026-11-02T23:00Z')).toBe(
    'Green Valley answers from 7:00 AM tomorrow.',
  );
  await readIn('de');
  expect(sentence(farm(night, { timeZone: 'UTC' }), '2026-11-02T23:00Z')).toBe(
    'Green Valley antwortet morgen ab 07:00.',
  );
});

it.each([
  ['by day', farm(night), '2026-11-02T07:00Z', {}],
  ['of a farm that is never quiet', farm(null), '2026-11-02T18:00Z', {}],
  ['where an older server says nothing', farm(undefined), '2026-11-02T18:00Z', {}],
  ['once it is answered', farm(night), '2026-11-02T18:00Z', { status: 'rejected' }],
  [
    'where orders close before',
    farm(night, { cutoff: { daysBefore: 2, time: '23:30' } }),
    '2026-11-03T18:00Z',
    {},
  ],
  [
    'where the handover is before',
    farm(night),
    '2026-11-04T18:00Z',
    { pickupDetails: { date: '2026-11-05', time: '06:30', location: '' } },
  ],
] as const)('says nothing of it %s', (_, quiet, at, over) => {
  expect(sentence(quiet, at, over)).toBeUndefined();
});
