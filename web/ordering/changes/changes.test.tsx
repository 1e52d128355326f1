// @vitest-environment happy-dom

import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { TimelineEntry } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import { Providers } from '../../app/Providers.tsx';
import { type Reply, stubNetwork } from '../../platform/testing/network.ts';
import { aLine, anOrderOf, aProposal } from '../../platform/testing/proposals.ts';
import { ConsumersProposal } from './proposals/AnswerCard.tsx';
import { FarmChanges } from './proposals/FarmProposal.tsx';
import { ProposalBanner } from './proposals/ProposalBanner.tsx';
import { goods, one, open, press, show, startFresh, stock } from './testing/screens.tsx';

const plain = anOrderOf([aLine(1), aLine(2), aLine(3)]);
const proposal = aProposal(plain);
const asked: Order = { ...plain, openChange: proposal, version: 4 };
type ProposalEntry = Extract<TimelineEntry, { kind: 'proposal' }>;
const entryOf = (status: ProposalEntry['detail']['status']): ProposalEntry => ({
  sequence: 5,
  kind: 'proposal',
  at: '2026-11-02T12:30:00.000Z',
  by: proposal.createdBy,
  detail: {
    proposal: proposal._id,
    status,
    differences: [],
    totalBefore: plain.totalAmount,
    totalAfter: plain.totalAmount,
  },
});

startFresh();

describe("a farm's question to the customer", () => {
  const path = `PUT /orders/${plain._id}/changes/${proposal._id}/answer`;
  const openCard = () => open('consumer', asked, (order) => <ConsumersProposal order={order} />);

  it('shows old and new, the time that is left and what happens without an answer', async () => {
    openCard();
    const card = within(
      await screen.findByRole('region', { name: 'Green Valley asks: is this all right?' }),
    );
    expect(card.getByText('1 h 10 min left')).toBeDefined();
    expect(card.getByText('Frost got them.')).toBeDefined();
    expect(card.getByText('4 lb Product 1').tagName).toBe('S');
    expect(card.getByText('2 lb of Product 1')).toBeDefined();
    expect(card.getByText('3 bunches Chard')).toBeDefined();
    expect(card.getByText('Not harvested.')).toBeDefined();
    expect(
      card.getByText(/you get 2 lb of Product 1 and no Product 2.*That makes ₨15\.00/),
    ).toBeDefined();
    expect(card.getByText('₨22.50')).toBeDefined();
  });

  it('is accepted as a whole by one press, and is not announced to anyone who answered', async () => {
    const accepted = { ...plain, version: 5, timeline: [entryOf('accepted')] };
    const calls = stubNetwork({ [path]: one(accepted) });
    openCard();
    await press('Accept all');
    expect(await screen.findByText('Your answer is with the farm')).toBeDefined();
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
      items: proposal.items.map(({ lineId }) => ({ lineId, answer: 'accept' })),
    });
    expect(screen.queryByRole('button', { name: 'Accept all' })).toBeNull();
    expect(screen.queryByText('You accepted the change.')).toBeNull();
  });

  it('asks before the whole order is cancelled', async () => {
    const calls = stubNetwork({ [path]: one({ ...plain, status: 'cancelled', version: 5 }) });
    openCard();
    await press(/^Cancel the whole order/);
    expect(calls).toEqual([]);
    const question = within(await screen.findByRole('alertdialog'));
    await userEvent.click(question.getByRole('button', { name: 'Cancel order' }));
    expect(await screen.findByText('Your order is cancelled')).toBeDefined();
    expect(calls[0]?.body).toEqual({ cancelOrder: true });
  });

  it.each([
    ['expired', /The time to answer is over/],
    ['withdrawn', /Green Valley took the change back/],
    ['accepted', /You accepted the change/],
  ] as const)('shows that it was %s elsewhere under the finger', async (status, words) => {
    stubNetwork({});
    openCard();
    await screen.findByRole('button', { name: 'Accept all' });
    show({ ...plain, version: 5, timeline: [entryOf(status)] });
    expect(await screen.findByText(words)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Accept all' })).toBeNull();
    await press('Got it');
    expect(screen.queryByText(words)).toBeNull();
  });

  it('shows that another change took its place, and shows that one', async () => {
    stubNetwork({});
    openCard();
    await press('Leave out Chard');
    const next = { ...proposal, _id: 'next', note: 'Slugs too.' };
    // The timeline has no entry of its own for what was replaced.
    show({ ...asked, openChange: next, version: 5, timeline: [entryOf('open')] });
    expect(await screen.findByText(/replaced its change with another one/)).toBeDefined();
    expect(screen.getByText('Slugs too.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Accept all' })).toBeDefined();
  });

  it('shows how the order is by now when the answer comes too late', async () => {
    const present = { ...plain, version: 6, timeline: [entryOf('expired')] };
    const message = 'This change is no longer open. Look at how the order is now.';
    stubNetwork({
      [path]: {
        status: 409,
        body: { success: false, message, code: 'CHANGE_NOT_OPEN', data: present },
      },
    });
    openCard();
    await press('Accept all');
    expect(await screen.findByText(message)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Accept all' })).toBeNull();
  });
});

describe('the banner', () => {
  it('names the most urgent question on other pages, and none on the page of its order', () => {
    const later = {
      ...asked,
      _id: 'other',
      openChange: { ...proposal, _id: 'later', answerBy: '2026-11-02T20:00:00.000Z' },
    };
    const banner = (path: string) => (
      <Providers>
        <ProposalBanner orders={[later, asked, plain]} path={path} />
      </Providers>
    );
    const { rerender } = render(banner('/products'));
    expect(screen.getByText('Green Valley asks about your order')).toBeDefined();
    expect(screen.getByText('and 1 more')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Answer' }).getAttribute('href')).toBe(
      `/orders/${asked._id}`,
    );
    rerender(banner(`/orders/${asked._id}`));
    expect(screen.getByRole('link', { name: 'Answer' }).getAttribute('href')).toBe('/orders/other');
    expect(screen.queryByText('and 1 more')).toBeNull();
  });
});

describe('what a farm is short of', () => {
  const path = `POST /orders/${plain._id}/changes`;
  const openFarm = (order: Order) =>
    open('farmer', order, (order) => <FarmChanges order={order} reader="farmer" />);
  const rowOf = (name: string) => {
    const group = screen.getByRole('group', { name: new RegExp(name) });
    return within(group.closest('li') as HTMLElement);
  };

  it('is proposed for several lines at once, with the total and what happens beforehand', async () => {
    const calls = stubNetwork({
      'GET /products': stock,
      [path]: { status: 201, body: { success: true, data: asked } },
    });
    openFarm(plain);
    await press('Short on something?');
    await userEvent.click(rowOf('Product 1').getByRole('radio', { name: 'Less' }));
    await userEvent.click(rowOf('Product 1').getByRole('button', { name: /^One less/ }));
    await userEvent.click(rowOf('Product 2').getByRole('radio', { name: 'Instead' }));
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Ask Cora Buyer' }).disabled).toBe(
      true,
    );
    await userEvent.click(await rowOf('Product 2').findByRole('button', { name: /^Chard/ }));
    // 4 lb at 2.50 became 2 lb, 4 lb at 2.50 became 4 lb at 3, and 4 lb stay.
    expect(screen.getByText('₨27.00')).toBeDefined();
    expect(screen.getByText(/can answer until .* which makes ₨15\.00/)).toBeDefined();
    await userEvent.selectOptions(rowOf('Product 1').getByLabelText('Why'), 'quality');
    expect(
      rowOf('Product 1').getByRole<HTMLInputElement>('checkbox', { name: /shelf to 0/ }).checked,
    ).toBe(false);
    await userEvent.type(screen.getByLabelText(/^Note/), 'Slugs.');
    await press('Ask Cora Buyer');
    expect(await screen.findByText('Cora Buyer is asked')).toBeDefined();
    expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
      items: [
        { action: 'reduce', newQuantity: 2, reason: 'quality', emptiesShelf: false },
        {
          action: 'substitute',
          reason: 'not_harvested',
          emptiesShelf: true,
          substitute: { productId: goods(7)._id, quantity: 4 },
        },
      ],
      note: 'Slugs.',
      expectedVersion: 3,
    });
    expect(await screen.findByText("Waiting for Cora Buyer's answer")).toBeDefined();
  });

  it('changes the order at once where the customer wishes so', async () => {
    stubNetwork({ 'GET /products': stock });
    openFarm(anOrderOf([aLine(1, { onShort: 'leave_out' }), aLine(2)]));
    await press('Short on something?');
    await userEvent.click(rowOf('Product 1').getByRole('radio', { name: 'None' }));
    expect(screen.getByText('This is done at once, as Cora Buyer wishes.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Change the order' })).toBeDefined();
    expect(screen.queryByText(/can answer until/)).toBeNull();
  });

  it('shows what a colleague proposed first, and then replaces it knowingly', async () => {
    const message = 'A change of this order waits for the customer’s answer.';
    const replies: Reply[] = [
      { status: 409, body: { success: false, message, code: 'OPEN_CHANGE', data: asked } },
      { status: 201, body: { success: true, data: { ...asked, version: 5 } } },
    ];
    const calls = stubNetwork({ 'GET /products': stock, [path]: () => replies.shift() as Reply });
    openFarm(plain);
    await press('Short on something?');
    await userEvent.click(rowOf('Product 3').getByRole('radio', { name: 'None' }));
    await press('Ask Cora Buyer');
    expect(await screen.findByText(/Finn Grower has asked Cora Buyer meanwhile/)).toBeDefined();
    await press('Ask Cora Buyer');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const sent = calls
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => body as { _id: string; expectedVersion: number });
    expect(sent.map(({ expectedVersion }) => expectedVersion)).toEqual([3, 4]);
    expect(sent[0]?._id).not.toBe(sent[1]?._id);
  });

  it('can be taken back while it waits', async () => {
    const back = { ...plain, version: 5, timeline: [entryOf('withdrawn')] };
    const calls = stubNetwork({
      [`DELETE /orders/${plain._id}/changes/${proposal._id}`]: one(back),
    });
    openFarm(asked);
    await press('Take it back');
    expect(await screen.findByText('The change was taken back')).toBeDefined();
    expect(calls).toHaveLength(1);
    expect(await screen.findByRole('button', { name: 'Short on something?' })).toBeDefined();
  });

  it('shows the new total as it is by now, also when another line was weighed meanwhile', async () => {
    // Less of the first line and something else for the second; the third weighs more than was ordered.
    const items = asked.items.map((line, index) =>
      index === 2 ? { ...line, packed: 4.8, total: line.total + 2 } : line,
    );
    openFarm({ ...asked, items, totalAmount: asked.totalAmount + 2 });
    const words = (await screen.findByText('New total')).parentElement?.textContent;
    expect(words).toBe('New total₨24.50instead of ₨32.00 (−₨7.50)');
  });

  it('is read, and left alone, by those who pack', async () => {
    open('farmer', asked, (order) => <FarmChanges order={order} reader="packer" />);
    await screen.findByText("Waiting for Cora Buyer's answer");
    expect(screen.queryAllByRole('button')).toEqual([]);
    show({ ...plain, version: 5, timeline: [entryOf('accepted')] });
    expect(await screen.findByText('Cora Buyer accepted the change.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Short on something?' })).toBeNull();
  });
});
