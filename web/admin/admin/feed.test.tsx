// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { FeedItem } from '#contract/admin/admin/admin';
import { setReader } from '#contract/platform/text/constants/reader';
import { loadCatalogue } from '../../platform/format/catalogues.ts';
import { anOrder } from '../../platform/testing/orders.ts';
import { Feed } from './Feed.tsx';

const order = anOrder(1, { status: 'cancelled' });
const customer = { _id: order.consumer._id, name: order.consumer.name, role: 'consumer' } as const;
const admin = { _id: 'a', name: 'Ada', role: 'admin' } as const;
const at = order.createdAt;
const link = `#${order._id.slice(0, 8)}`;

const items: FeedItem[] = [
  { _id: '1', kind: 'order.statusChanged', at, by: admin, order },
  { _id: '2', kind: 'order.statusChanged', at, by: customer, order },
  { _id: '3', kind: 'order.unanswered', at, by: null, order },
  { _id: '4', kind: 'user.registered', at, by: null, order: null },
  { _id: '5', kind: 'attention.waiting', at, by: null, order },
  { _id: '6', kind: 'attention.waiting', at, by: { ...admin, name: 'Hill Farm' }, order: null },
  {
    ...{ _id: '7', kind: 'farm.paused', at, by: null, order: null },
    farm: { _id: 'f', name: 'Hill Farm' },
  },
];

/** Returns what each line says, without when that was. */
function lines(): string[] {
  render(<Feed items={items} />);
  return screen.getAllByRole('listitem').map((line) => {
    line.querySelector('time')?.remove();
    return line.textContent?.replace(link, '#').trim() ?? '';
  });
}

async function readIn(language: string): Promise<void> {
  const { reader, whenWhole } = await loadCatalogue(language);
  await whenWhole;
  setReader(() => reader);
}

afterEach(() => {
  cleanup();
  setReader(() => undefined);
});

it('says who did what to whose order', () => {
  const farm = order.farmer.farmName;
  expect(lines()).toEqual([
    `Ada cancelled ${customer.name}'s order #`,
    `${customer.name} cancelled their order #`,
    `${farm} hasn't answered ${customer.name}'s order #`,
    'Someone joined as a member',
    `Nobody at ${farm} has reacted to ${customer.name}'s order #`,
    'Nobody at Hill Farm has reacted to an alert',
    "Hill Farm didn't answer, so it takes no orders for a while",
  ]);
});

it('says it in the order of words and the case of its language', async () => {
  await readIn('de');
  expect(lines().slice(0, 2)).toEqual([
    `Ada hat die Bestellung von ${customer.name} # storniert`,
    `${customer.name} hat die eigene Bestellung # storniert`,
  ]);
  cleanup();
  await readIn('ur');
  const [ofAdmin, own] = lines().map((line) => line.replace(/[\u2068\u2069]/g, ''));
  expect(ofAdmin).toBe(`Ada نے ${customer.name} کا آرڈر # منسوخ کیا`);
  expect(own).toBe(`${customer.name} نے اپنا آرڈر # منسوخ کیا`);
});
