import { navigate } from 'wouter/use-browser-location';
import type { Order } from '#contract/orders';
import { userAtom } from '../auth/atoms.ts';
import { formatMoney, plural } from '../lib/format.ts';
import { store } from '../lib/store.ts';
import { toast } from '../ui/toast.ts';
import { playOrderSound } from './sound.ts';

/** The id of the one toast for all new orders. */
const TOAST_ID = 'new-orders';

/** The new orders that the farmer has not seen. */
const unseen = new Map<string, Order>();

/** Alerts a farmer of a new order with a sound and a toast that stays until dismissed. */
export function announceOrder(order: Order): void {
  if (store.get(userAtom)?._id !== order.farmer._id || order.status !== 'pending') return;
  unseen.set(order._id, order);
  show();
  void playOrderSound();
}

/** Removes the alert of an order that was answered. */
export function orderChanged(order: Order): void {
  if (order.status !== 'pending') orderSeen(order._id);
}

/** Removes the alert of an order that the farmer has opened. */
export function orderSeen(id: string): void {
  if (!unseen.delete(id)) return;
  if (unseen.size > 0) show();
  else toast.dismiss(TOAST_ID);
}

/** Removes all alerts. */
export function forgetAlerts(): void {
  if (unseen.size === 0) return;
  unseen.clear();
  toast.dismiss(TOAST_ID);
}

function show(): void {
  const orders = [...unseen.values()];
  const latest = orders.at(-1);
  if (!latest) return;
  const sum = orders.reduce((minor, order) => minor + Math.round(order.totalAmount * 100), 0) / 100;
  const isOne = orders.length === 1;
  toast.info(isOne ? `New order from ${latest.consumer.name}` : `${orders.length} new orders`, {
    id: TOAST_ID,
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
    // The text is above, the two buttons are below at the end.
    classNames: {
      toast: 'grid! grid-cols-[auto_1fr_auto_auto]',
      content: 'col-span-3',
      cancelButton: 'col-start-3 pointer-coarse:min-h-11',
      actionButton: 'col-start-4 pointer-coarse:min-h-11',
    },
  });
}
