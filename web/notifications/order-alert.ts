import { navigate } from 'wouter/use-browser-location';
import type { Order } from '#contract/orders';
import { userAtom } from '../auth/atoms.ts';
import { formatMoney, plural } from '../lib/format.ts';
import { store } from '../lib/store.ts';
import { toast } from '../ui/toast.ts';
import { ring } from './sound.ts';

/** One toast for all new orders: a rush must not bury the page. */
const ALERT = 'new-orders';

/** The new orders that the farmer has not taken note of. */
const unseen = new Map<string, Order>();

/** Tells a farmer of an order that was just placed: a toast that stays until seen, and a bell. */
export function announceOrder(order: Order): void {
  if (store.get(userAtom)?._id !== order.farmer._id || order.status !== 'pending') return;
  unseen.set(order._id, order);
  show();
  void ring();
}

/** Takes in what became of an order: one that was answered, here or elsewhere, is no news. */
export function orderChanged(order: Order): void {
  if (order.status !== 'pending') orderSeen(order._id);
}

/** The farmer is looking at this order. */
export function orderSeen(id: string): void {
  if (!unseen.delete(id)) return;
  if (unseen.size > 0) show();
  else dismiss();
}

/** Forgets all new orders: whoever they were for has seen them, or is gone. */
export function forgetAlerts(): void {
  if (unseen.size === 0) return;
  unseen.clear();
  dismiss();
}

function show(): void {
  const orders = [...unseen.values()];
  const latest = orders.at(-1);
  if (!latest) return;
  const sum = orders.reduce((minor, order) => minor + Math.round(order.totalAmount * 100), 0) / 100;
  const isOne = orders.length === 1;
  toast.info(isOne ? `New order from ${latest.consumer.name}` : `${orders.length} new orders`, {
    id: ALERT,
    description: isOne
      ? `${plural(latest.items.length, 'item')}, ${formatMoney(sum)}, for ${latest.deliveryDetails ? 'delivery' : 'pickup'}`
      : `${formatMoney(sum)} in all, the latest from ${latest.consumer.name}`,
    duration: Number.POSITIVE_INFINITY,
    action: {
      label: 'View',
      onClick: () => {
        unseen.clear();
        navigate(isOne ? `/orders/${latest._id}` : '/farmer/orders');
      },
    },
    cancel: { label: 'Dismiss', onClick: () => unseen.clear() },
    onDismiss: () => unseen.clear(),
    // The words above, the two answers below them at the end.
    classNames: {
      toast: 'grid! grid-cols-[auto_1fr_auto_auto]',
      content: 'col-span-3',
      cancelButton: 'col-start-3 pointer-coarse:min-h-11',
      actionButton: 'col-start-4 pointer-coarse:min-h-11',
    },
  });
}

function dismiss(): void {
  // Loaded already if anything was ever shown.
  void import('sonner').then((sonner) => sonner.toast.dismiss(ALERT));
}
