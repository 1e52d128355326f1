// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { Route } from 'wouter';
import type { Order } from '#contract/ordering/orders/orders';
import { setMarket, theMarket } from '#contract/platform/market/constants';
import { DEMO_CONTACT } from '#contract/platform/market/constants/choices';
import { unsentAtom } from '../../farm/messages/outbox.ts';
import OrderPage from '../../pages/ordering/OrderPage.tsx';
import { beginAs, list, one, open, sent } from '../../pages/testing/page.tsx';
import { store, userAtom } from '../../platform/session/session.ts';
import {
  aUser,
  type Call,
  type Reply,
  readIn,
  refusal,
  stubNetwork,
} from '../../platform/testing/network.ts';
import { anOrder } from '../../platform/testing/orders.ts';
import { complaintText, type FaultyLine, isComplaintTime, problemOf } from './complaint.ts';

const DAY_MS = 86_400_000;
const base = anOrder(1);
const farmId = base.farmer._id;
const kale = base.items[0] as Order['items'][number];
const beets = {
  ...kale,
  _id: '00000000-0000-4000-8000-0000000000a2',
  product: { ...kale.product, name: 'Beets', unit: 'lb' as const },
  quantity: 2,
};
const completedAt = (ms: number, over: Partial<Order> = {}): Order => {
  const by = { _id: farmId, name: 'Finn Grower', role: 'farmer' as const };
  const at = new Date(ms).toISOString();
  return {
    ...base,
    status: 'completed',
    items: [kale, beets],
    timeline: [...base.timeline, { sequence: 2, kind: 'status', status: 'completed', at, by }],
    ...over,
  };
};

describe('the time to say that something was wrong', () => {
  const now = Date.parse('2026-11-20T12:00Z');
  it.each([
    ['as it is completed', completedAt(now), true],
    ['almost fourteen days later', completedAt(now - 14 * DAY_MS + 1), true],
    ['fourteen days later', completedAt(now - 14 * DAY_MS), false],
    ['before it is completed', { ...completedAt(now), status: 'accepted' as const }, false],
    ['of an order that was called off', anOrder(1, { status: 'cancelled' }), false],
  ])('%s', (_, order, isTime) => {
    expect(isComplaintTime(order, now)).toBe(isTime);
  });
});

describe('what a farm reads', () => {
  const said = (fault: FaultyLine['fault'], words = ''): FaultyLine => ({ fault, words });
  const faulty = new Map([
    [kale._id, said('missing')],
    [beets._id, said('less', ' Only a\npound. ')],
  ]);

  it('is the order, a line for each that was wrong, and what else there is', () => {
    expect(complaintText(completedAt(0), faulty, ' The crate was wet. ')).toBe(
      [
        'Something was wrong with my order #abcdef01:',
        '• 3 bunches Kale: missing',
        '• 2 lb Beets: too little. Only a pound.',
        'The crate was wet.',
      ].join('\n'),
    );
    expect(
      complaintText(completedAt(0), new Map([[kale._id, said('other', 'Slugs')]]), ''),
    ).toMatch(/\n• 3 bunches Kale: Slugs$/);
    expect(complaintText(completedAt(0), new Map([[kale._id, said('')]]), '')).toBe('');
  });

  it.each(['de', 'ur'])('is written as its customer reads, in %s too', async (language) => {
    await readIn(language);
    const text = complaintText(completedAt(0), faulty, '');
    expect(text).toContain('#abcdef01');
    expect(text).not.toMatch(/wrong|missing|little/);
  });

  it('lacks what was wrong until it is chosen, and words where none of the choices fits', () => {
    expect(problemOf(said(''))).toEqual({ fault: 'Choose what was wrong.' });
    expect(problemOf(said('other', ' '))).toEqual({ words: 'Say what was wrong.' });
    expect(problemOf(said('damaged'))).toEqual({});
  });
});

beginAs({ ...aUser('consumer'), _id: base.consumer._id });

const thread = (mayWrite: boolean): Reply => ({
  status: 200,
  body: {
    ...(list([]) as { body: object }).body,
    user: { _id: farmId, name: 'Finn Grower', role: 'farmer' },
    mayWrite,
  },
});

/** Opens the page of an order that was completed yesterday. */
function openPage(
  replies: Record<string, Reply | ((call: Call) => Reply)> = {},
  order = completedAt(Date.now() - DAY_MS),
) {
  window.history.replaceState(null, '', `/orders/${order._id}`);
  const calls = stubNetwork({
    [`GET /orders/${order._id}`]: one(order),
    [`GET /messages/${farmId}`]: thread(true),
    ...replies,
  });
  open(<Route path="/orders/:id" component={OrderPage} />);
  return calls;
}
const user = userEvent.setup();
const ask = async () => {
  await user.click(await screen.findByRole('button', { name: 'Was anything wrong?' }));
  return within(await screen.findByRole('dialog', { name: 'Was anything wrong?' }));
};

it('sends what was wrong to the farm, about the order, and opens the conversation', async () => {
  const calls = openPage({
    'POST /messages': ({ body }) =>
      one({
        ...(body as object),
        sender: { _id: base.consumer._id, name: 'Cora Buyer' },
        receiver: { _id: farmId, name: 'Finn Grower' },
        isRead: false,
        createdAt: new Date().toISOString(),
      }),
  });
  const dialog = await ask();
  // With the keyboard alone: it begins on the first line.
  const first = dialog.getByRole('checkbox', { name: '3 bunches Kale' });
  await waitFor(() => expect(document.activeElement).toBe(first));
  await user.keyboard(' ');
  await user.tab();
  expect(document.activeElement).toBe(dialog.getByLabelText(/^What was wrong: Kale/));
  await user.selectOptions(document.activeElement as Element, 'It was damaged');
  await user.tab();
  await user.keyboard('Yellow leaves');
  const content = [
    'Something was wrong with my order #abcdef01:',
    '• 3 bunches Kale: damaged. Yellow leaves',
  ].join('\n');
  expect(dialog.getByRole('region', { name: 'What Green Valley will read' }).textContent).toContain(
    content,
  );
  await user.click(dialog.getByRole('button', { name: 'Send to Green Valley' }));
  await waitFor(() => expect(window.location.pathname).toBe(`/messages/${farmId}`));
  expect(sent(calls, 'POST')).toEqual([
    { _id: expect.any(String), receiver: farmId, relatedOrder: base._id, content },
  ]);
});

it('does not send what is not said, and goes to the field that lacks it', async () => {
  const calls = openPage();
  const dialog = await ask();
  const send = dialog.getByRole('button', { name: 'Send to Green Valley' });
  await user.click(send);
  expect(await dialog.findByText('Tick what was wrong, or say it here.')).toBeDefined();
  expect(document.activeElement).toBe(dialog.getByLabelText('Anything else'));
  await user.click(dialog.getByRole('checkbox', { name: '2 lb Beets' }));
  await user.click(send);
  expect(document.activeElement).toBe(dialog.getByLabelText(/^What was wrong: Beets/));
  await user.selectOptions(document.activeElement as Element, 'Something else');
  await user.click(send);
  expect(document.activeElement).toBe(dialog.getByLabelText(/^In your own words: Beets/));
  expect(sent(calls, 'POST')).toEqual([]);
});

it('keeps it for the line without a connection, and says so', async () => {
  openPage({ 'POST /messages': 'no answer' });
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  try {
    const dialog = await ask();
    await user.type(dialog.getByLabelText('Anything else'), 'The crate was wet.');
    await user.click(dialog.getByRole('button', { name: 'Send to Green Valley' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(store.get(unsentAtom)).toMatchObject([
      { receiver: farmId, relatedOrder: base._id, content: expect.stringMatching(/wet\.$/) },
    ]);
    expect(window.location.pathname).toBe(`/orders/${base._id}`);
  } finally {
    Reflect.deleteProperty(navigator, 'onLine');
  }
});

it('stays open with what was said where it is refused', async () => {
  openPage({ 'POST /messages': refusal(404, 'This farm is off the market for now.') });
  const dialog = await ask();
  await user.type(dialog.getByLabelText('Anything else'), 'The crate was wet.');
  await user.click(dialog.getByRole('button', { name: 'Send to Green Valley' }));
  await waitFor(() =>
    expect(
      dialog.getByRole('button', { name: 'Send to Green Valley' }).getAttribute('aria-busy'),
    ).not.toBe('true'),
  );
  expect(dialog.getByLabelText<HTMLTextAreaElement>('Anything else').value).toContain('wet');
});

it.each([
  ['was suspended before anything was written', refusal(404, 'User not found')],
  ['has left the market', thread(false)],
])('says who helps where the farm %s', async (_, reply) => {
  const before = theMarket();
  setMarket({ ...before, contact: { ...DEMO_CONTACT, email: 'help@market.test' } });
  try {
    openPage({ [`GET /messages/${farmId}`]: reply });
    await ask();
    expect(await screen.findByText('You cannot write to Green Valley.')).toBeDefined();
    const link = screen.getByRole('link', { name: 'help@market.test' });
    expect(link.getAttribute('href')).toBe('mailto:help@market.test');
  } finally {
    setMarket(before);
  }
});

it('asks neither the farm nor after fourteen days', async () => {
  openPage({}, completedAt(Date.now() - 15 * DAY_MS));
  await screen.findByText('All done');
  expect(screen.queryByRole('button', { name: 'Was anything wrong?' })).toBeNull();
  store.set(userAtom, { ...aUser('farmer'), _id: farmId });
  openPage();
  await screen.findByText('Contact customer');
  expect(screen.queryByRole('button', { name: 'Was anything wrong?' })).toBeNull();
});

it('prepares the message that asks to cancel an accepted order, after what is typed already', async () => {
  const accepted = { ...completedAt(0), status: 'accepted' as const };
  openPage(
    {},
    { ...accepted, pickupDetails: { date: '2999-01-05', time: '16:30', location: 'The gate' } },
  );
  expect(await screen.findByText(/To cancel, write to the farm\.$/)).toBeDefined();
  const field = screen.getByLabelText<HTMLTextAreaElement>(/^Message to Finn Grower/);
  await user.type(field, 'Sorry.');
  await user.click(screen.getByRole('button', { name: 'Ask to cancel' }));
  const request = 'Please cancel my order #abcdef01: 3 bunches Kale, 2 lb Beets.';
  await waitFor(() => expect(field.value).toBe(`Sorry.\n${request}`));
  expect(document.activeElement).toBe(field);
  await user.click(screen.getByRole('button', { name: 'Ask to cancel' }));
  expect(field.value).toBe(`Sorry.\n${request}`);
});
