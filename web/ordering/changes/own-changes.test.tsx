// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { slotOf } from '#contract/farm/slots/constants';
import { addDays } from '#contract/platform/time/constants';
import { localToday } from '../../platform/format/format.ts';
import { stubNetwork } from '../../platform/testing/network.ts';
import { aLine, anOrderOf } from '../../platform/testing/proposals.ts';
import { aSize } from '../cart/testing/goods.ts';
import { ChangeItemsDialog } from './ChangeItemsDialog.tsx';
import ShortageDialog from './shortage/ShortageDialog.tsx';
import { goods, one, open, press, startFresh, stock } from './testing/screens.tsx';

const plain = anOrderOf([aLine(1), aLine(2), aLine(3)]);

startFresh();

describe("a customer's change of an order", () => {
  const path = `PUT /orders/${plain._id}/items`;
  const openDialog = (onClose: () => void = () => {}) =>
    open('consumer', plain, (order) => <ChangeItemsDialog order={order} onClose={onClose} />);

  it('sends the whole new list with the prices of what is added', async () => {
    const onClose = vi.fn();
    const calls = stubNetwork({ 'GET /products': stock, [path]: one({ ...plain, version: 4 }) });
    openDialog(onClose);
    await press('One more: Quantity of Product 1');
    await press('Remove Product 2');
    await press(/^Add from/);
    await press(/^Chard/);
    // 5 lb at 2.50, none, 4 lb at 2.50 and 1 lb at 3.
    expect(screen.getByText('₨25.50')).toBeDefined();
    await press('Save changes');
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
      items: [
        { product: goods(1)._id, quantity: 5, price: 2.5, priceBasis: { unit: 'lb' } },
        { product: goods(3)._id, quantity: 4 },
        { product: goods(7)._id, quantity: 1, price: 3, priceBasis: { unit: 'lb' } },
      ],
      expectedVersion: 3,
    });
  });

  it('asks what becomes of added goods that run short, and sends what is chosen', async () => {
    const calls = stubNetwork({ 'GET /products': stock, [path]: one({ ...plain, version: 4 }) });
    openDialog();
    expect(screen.queryByLabelText(/^If it runs short/)).toBeNull();
    await press(/^Add from/);
    await press(/^Chard/);
    const preference = screen.getByLabelText<HTMLSelectElement>(/^If it runs short: Chard/);
    expect(preference.value).toBe('ask');
    await userEvent.selectOptions(preference, 'leave_out');
    await press('Save changes');
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
        items: [{}, {}, {}, { product: goods(7)._id, onShort: 'leave_out' }],
      }),
    );
  });

  it('takes off, and offers nothing more, while the farm takes no orders', async () => {
    const calls = stubNetwork({ 'GET /products': stock, [path]: one({ ...plain, version: 4 }) });
    const paused = 'Takes orders again from 8 AM tomorrow';
    open('consumer', plain, (order) => (
      <ChangeItemsDialog order={order} paused={paused} onClose={() => {}} />
    ));
    expect(screen.getByText(paused)).toBeDefined();
    expect(screen.queryByRole('button', { name: /^Add from/ })).toBeNull();
    const more = screen.getByRole<HTMLButtonElement>('button', {
      name: 'One more: Quantity of Product 1',
    });
    await waitFor(() => expect(more.disabled).toBe(true));
    await press('Remove Product 2');
    await press('Save changes');
    await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true));
  });

  it('adds another size of what the order has, and asks which', async () => {
    const [small, two] = [aSize(1, 1.2), aSize(2, 2.2)];
    const inSize = { _id: small._id, label: small.label, content: small.content };
    const order = anOrderOf([aLine(1, { size: inSize, price: 1.2, quantity: 1 })]);
    const sizes = [small, two, aSize(5, 5, { isActive: false })];
    const calls = stubNetwork({
      'GET /products': one([goods(1, { sizes, price: 1.2 })]),
      [path]: one({ ...order, version: 4 }),
    });
    open('consumer', order, (present) => <ChangeItemsDialog order={present} onClose={() => {}} />);
    await press(/^Add from/);
    await press(/^Product 1/);
    expect(screen.getByRole('list', { name: 'Sizes of Product 1' }).childElementCount).toBe(1);
    await press(/^2 kg/);
    screen.getByRole('spinbutton', { name: 'Quantity of Product 1 (2 kg)' });
    await press('Save changes');
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
        items: [
          { product: goods(1)._id, size: small._id, quantity: 1 },
          { product: goods(1)._id, size: two._id, quantity: 1, price: 2.2 },
        ],
      }),
    );
  });

  it('offers no more of what is sold by another unit by now', async () => {
    stubNetwork({ 'GET /products': one([goods(1, { unit: 'kg' }), goods(2)]) });
    openDialog();
    const more = (number: number) =>
      screen.getByRole<HTMLButtonElement>('button', {
        name: `One more: Quantity of Product ${number}`,
      });
    await waitFor(() => expect(more(2).disabled).toBe(false));
    expect(more(1).disabled).toBe(true);
    await press('One less: Quantity of Product 1');
    expect(more(1).disabled).toBe(false);
  });

  it('offers no more of what can no longer be had on its day', async () => {
    const { date } = slotOf(plain);
    const before = { availableUntil: addDays(date, -1) };
    stubNetwork({ 'GET /products': one([goods(1, before), goods(2), goods(7, before), goods(8)]) });
    openDialog();
    const more = (number: number) =>
      screen.getByRole<HTMLButtonElement>('button', {
        name: `One more: Quantity of Product ${number}`,
      });
    await waitFor(() => expect(more(2).disabled).toBe(false));
    expect(more(1).disabled).toBe(true);
    expect(screen.getByText(/^Product 1 can be had until .* only\.$/)).toBeDefined();
    await press(/^Add from/);
    const names = (await screen.findAllByRole('listitem')).map((item) => item.textContent);
    expect(names.some((name) => name?.startsWith(goods(8).name))).toBe(true);
    expect(names.some((name) => name?.startsWith(goods(7).name))).toBe(false);
  });

  it('shows at each product what is wrong with it', async () => {
    const message = 'Only 5 lb of Product 1 left.';
    stubNetwork({
      'GET /products': stock,
      [path]: {
        status: 409,
        body: {
          success: false,
          message,
          code: 'OUT_OF_STOCK',
          errors: [{ path: 'items.0.quantity', message }],
        },
      },
    });
    openDialog();
    await press('One more: Quantity of Product 1');
    await press('Save changes');
    await waitFor(() => expect(screen.getAllByText(message).length).toBeGreaterThan(1));
  });

  it('keeps at least one product', async () => {
    stubNetwork({ 'GET /products': stock });
    openDialog();
    for (const number of [1, 2, 3]) await press(`Remove Product ${number}`);
    expect(screen.getByText(/^Keep at least one product/)).toBeDefined();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save changes' }).disabled).toBe(
      true,
    );
    await press('Put back Product 2');
    expect(screen.getByText('₨10.00', { selector: 'p *' })).toBeDefined();
  });
});

describe('a shortage of the whole farm', () => {
  const outcome = (number: number, quantity: number, share: number) => ({
    orderId: `0000000${number}-0000-4000-8000-000000000000`,
    lineId: aLine(number)._id,
    customer: { _id: 'x', name: `Customer ${number}` },
    date: '2026-11-02',
    time: '16:30',
    quantity,
    share,
    outcome: share === quantity ? 'unchanged' : 'proposed',
  });

  it('previews the shares, lets them be changed by hand, and shows what became of each', async () => {
    const outcomes = [outcome(1, 4, 2), outcome(2, 4, 3)];
    const calls = stubNetwork({
      'POST /farm/shortages': one({ batchId: null, ordered: 8, outcomes }),
    });
    const onClose = vi.fn();
    open('farmer', plain, () => (
      <ShortageDialog product={goods(1)} farmToday={localToday()} onClose={onClose} />
    ));
    await userEvent.type(await screen.findByLabelText(/^How much is there/), '5');
    expect(await screen.findByText('8 lb ordered, 5 lb shared')).toBeDefined();
    await userEvent.click(screen.getByRole('radio', { name: /^By hand/ }));
    await press('One more: Share of Customer 1');
    expect(screen.getByText(/more than the 5 lb there/)).toBeDefined();
    const share = screen.getByRole<HTMLButtonElement>('button', { name: 'Share among 2 orders' });
    expect(share.disabled).toBe(true);
    await press('One less: Share of Customer 2');
    await userEvent.click(share);
    expect(await screen.findByText('2 orders asked.')).toBeDefined();
    const sent = calls.findLast(({ method }) => method === 'POST')?.body as {
      shares: unknown;
      batchId: string;
    };
    expect(sent).toMatchObject({
      available: 5,
      rule: 'manual',
      reason: 'not_harvested',
      shares: [
        { orderId: outcomes[0]?.orderId, quantity: 3 },
        { orderId: outcomes[1]?.orderId, quantity: 2 },
      ],
    });
    expect(sent.batchId).toMatch(/^[0-9a-f-]{36}$/);
    await press('Done');
    expect(onClose).toHaveBeenCalled();
  });
});
