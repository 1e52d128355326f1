import { CalendarClock, MapPinned, Wallet } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { FarmerDetail } from '#contract/farm/farmers/farmers';
import { formatSlot, slotInSentence, slotOf } from '#contract/farm/slots/constants';
import { isCalledOff, mayCancel } from '#contract/ordering/orders/constants';
import { asksForDetails, howToPay } from '#contract/ordering/orders/how-to-pay';
import type { StatusEntry } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import type { PickupDetails } from '#contract/ordering/orders/pickup';
import { shortId } from '#contract/platform/http/constants';
import { reasonOf } from '#contract/platform/orders/constants/causes';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { cleanText } from '#contract/platform/text/constants/text';
import { t } from '#contract/platform/text/constants/texts';
import { directionsLink } from '../../../farm/model/places.ts';
import { rich } from '../../../platform/format/rich.tsx';
import { useNow } from '../../../platform/hooks/use-now.ts';
import { cn } from '../../../platform/ui/cn.ts';
import {
  LinkButton,
  OutsideLinkButton,
  styleOf,
  toneClass,
} from '../../../platform/ui/primitives/Button.tsx';
import { useDayAtFarm } from '../../model/day-at-farm.ts';
import { isAhead, isDayPast } from '../../model/order-cache.ts';
import { formatQuantities } from '../../model/order-items.ts';
import { answersFromSentence, useIsUnanswered } from '../waiting.ts';

/** Returns what a map finds: the address of a place without its name, or the consumer's own words. */
const whereOf = ({ place, location }: PickupDetails): string =>
  (place && formatAddress(place.address)) || location;

/**
 * Shows the consumer at the top of an order how it stands, why, and what to do: when and where to be, how to
 * pay, or what else there is. `children` are further buttons.
 */
export function NextSteps({
  order,
  farm,
  paymentDetails,
  calendar,
  children,
}: {
  order: Order;
  /** For directions, and for when it answers; undefined until it is known. */
  farm: FarmerDetail | undefined;
  /** How to pay the farm in its own words; empty if it does not say. */
  paymentDetails: string;
  /** Offers a calendar entry, while the handover lies ahead. */
  calendar: ReactNode;
  children?: ReactNode;
}) {
  const titleId = useId();
  const today = useDayAtFarm(order);
  const now = useNow();
  const isPast = isDayPast(order, today, now);
  const isToCome = isAhead(order) && !isPast;
  const { title, reason, text } = nextSteps(order, today, {
    isPast,
    isUnanswered: useIsUnanswered(order),
    answers: farm && answersFromSentence(order, farm, now),
  });
  const moved = isToCome ? movedSentence(order, today) : undefined;
  const { tone, icon: Icon } = styleOf(order.status);
  const hasDetails = asksForDetails(order) && !order.openChange && paymentDetails !== '';
  const pay = howToPay(order, { hasDetails, isPast, where: 'page' });
  const directions =
    isToCome && order.pickupDetails
      ? directionsLink(whereOf(order.pickupDetails), formatAddress(farm?.farmer.address))
      : undefined;
  const isEnded = isCalledOff(order.status);
  return (
    <section
      aria-labelledby={titleId}
      data-print="hide"
      className="mb-4 grid gap-3 rounded border border-hairline bg-surface p-4 sm:p-5"
    >
      {/* Announced when the farm answers while the page is open. */}
      <div aria-live="polite" className="flex items-start gap-3">
        <span
          aria-hidden="true"
          className={cn('grid size-9 shrink-0 place-items-center rounded-full', toneClass[tone])}
        >
          <Icon className="size-5" />
        </span>
        <div className="grid min-w-0 gap-1">
          <h2 id={titleId} className="text-lg">
            {title}
          </h2>
          {reason && (
            <p className="border-s-2 border-hairline ps-3">
              <span className="sr-only">{t('Reason:')} </span>
              <bdi>{reason}</bdi>
            </p>
          )}
          <p className="max-w-prose text-ink-soft">{text}</p>
          {moved && (
            <p className="mt-1 flex max-w-prose items-start gap-2.5 rounded bg-straw-soft px-3 py-2 text-sm text-straw-ink">
              <CalendarClock className="mt-0.5 size-4 shrink-0" />
              {moved}
            </p>
          )}
        </div>
      </div>
      {pay && (
        <div className="flex items-start gap-2.5 text-sm">
          <Wallet className="mt-0.5 size-4 shrink-0 text-ink-soft" />
          <div className="grid min-w-0 gap-2">
            <p>{pay}</p>
            {hasDetails && (
              <p
                dir="auto"
                className="w-fit rounded bg-sunken px-3 py-2 whitespace-pre-line wrap-anywhere"
              >
                {paymentDetails}
              </p>
            )}
          </div>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        {isToCome && calendar}
        {directions && (
          <OutsideLinkButton
            href={directions}
            target="_blank"
            rel="noreferrer"
            variant="secondary"
            icon={<MapPinned />}
          >
            {rich('Directions<span> (opens a map in a new tab)</span>', {
              span: (inner) => <span className="sr-only">{inner}</span>,
            })}
          </OutsideLinkButton>
        )}
        {isEnded && (
          <LinkButton href="/products" variant="secondary">
            {t('Browse Products')}
          </LinkButton>
        )}
        {children}
      </div>
    </section>
  );
}

/** Returns the entry of the timeline that gave the order its present status. */
const lastEntry = ({ timeline }: Order): StatusEntry | undefined =>
  timeline.findLast((entry): entry is StatusEntry => entry.kind === 'status');

/**
 * Returns that somebody else moved an order that is ahead, as a sentence with the reason; undefined if the
 * consumer moved it last, or nobody did.
 */
export function movedSentence(order: Order, today: string): string | undefined {
  const entry = order.timeline.findLast(({ kind }) => kind === 'slot');
  if (!isAhead(order) || entry?.kind !== 'slot' || entry.by._id === order.consumer._id) {
    return undefined;
  }
  const { before, after } = entry.detail;
  if (!before || !after) return undefined;
  const way = slotOf(order).isDelivery ? 'delivery' : 'pickup';
  const slot = formatSlot(before, today);
  const reason = reasonOf(entry);
  return [
    entry.by.role === 'admin'
      ? t('The market moved your {way, select, delivery {delivery} other {pickup}}.', { way })
      : t('{farm} moved your {way, select, delivery {delivery} other {pickup}}.', {
          farm: farmNameOf(order.farmer),
          way,
        }),
    before.location === after.location
      ? t('It was {slot}.', { slot })
      : t('It was {slot}, {place}.', { slot, place: before.location }),
    reason && t('Their reason: {reason}', { reason }),
  ]
    .filter(Boolean)
    .join(' ');
}

/** What a consumer reads about an order: how it stands, why, and what to do. */
export type NextSteps = {
  title: string;
  /** The words of the person who rejected or cancelled the order. */
  reason: string | undefined;
  text: string;
};

/** What the clock adds to how an order stands. */
interface Waited {
  /** Its day is over, though nobody has said what became of it. */
  isPast?: boolean;
  /** The farm has left it for too long. */
  isUnanswered?: boolean;
  /** From when the farm answers, in a sentence, while it is quiet there. */
  answers?: string | undefined;
}

/** Returns what happens next with an order, in words for its consumer. */
export function nextSteps(
  order: Order,
  today: string,
  { isPast = false, isUnanswered = false, answers }: Waited = {},
): NextSteps {
  const farm = farmNameOf(order.farmer);
  const slot = slotOf(order);
  const when = slotInSentence(slot, today);
  const handover = { way: slot.isDelivery ? 'delivery' : 'pickup', when };
  const last = lastEntry(order);
  const reason = last && reasonOf(last);
  if (isPast && isAhead(order)) {
    const isAccepted = order.status === 'accepted';
    return {
      title: isAccepted
        ? t('{farm} accepted this order', { farm })
        : t("{farm} hasn't answered", { farm }),
      reason: isAccepted ? reason : undefined,
      text: isAccepted
        ? t(
            "{way, select, delivery {Delivery was {when}} other {Pickup was {when}}}. If you don't have your order, write to the farm below.",
            handover,
          )
        : t(
            '{way, select, delivery {Delivery would have been {when}} other {Pickup would have been {when}}}. Write to the farm below, or cancel the order.',
            handover,
          ),
    };
  }
  switch (order.status) {
    case 'pending':
      if (order.openChange) {
        return {
          title: t('{farm} is waiting for your answer', { farm }),
          reason: undefined,
          text: t(
            "They can't take the order as it is, and go on once you've answered above. {way, select, delivery {Delivery would be {when}} other {Pickup would be {when}}}.",
            handover,
          ),
        };
      }
      return {
        title: isUnanswered
          ? t('{farm} has not answered yet', { farm })
          : t("We've told {farm}", { farm }),
        reason: undefined,
        text: [
          answers,
          isUnanswered
            ? t(
                'You can cancel free of charge. {way, select, delivery {Delivery would be {when}} other {Pickup would be {when}}}.',
                handover,
              )
            : t(
                "We'll let you know as soon as they answer. {way, select, delivery {Delivery would be {when}} other {Pickup would be {when}}}.",
                handover,
              ),
        ]
          .filter(Boolean)
          .join(' '),
      };
    case 'accepted': {
      // An accepted order is cancelled by its customer only while its farm is off the market.
      const away =
        mayCancel(order) &&
        t('{farm} is off the market for now. Write to them below, or cancel the order.', { farm });
      const how = order.pickupDetails
        ? t('Pick it up {when}: {location}.', { when, location: order.pickupDetails.location })
        : t("They'll bring it {when} to {address}.", {
            when,
            address: formatAddress(order.deliveryDetails?.address),
          });
      return {
        title: t('{farm} has accepted your order', { farm }),
        reason,
        text: [how, away || t('To cancel, write to the farm.')].join(' '),
      };
    }
    case 'completed':
      return { title: t('All done'), reason, text: t('Enjoy what {farm} grew for you.', { farm }) };
    case 'rejected':
      return {
        title: t("{farm} couldn't take this order", { farm }),
        reason,
        text: [unpaid(order), t('You can try another day, or find the same at another farm.')].join(
          ' ',
        ),
      };
    case 'cancelled': {
      const isOwn = last?.by._id === order.consumer._id;
      return {
        title: isOwn
          ? t('You cancelled this order')
          : last?.by.role === 'admin'
            ? t('The market cancelled this order')
            : t('{farm} cancelled this order', { farm }),
        // The consumer's own words stand in the timeline.
        reason: isOwn ? undefined : reason,
        text: [unpaid(order), t('You can order again whenever you like.')].join(' '),
      };
    }
    default:
      // A newer release has more statuses.
      return {
        title: t('This order is {status}', { status: order.status }),
        reason,
        text: t('Load this page again to see what that means.'),
      };
  }
}

/** Returns whether the consumer of an order cannot cancel it, but can ask the farm to. */
export const asksToCancel = (order: Order, isPast: boolean): boolean =>
  order.status === 'accepted' && !mayCancel(order) && !isPast;

/** Returns what a customer may write to the farm to have an accepted order cancelled. */
export const cancelRequest = (order: Order): string =>
  cleanText(
    t('Please cancel my order #{order}: {goods}.', {
      order: shortId(order._id),
      goods: formatQuantities(order.items),
    }),
  );

const unpaid = ({ paymentMethod }: Order): string =>
  paymentMethod === 'cash'
    ? t("There's nothing to pay.")
    : t("There's nothing to pay. If you've paid already, write to the farm below.");
