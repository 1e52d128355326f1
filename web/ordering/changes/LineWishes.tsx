import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import type { OrderLine } from '#contract/ordering/changes/order-lines';
import { isOpenStatus } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { cn } from '../../platform/ui/cn.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { presentLines } from '../model/order-items.ts';
import { type OnChanged, useSetWish } from './commands.ts';
import { WishField } from './WishField.tsx';

/** Whether the buyer can still say what to do if the farm runs short: the order is open and not packed yet. */
export const mayWish = ({ status, packing }: Order): boolean =>
  isOpenStatus(status) && packing === 'none';

/** What the buyer of an order wishes for each line that runs short; folded, because it is seldom changed. */
export function LineWishes({ order, onChanged }: { order: Order; onChanged: OnChanged }) {
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  const setWish = useSetWish(order._id, onChanged);
  if (!mayWish(order)) return null;
  return (
    <div data-print="hide" className="mt-3">
      <Button
        variant="quiet"
        size="sm"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setOpen(!isOpen)}
        icon={<ChevronDown className={cn('transition-transform', isOpen && 'rotate-180')} />}
        className="-ml-3"
      >
        If something runs short
      </Button>
      <ul id={panelId} hidden={!isOpen} className="mt-2 grid gap-4 sm:grid-cols-2">
        {isOpen &&
          presentLines(order.items).map((line: OrderLine) => (
            <li key={line._id} className="grid gap-1 text-sm">
              <span className="font-medium">{line.product.name}</span>
              <WishField
                name={line.product.name}
                productId={line.product._id}
                farmId={order.farmer._id}
                value={line}
                onChange={(wish) => setWish.mutate({ lineId: line._id, ...wish })}
              />
            </li>
          ))}
      </ul>
    </div>
  );
}
