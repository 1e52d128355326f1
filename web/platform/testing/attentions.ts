import type { Attention, FarmEscalation } from '#contract/ordering/attention/attention';
import { DEFAULT_PLAN } from '#contract/ordering/attention/constants';
import { aUser } from './network.ts';

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Returns what asks a farm for an answer about an order; the farm is that of the farmer {@link aUser}. */
export function anAttention(number: number, over: Partial<Attention> = {}): Attention {
  const { _id, name } = aUser('farmer');
  const customer = aUser('consumer', 'Cora Buyer');
  const orderId = idOf(200 + number);
  return {
    _id: idOf(1300 + number),
    kind: 'order.placed',
    order: { _id: orderId, consumer: { _id: customer._id, name: customer.name }, startsAt: null },
    params: {
      order: orderId,
      customer: { _id: customer._id, name: customer.name },
      count: 2,
      cost: { minor: 800 },
      handover: {
        date: '2026-11-05',
        time: '10:00',
        isDelivery: false,
        orderedAt: '2026-11-02T10:00:00.000Z',
      },
    },
    link: `/orders/${orderId}`,
    farm: { _id, name },
    state: 'waiting',
    step: 1,
    round: 1,
    createdAt: '2026-11-02T10:00:00.000Z',
    nextAt: null,
    seenAt: null,
    rings: [_id],
    isUnreachable: false,
    told: [],
    version: 1,
    ...over,
  };
}

/** Returns how a farm is told that has changed nothing. */
export const aPlan = (over: Partial<FarmEscalation> = {}): FarmEscalation => ({
  ...structuredClone(DEFAULT_PLAN as FarmEscalation),
  silentUntil: null,
  offUntil: null,
  hasSms: false,
  isUnreachable: false,
  version: 1,
  ...over,
});
