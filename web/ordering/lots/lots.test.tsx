// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { LotLine } from '#contract/ordering/lots/lots';
import { farmer } from '../../app/testing/world.ts';
import { beginAs, one, open } from '../../pages/testing/page.tsx';
import { stubNetwork } from '../../platform/testing/network.ts';
import LotDialog from './LotDialog.tsx';

beginAs(farmer);

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const line = (number: number, name: string): LotLine => ({
  _id: id(number),
  orderId: id(100 + number),
  status: 'completed',
  date: '2026-11-24',
  customer: { _id: id(200 + number), name, email: `${name}@farm.test`, phone: '' },
  product: { _id: id(1), name: 'Kale', images: [], unit: 'bunch' },
  quantity: 2,
  lot: 'L-7',
});
const listed = (lines: LotLine[], nextCursor: string | null = null) => ({
  status: 200,
  body: { success: true, data: lines, count: lines.length, nextCursor },
});

async function search(lot: string) {
  await userEvent.type(await screen.findByLabelText('Lot'), `${lot}{Enter}`);
}

it('lists who got a lot with their address and order, and copies all of it', async () => {
  const written: string[] = [];
  vi.stubGlobal('navigator', {
    ...navigator,
    clipboard: { writeText: async (text: string) => written.push(text) },
  });
  const parts = [
    one({ csv: 'Lot,Date\r\nL-7,a\r\n', rows: 1, nextCursor: 'x' }),
    one({ csv: 'L-7,b\r\n', rows: 1, nextCursor: null }),
  ];
  stubNetwork({
    'GET /farm/lots?lot=L-7&limit=50': listed([line(1, 'Ann'), line(2, 'Bob')]),
    'GET /farm/lots/file': () => parts.shift() ?? one({}),
  });
  open(<LotDialog onClose={() => {}} />);
  await search(' L-7 ');
  await screen.findByText('Ann');
  screen.getByText('2 lines');
  expect(screen.getByText('Bob@farm.test')).toBeTruthy();
  const [first] = screen.getAllByRole('link', { name: /^Order of / });
  expect(first?.getAttribute('href')).toBe(`/orders/${id(101)}`);
  await userEvent.click(screen.getByRole('button', { name: 'Copy the list' }));
  await waitFor(() => expect(written).toEqual(['Lot,Date\r\nL-7,a\r\nL-7,b\r\n']));
});

it('says that no order has it, and how many lines there are at least', async () => {
  stubNetwork({
    'GET /farm/lots?lot=none&limit=50': listed([]),
    'GET /farm/lots?lot=L-7&limit=50': listed([line(1, 'Ann')], 'more'),
  });
  open(<LotDialog onClose={() => {}} />);
  await search('none');
  await screen.findByText('No order has goods of lot none.');
  await userEvent.clear(screen.getByLabelText('Lot'));
  await search('L-7');
  await screen.findByText('The first 1 line');
});
