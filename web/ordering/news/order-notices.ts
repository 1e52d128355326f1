import { farmNameOf } from '#contract/farm/farmers/constants';
import { formatNearSlot, slotOf } from '#contract/farm/slots/constants';
import type { ProposalStatus } from '#contract/ordering/changes/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order, UpdatedOrder } from '#contract/ordering/orders/orders';
import type { User } from '#contract/people/users/users';
import { shortId } from '#contract/platform/http/constants';
import { formatExpected } from '#contract/platform/money/constants';
import { reasonOf } from '#contract/platform/orders/constants/causes';
import { type Message, msg, t } from '#contract/platform/text/constants/texts';
import { clockMs } from '#contract/platform/time/constants';
import { midSentence } from '#contract/platform/time/constants/clock';
import { navigateTo, withoutLanguage } from '../../platform/format/address.ts';
import { farmIdOf, store, userAtom } from '../../platform/session/session.ts';
import { announce } from '../../platform/ui/feedback/announce.ts';
import { toast } from '../../platform/ui/feedback/toast.ts';
import { dayAtFarm } from '../model/day-at-farm.ts';
import { differencesInBrief } from '../model/order-items.ts';

/** The id of the one toast for all changed orders. */
const TOAST_ID = 'order-news';
/** Long enough to read a sentence and press a button. */
const TOAST_MS = 10_000;

/** The news that the toast shows, by order. */
const shown = new Map<string, Notice>();

/** Returns when and how the order is handed over: 'pickup Sat, 10:00 AM'. */
function handover(order: Order): Message {
  const slot = slotOf(order);
  return msg('{way, select, delivery {delivery} other {pickup}} {when}', {
    way: slot.isDelivery ? 'delivery' : 'pickup',
    when: midSentence(formatNearSlot(slot, dayAtFarm(order, clockMs()))),
  });
}

/**
 * Returns what a changed order means to `me`: a consumer is notified of what became of the order, in their other tabs
 * also what they did themselves, and a farmer that it was cancelled. Undefined for other people's orders.
 */
export function noticesOf(order: UpdatedOrder, me: User): Notice | undefined {
  const { change, consumer, farmer } = order;
  if (change.kind === 'slot') return moveNoticeOf(order, me);
  if (change.kind === 'lines' || change.kind === 'proposal') return linesNoticeOf(order, me);
  if (change.kind !== 'status') return undefined;
  const entry = order.timeline.findLast(({ kind }) => kind === 'status');
  if (!entry) return undefined;
  const reason = reasonOf(entry);
  const status = change.to;
  const isGood = status === 'accepted' || status === 'completed';
  if (consumer._id === me._id) {
    const by = entry.by._id === me._id ? 'me' : entry.by.role === 'farmer' ? 'farm' : 'market';
    return { text: statusForConsumer(order, status, by), reason, isGood };
  }
  if (farmer._id !== farmIdOf(me) || status !== 'cancelled') return undefined;
  const isConsumers = entry.by._id === consumer._id;
  const text = isConsumers
    ? t('{name} cancelled order #{shortId}: {handover}', {
        name: consumer.name,
        shortId: shortId(order._id),
        handover: handover(order),
      })
    : t('Order #{shortId} was cancelled', { shortId: shortId(order._id) });
  return { text, reason, isGood };
}

/** Says who gave an order its status; a newer release has more of them. Nobody of a farm is an admin. */
function statusForConsumer(
  order: UpdatedOrder,
  status: OrderStatus,
  by: 'me' | 'farm' | 'market',
): string {
  const values = { status, farm: farmNameOf(order.farmer), handover: handover(order) };
  switch (by) {
    case 'me':
      return t(
        '{status, select, pending {You reopened your order at {farm}} accepted {You accepted your order at {farm}} rejected {You rejected your order at {farm}} completed {You completed your order at {farm}} cancelled {You cancelled your order at {farm}} other {You updated your order at {farm}}}',
        values,
      );
    case 'farm':
      return t(
        '{status, select, pending {{farm} reopened your order} accepted {{farm} accepted your order: {handover}} rejected {{farm} rejected your order} completed {{farm} completed your order} cancelled {{farm} cancelled your order} other {{farm} updated your order}}',
        values,
      );
    case 'market':
      return t(
        '{status, select, pending {Your order at {farm} was reopened} accepted {Your order at {farm} was accepted: {handover}} rejected {Your order at {farm} was rejected} completed {Your order at {farm} was completed} cancelled {Your order at {farm} was cancelled} other {Your order at {farm} was updated}}',
        values,
      );
  }
}

/** Returns what it means to `me` that an order was moved to another time or place. */
function moveNoticeOf(order: UpdatedOrder, me: User): Notice | undefined {
  const { change, consumer, farmer } = order;
  const entry = order.timeline.findLast(({ kind }) => kind === 'slot');
  // A change of the farm's clock leaves date and time as they are.
  const hasMoved = change.kind === 'slot' && change.after !== undefined;
  if (!hasMoved || !entry) return undefined;
  const isConsumers = entry.by._id === consumer._id;
  const news = { reason: reasonOf(entry), isGood: false };
  if (consumer._id === me._id) {
    return {
      ...news,
      text: isConsumers
        ? t('You moved your order: {handover}', { handover: handover(order) })
        : t('{farm} moved your order: {handover}', {
            farm: farmNameOf(farmer),
            handover: handover(order),
          }),
      isGood: isConsumers,
    };
  }
  if (farmer._id !== farmIdOf(me) || !isConsumers) return undefined;
  const text = t('{name} moved order #{shortId}: {handover}', {
    name: consumer.name,
    shortId: shortId(order._id),
    handover: handover(order),
  });
  return { ...news, text, isGood: true };
}

/**
 * Shows the signed-in user on any page what others did with an order: with a toast, or with an announcement
 * alone while that order's page is in view, where the badge changes too.
 */
export function showOrderNotice(order: UpdatedOrder): void {
  const user = store.get(userAtom);
  const news = user && noticesOf(order, user);
  if (!news) return;
  const isInView = withoutLanguage(location.pathname) === orderPath(order._id) && !document.hidden;
  if (isInView) {
    announce([`${news.text}.`, news.details && `${news.details}.`].filter(Boolean).join(' '));
    return;
  }
  // Deleted first, so that it comes last in the map's order.
  shown.delete(order._id);
  shown.set(order._id, news);
  show(user.role === 'farmer');
}

/** Takes back the news of an order whose page was opened. */
export function orderNoticesSeen(id: string): void {
  if (shown.delete(id) && shown.size === 0) toast.dismiss(TOAST_ID);
}

/** Takes back all news, which the opened bell lists. */
export function dismissOrderNotice(): void {
  if (shown.size === 0) return;
  shown.clear();
  toast.dismiss(TOAST_ID);
}

const orderPath = (id: string) => `/orders/${id}`;

function show(isFarmer: boolean): void {
  const [id, latest] = [...shown].at(-1) ?? [];
  if (!id || !latest) return;
  const isOne = shown.size === 1;
  const title = isFarmer
    ? t('{count} orders changed', { count: shown.size })
    : t('{count} of your orders changed', { count: shown.size });
  const clear = () => shown.clear();
  toast[latest.isGood ? 'success' : 'warning'](isOne ? latest.text : title, {
    id: TOAST_ID,
    description: isOne
      ? (latest.details ?? (latest.reason && t('Reason: {reason}', { reason: latest.reason })))
      : latest.text,
    duration: TOAST_MS,
    action: {
      label: t('View'),
      onClick: () => {
        clear();
        navigateTo(isOne ? orderPath(id) : isFarmer ? '/farmer/orders' : '/orders');
      },
    },
    onDismiss: clear,
    onAutoClose: clear,
  });
}

/** What somebody is notified of when an order has changed. */
export type Notice = {
  text: string;
  /** Why somebody did it, in their words. */
  reason?: string | undefined;
  /** What it comes to. */
  details?: string | undefined;
  isGood: boolean;
};

type Change<Kind> = Extract<UpdatedOrder['change'], { kind: Kind }>;
/** Returns what it means to `me` that lines of an order changed, or that somebody proposed it or answered. */
export function linesNoticeOf(order: UpdatedOrder, me: User): Notice | undefined {
  const { change } = order;
  const isConsumer = order.consumer._id === me._id;
  const isOfFarm = order.farmer._id === farmIdOf(me);
  if (!isConsumer && !isOfFarm) return undefined;
  const entry = order.timeline.findLast(({ kind }) => kind === change.kind);
  const isOwn = entry?.by._id === me._id;
  if (change.kind === 'proposal') {
    // Nobody expires a proposal: that it is recorded as somebody is no reason not to notify them.
    if (isOwn && change.status !== 'expired') return undefined;
    return isConsumer ? proposalForConsumer(order, change) : proposalForFarm(order, change);
  }
  if (change.kind !== 'lines' || isOwn) return undefined;
  const details = detailsOf(change);
  if (isConsumer && change.cause !== 'wish') {
    const text = t('{farm} changed your order as you wished', {
      farm: farmNameOf(order.farmer),
    });
    return { text, details, isGood: false };
  }
  if (isConsumer || change.cause !== 'buyer') return undefined;
  const text = t('{name} changed order #{shortId}', {
    name: order.consumer.name,
    shortId: shortId(order._id),
  });
  return { text, details, isGood: false };
}

/** The question itself stands on every page, and is announced there. */
function proposalForConsumer(order: UpdatedOrder, change: Change<'proposal'>): Notice | undefined {
  const farm = farmNameOf(order.farmer);
  if (change.status === 'withdrawn') {
    return { text: t('{farm} took its change of your order back', { farm }), isGood: true };
  }
  if (change.status !== 'expired') return undefined;
  const text = t('The time to answer {farm} is over', { farm });
  return { text, details: detailsOf(change), isGood: false };
}

function proposalForFarm(order: UpdatedOrder, change: Change<'proposal'>): Notice | undefined {
  const { name } = order.consumer;
  const id = `#${shortId(order._id)}`;
  const texts: Partial<Record<ProposalStatus, string>> = {
    accepted: t('{name} accepted your change of order {id}', { name, id }),
    answered: t('{name} answered your change of order {id}', { name, id }),
    declined: t('{name} cancelled order {id} because of your change', { name, id }),
    expired: t('{name} did not answer your change of order {id} in time', { name, id }),
    withdrawn: t('The change of order {id} was taken back', { id }),
  };
  const text = texts[change.status];
  if (text === undefined) return undefined;
  const hasDetails = change.status !== 'declined' && change.status !== 'withdrawn';
  const details = hasDetails ? detailsOf(change) : undefined;
  return { text, details, isGood: change.status === 'accepted' };
}

function detailsOf({
  differences,
  totalAfter,
  isAfterEstimate,
}: Change<'lines' | 'proposal'>): string {
  const changes = differencesInBrief(differences);
  const total = formatExpected(totalAfter, isAfterEstimate);
  return changes === ''
    ? t('{total} in all', { total })
    : t('{changes}; {total} in all', { changes, total });
}
