import { navigate } from 'wouter/use-browser-location';
import type { Order } from '#contract/ordering/orders/orders';
import { formatMoney, fromMinor, toMinor } from '#contract/platform/money/constants';
import { t } from '#contract/platform/text/constants/texts';
import { ownedKey, readOwner } from '../../platform/session/owned.ts';
import { farmIdOf, store, userAtom } from '../../platform/session/session.ts';
import {
  playOrderSound,
  repeatOrderSound,
  SOUND_REPEAT_MS,
} from '../../platform/ui/feedback/sound.ts';
import { toast } from '../../platform/ui/feedback/toast.ts';

/** The id of the one toast for all new orders. */
const TOAST_ID = 'new-orders';

/** The new orders that the farmer has not seen. */
const unseen = new Map<string, Order>();

let repeating: ReturnType<typeof setInterval> | undefined;

/** In localStorage: what this person saw last, an order's id or all, which their other tabs follow. */
const seenKey = () => ownedKey(readOwner(), 'orders-seen');
const ALL = 'all';

/** Removes the alerts of what the farmer sees in other tabs. Returns a function that stops it. */
export function followOtherTabs(): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    const [id] = newValue?.split(' ') ?? [];
    if (key !== seenKey() || id === undefined) return;
    if (id === ALL) removeAllAlerts();
    else removeAlert(id);
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

function notifyOtherTabs(id: string): void {
  try {
    // With the time, because only a changed value is an event.
    localStorage.setItem(seenKey(), `${id} ${Date.now()}`);
  } catch {
    // Storage is forbidden: each tab is dismissed on its own.
  }
}

/**
 * Alerts a farmer of a new order with a sound and a toast that stays until dismissed. The sound is
 * repeated until the order is seen, if the farmer wants that.
 */
export function announceOrder(order: Order): void {
  if (farmIdOf(store.get(userAtom)) !== order.farmer._id || order.status !== 'pending') return;
  unseen.set(order._id, order);
  show();
  void playOrderSound();
  repeating ??= setInterval(() => void repeatOrderSound(), SOUND_REPEAT_MS);
}

/** Removes the alert of an order that was answered. */
export function orderChanged(order: Order): void {
  if (order.status !== 'pending') removeAlert(order._id);
}

/** Removes the alert of an order that the farmer has opened, in the other tabs too. */
export function orderSeen(id: string): void {
  if (!unseen.has(id)) return;
  removeAlert(id);
  notifyOtherTabs(id);
}

/** Removes all alerts, in the other tabs too. */
export function clearAlerts(): void {
  if (unseen.size === 0) return;
  removeAllAlerts();
  notifyOtherTabs(ALL);
}

function removeAlert(id: string): void {
  if (!unseen.delete(id)) return;
  if (unseen.size > 0) show();
  else removeAllAlerts();
}

function removeAllAlerts(): void {
  unseen.clear();
  clearInterval(repeating);
  repeating = undefined;
  toast.dismiss(TOAST_ID);
}

function show(): void {
  const orders = [...unseen.values()];
  const latest = orders.at(-1);
  if (!latest) return;
  const sum = fromMinor(orders.reduce((minor, order) => minor + toMinor(order.totalAmount), 0));
  const isOne = orders.length === 1;
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
      duration: Number.POSITIVE_INFINITY,
      action: {
        label: t('View'),
        onClick: () => {
          clearAlerts();
          navigate(isOne ? `/orders/${latest._id}` : '/farmer/orders');
        },
      },
      cancel: { label: t('Dismiss'), onClick: clearAlerts },
      onDismiss: clearAlerts,
      // The text is above, the two buttons are below at the end.
      classNames: {
        toast: 'grid! grid-cols-[auto_1fr_auto_auto]',
        content: 'col-span-3',
        cancelButton: 'col-start-3 pointer-coarse:min-h-11',
        actionButton: 'col-start-4 pointer-coarse:min-h-11',
      },
    },
  );
}
