import { CalendarClock, MapPinned, Wallet } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { isCalledOff } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import type { PickupDetails } from '#contract/ordering/orders/pickup';
import { directionsLink } from '../../../farm/model/directions.ts';
import { formatAddress } from '../../../platform/format/format.ts';
import { useNow, useToday } from '../../../platform/hooks/use-now.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { toneClass } from '../../../platform/ui/primitives/Badge.tsx';
import { LinkButton, OutsideLinkButton } from '../../../platform/ui/primitives/Button.tsx';
import { statusStyle } from '../../../platform/ui/primitives/StatusBadge.tsx';
import { asksForDetails, howToPay, isAhead, movedSentence, nextSteps } from './next-steps.ts';
import { isDayPast } from './slot.ts';

/** Returns what a map finds: the address of a place without its name, or the buyer's own words. */
const whereOf = ({ place, location }: PickupDetails): string =>
  (place && formatAddress(place.address)) || location;

/**
 * Shows the buyer at the top of an order how it stands, why, and what to do: when and where to be, how to
 * pay, or what else there is. `children` are further buttons.
 */
export function NextSteps({
  order,
  farmAddress,
  paymentDetails,
  calendar,
  children,
}: {
  order: Order;
  /** The farm's address, for directions; empty if it is not known. */
  farmAddress: string;
  /** How to pay the farm in its own words; empty if it does not say. */
  paymentDetails: string;
  /** Offers a calendar entry, while the handover lies ahead. */
  calendar: ReactNode;
  children?: ReactNode;
}) {
  const titleId = useId();
  const today = useToday();
  const isPast = isDayPast(order, today, useNow());
  const isToCome = isAhead(order) && !isPast;
  const { title, reason, text } = nextSteps(order, today, isPast);
  const moved = isToCome ? movedSentence(order, today) : undefined;
  const { tone, icon: Icon } = statusStyle[order.status];
  const hasDetails = asksForDetails(order) && paymentDetails !== '';
  const pay = howToPay(order, hasDetails, isPast);
  const directions =
    isToCome && order.pickupDetails
      ? directionsLink(whereOf(order.pickupDetails), farmAddress)
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
            <p className="border-l-2 border-hairline pl-3">
              <span className="sr-only">Reason: </span>
              {reason}
            </p>
          )}
          <p className="max-w-prose text-ink-soft">{text}</p>
          {moved && (
            <p className="mt-1 flex max-w-prose items-start gap-2.5 rounded bg-straw-soft px-3 py-2 text-sm text-straw-ink">
              <CalendarClock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
              {moved}
            </p>
          )}
        </div>
      </div>
      {pay && (
        <div className="flex items-start gap-2.5 text-sm">
          <Wallet aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ink-soft" />
          <div className="grid min-w-0 gap-2">
            <p>{pay}</p>
            {hasDetails && (
              <p className="w-fit rounded bg-sunken px-3 py-2 whitespace-pre-line wrap-anywhere">
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
            Directions
            <span className="sr-only">(opens a map in a new tab)</span>
          </OutsideLinkButton>
        )}
        {isEnded && (
          <LinkButton href="/products" variant="secondary">
            Browse Products
          </LinkButton>
        )}
        {children}
      </div>
    </section>
  );
}
