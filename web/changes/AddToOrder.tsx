import { useQuery } from '@tanstack/react-query';
import { CalendarPlus } from 'lucide-react';
import { useId } from 'react';
import { addDays, formatNearDay, formatWallDate, midSentence } from '#contract/constants/days';
import { slotInSentence, slotOf, wayOf } from '#contract/constants/slot';
import type { Handoff } from '#contract/farmers';
import type { Order } from '#contract/orders';
import { basisOf } from '../lib/price-basis.ts';
import { useNow, useToday } from '../lib/use-now.ts';
import { Button } from '../ui/primitives/Button.tsx';
import { ErrorAlert } from '../ui/primitives/ErrorAlert.tsx';
import { useChangeItems } from './commands.ts';
import {
  isEstimatedWith,
  isInTime,
  itemsOfOrder,
  mayChangeItems,
  toChangedItems,
  totalOfItems,
  withMore,
} from './items.ts';
import { goodsQuery } from './queries.ts';
import type { Goods } from './rules.ts';
import { TotalChange } from './TotalChange.tsx';
import type { Wish } from './WishField.tsx';

const CLOCK_STEP_MS = 15_000;

/** A product that is to be added, as it stands in the cart. */
export type AddedLine = {
  productId: string;
  quantity: number;
  price: number;
  unit?: Goods['unit'];
  pieceWeight?: { average: number };
  wish?: Wish | undefined;
};

/** Returns the buyer's order that goods could be added to: the next one that can still be changed. */
export function nextChangeable(
  orders: readonly Order[],
  handoff: Pick<Handoff, 'cutoff' | 'timeZone'>,
  now: number,
): Order | undefined {
  const dayOf = (order: Order) => `${slotOf(order).date} ${slotOf(order).time}`;
  return orders
    .filter((order) => mayChangeItems(order) && isInTime(order, handoff, now))
    .toSorted((one, other) => (dayOf(one) < dayOf(other) ? -1 : 1))[0];
}

/** Offers to add what is in the cart to an order at the same farm that is still ahead, with its new total. */
export function AddToOrder({
  orders,
  handoff,
  lines,
  disabled,
  onAdded,
  onRefused,
}: {
  /** The buyer's orders at this farm. */
  orders: readonly Order[];
  handoff: Pick<Handoff, 'cutoff' | 'timeZone'> | undefined;
  lines: readonly AddedLine[];
  /** The cart has to be looked at first. */
  disabled: boolean;
  onAdded: (order: Order) => void;
  /** Called when goods could not be had as they stand in the cart. */
  onRefused: () => void;
}) {
  const now = useNow(CLOCK_STEP_MS);
  const order = handoff && nextChangeable(orders, handoff, now);
  if (!order) return null;
  return (
    <Offer
      key={order._id}
      order={order}
      lines={lines}
      disabled={disabled}
      onAdded={onAdded}
      onRefused={onRefused}
    />
  );
}

function Offer({
  order,
  lines,
  disabled,
  onAdded,
  onRefused,
}: {
  order: Order;
  lines: readonly AddedLine[];
  disabled: boolean;
  onAdded: (order: Order) => void;
  onRefused: () => void;
}) {
  const titleId = useId();
  const today = useToday();
  const { data } = useQuery(goodsQuery(order.farmer._id));
  const goods = new Map<string, Goods>((data ?? []).map((each) => [each._id, each]));
  const change = useChangeItems(order._id, onAdded);
  const slot = slotOf(order);
  const items = withMore(itemsOfOrder(order), lines, goods);
  const send = () => {
    const prices = new Map(lines.map((line) => [line.productId, line]));
    change.mutate(
      {
        items: toChangedItems(items, goods).map((item) => {
          const line = prices.get(item.product);
          return line ? { ...item, price: line.price, ...basisOf(line), ...line.wish } : item;
        }),
        expectedVersion: order.version,
      },
      { onError: onRefused },
    );
  };
  return (
    <section
      aria-labelledby={titleId}
      className="mb-6 grid gap-3 rounded border border-hairline bg-leaf-soft p-4 text-sm"
    >
      <h2 id={titleId} className="font-sans text-base font-semibold tracking-normal">
        You have an order here already
      </h2>
      <p>
        {wayOf(slot)} {slotInSentence(slot, today)}. These can go into it, so you come once.
      </p>
      {/* Its line has its height before the prices are there. */}
      <div className="min-h-7">
        {data && (
          <TotalChange
            before={order.totalAmount}
            after={totalOfItems(order, items, goods)}
            isEstimate={isEstimatedWith(order, items, goods)}
            wasEstimate={!order.isTotalFinal}
          />
        )}
      </div>
      <ErrorAlert error={change.error} />
      <Button
        icon={<CalendarPlus />}
        variant="secondary"
        pending={change.isPending}
        disabled={disabled}
        onClick={send}
        className="w-fit"
      >
        Add to your order of {dayInWords(slot.date, today)}
      </Button>
    </section>
  );
}

/** From so many days on a weekday alone may be misunderstood. */
const WEEKDAY_DAYS = 7;

/** Names a day as people say it: 'today', 'tomorrow', 'Thursday', 'Thu, Dec 3'. */
export function dayInWords(date: string, today: string): string {
  const isNear = date <= addDays(today, 1);
  return isNear || date >= addDays(today, WEEKDAY_DAYS)
    ? midSentence(formatNearDay(date, today))
    : formatWallDate(date, 'weekdayName');
}
