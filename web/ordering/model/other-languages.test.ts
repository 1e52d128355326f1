import { afterEach, expect, it } from 'vitest';
import type { OrderChange } from '#contract/ordering/orders/order-timeline';
import type { UpdatedOrder } from '#contract/ordering/orders/orders';
import { setReader } from '#contract/platform/text/constants/reader';
import { loadCatalogue } from '../../platform/format/catalogues.ts';
import { aUser } from '../../platform/testing/network.ts';
import { anOrder } from '../../platform/testing/orders.ts';
import { noticeSentence } from '../cart/notice-words.ts';
import { noticesOf } from '../news/order-notices.ts';
import { formatItems, formatOrders, formatQuantities } from './order-items.ts';

async function readIn(language: string): Promise<void> {
  const { reader, whenWhole } = await loadCatalogue(language);
  await whenWhole;
  setReader(() => reader);
}
afterEach(() => setReader(() => undefined));

const [line] = anOrder(1).items;
const item = (name: string, quantity: number, unit: 'kg' | 'bunch' = 'kg') => {
  if (!line) throw new Error('The order has no line.');
  return { ...line, quantity, product: { ...line.product, name, unit } };
};
const orders = (count: number) => ({ count, ids: ['1a2b3c4d-0000-4000-8000-000000000000'] });

/** An order that somebody of a farm has changed. */
function changed(farmName: string, change: OrderChange): UpdatedOrder {
  const order = anOrder(1);
  const { _id, name } = order.farmer;
  const by = { _id, name, role: 'farmer' as const };
  const [placed] = order.timeline;
  if (placed?.kind !== 'status') throw new Error('The order was not placed.');
  return {
    ...order,
    farmer: { ...order.farmer, farmName },
    timeline: [placed, { ...placed, sequence: 2, status: 'rejected', by }],
    change,
  };
}
const buyer = { ...aUser('consumer'), _id: anOrder(1).consumer._id };
const rejected = { kind: 'status', from: 'pending', to: 'rejected' } as const;

it('has the plurals, lists and decimal signs of German', async () => {
  await readIn('de');
  expect(formatOrders(orders(1), 'pending')).toBe('1 offene Bestellung (#1a2b3c4d)');
  expect(formatOrders(orders(3), 'pending')).toBe(
    '3 offene Bestellungen (#1a2b3c4d und 2 weitere)',
  );
  expect(formatQuantities([item('Möhren', 1.5), item('Mangold', 2, 'bunch')])).toBe(
    '1,5 kg Möhren, 2 Bund Mangold',
  );
  const notice = {
    line: { productId: '', name: 'Möhren', image: null, price: 2, quantity: 3, unit: 'kg' },
    isGone: false,
    left: 1.5,
    unit: 'kg',
    steps: {},
  } as const;
  expect(noticeSentence(notice)).toBe('Nur noch 1,5 kg Möhren da; im Warenkorb sind 3 kg.');
});

it('sets a name from the right apart in a German sentence', async () => {
  await readIn('de');
  expect(noticesOf(changed('سبز وادی', rejected), buyer)?.text).toBe(
    '\u2068سبز وادی\u2069 hat Ihre Bestellung abgelehnt',
  );
});

it('lists with the comma of Urdu, and sets a name from the left apart', async () => {
  await readIn('ur');
  const items = [item('گاجر', 1), item('پالک', 1), item('مولی', 1)];
  expect(formatItems(items)).toBe('گاجر، پالک اور \u20681\u2069 مزید');
  expect(noticesOf(changed('Green Valley', rejected), buyer)?.text).toBe(
    '\u2068Green Valley\u2069 نے آپ کا آرڈر مسترد کیا',
  );
});
