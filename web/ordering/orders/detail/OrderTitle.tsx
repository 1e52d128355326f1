import { farmNameOf } from '#contract/farm/farmers/constants';
import type { Party } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';

/** Returns who an order is with, as its reader sees it: the farm, the customer, or both. */
export function withWhom({ consumer, farmer }: Order, reader: Party): string {
  const farm = farmNameOf(farmer);
  if (reader === 'consumer') return farm;
  return reader === 'farmer' ? consumer.name : `${consumer.name} at ${farm}`;
}

/** The title of an order: who it is with, and its shortened id beside. */
export function OrderTitle({ order, reader }: { order: Order; reader: Party }) {
  return (
    <>
      <span className="wrap-anywhere">{withWhom(order, reader)}</span>{' '}
      <span className="tabular ml-1 whitespace-nowrap font-sans text-base font-normal tracking-normal text-ink-soft">
        Order #{shortId(order._id)}
      </span>
    </>
  );
}
