import type { Order } from '#contract/ordering/orders/orders';
import { formatMoney, fromMinor, toMinor } from '#contract/platform/money/constants';
import { t } from '#contract/platform/text/constants/texts';
import { navigateTo } from '../../platform/format/address.ts';
import { farmIdOf, store, userAtom } from '../../platform/session/session.ts';
import { toast } from '../../platform/ui/feedback/toast.ts';

/** The id of the one toast for all new orders. */
const TOAST_ID = 'new-orders';
/** Long enough to read a sentence and press a button. */
const TOAST_MS = 10_000;

/** The new orders that the toast shows. */
const shown = new Map<string, Order>();

/** The orders that ring: the sheet says them, and stays. */
let rung: readonly string[] = [];

/** Shows a farm's people a new order for a moment, unless it rings them. */
export function announceOrder(order: Order): void {
  if (farmIdOf(store.get(userAtom)) !== order.farmer._id || order.status !== 'pending') return;
  if (rung.includes(order._id)) return;
  shown.set(order._id, order);
  show();
}

/** Leaves the orders that ring to the sheet, whichever of order and alert comes first. */
export function leaveToSheet(orderIds: readonly string[]): void {
  rung = orderIds;
  for (const id of orderIds) orderSeen(id);
}

/** Removes the alert of an order that was answered. */
export function orderChanged(order: Order): void {
  if (order.status !== 'pending') orderSeen(order._id);
}

/** Removes the alert of an order that the reader has opened. */
export function orderSeen(id: string): void {
  if (!shown.delete(id)) return;
  if (shown.size > 0) show();
  else toast.dismiss(TOAST_ID);
}

/** Removes all alerts, as the list of orders shows them. */
export function clearAlerts(): void {
  if (shown.size === 0) return;
  shown.clear();
  toast.dismiss(TOAST_ID);
}

function show(): void {
  const orders = [...shown.values()];
  const latest = orders.at(-1);
  if (!latest) return;
  const sum = fromMinor(orders.reduce((minor, order) => minor + toMinor(order.totalAmount), 0));
  const isOne = orders.length === 1;
  const clear = () => shown.clear();
  toast.info(
    isOne
      ? t('New order from {name}', { name: latest.consumer.name })
      : t('{count} new orders', { count: orders.length }),
    {
      id: TOAST_ID,
      description: isOne
        ? t(
            '{count, plural, one {# item} other {# items}}, {total}, for {way, select, delivery {delivery} other {pickup}}',
            {
              count: latest.items.length,
              total: formatMoney(sum),
              way: latest.deliveryDetails ? 'delivery' : 'pickup',
            },
          )
        : t('{total} in all, the latest from {name}', {
            total: formatMoney(sum),
            name: latest.consumer.name,
          }),
      duration: TOAST_MS,
      action: {
        label: t('View'),
        onClick: () => {
          clear();
          navigateTo(isOne ? `/orders/${latest._id}` : '/farmer/orders');
        },
      },
      onDismiss: clear,
      onAutoClose: clear,
    },
  );
}
