import { shortId } from '../../lib/format.ts';
import { cn } from '../cn.ts';

/** The shortened id of an order, beside what people call it by. */
export function OrderId({ order, className }: { order: { _id: string }; className?: string }) {
  return (
    <span className={cn('tabular whitespace-nowrap font-normal text-ink-soft', className)}>
      #{shortId(order._id)}
    </span>
  );
}
