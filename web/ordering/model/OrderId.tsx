import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { cn } from '../../platform/ui/cn.ts';
import { itemsInWords } from './order-items.ts';

/** The shortened id of an order, beside what people call it by. */
export function OrderId({ order, className }: { order: Pick<Order, '_id'>; className?: string }) {
  return (
    <span className={cn('tabular whitespace-nowrap font-normal text-ink-soft', className)}>
      #{shortId(order._id)}
    </span>
  );
}

/** An order in a table: its goods in one line, and its shortened id below. */
export function OrderGoods({ order }: { order: Pick<Order, '_id' | 'items'> }) {
  return (
    <>
      <span className="line-clamp-1">{itemsInWords(order.items)}</span>
      <OrderId order={order} />
    </>
  );
}
