import { useQuery } from '@tanstack/react-query';
import { CalendarPlus } from 'lucide-react';
import { useId } from 'react';
import { slotInSentence, slotOf } from '#contract/farm/slots/constants';
import type { SetPreference } from '#contract/ordering/changes/order-changes';
import type { Order } from '#contract/ordering/orders/orders';
import { goodsKey } from '#contract/platform/quantities/constants/sizes';
import type { OrderedSize } from '#contract/platform/quantities/quantity';
import { t } from '#contract/platform/text/constants/texts';
import { addDays, formatNearDay, formatWallDate } from '#contract/platform/time/constants';
import { midSentence } from '#contract/platform/time/constants/clock';
import { basisOf } from '../../catalogue/model/weights.ts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { ErrorAlert } from '../../platform/ui/feedback/ErrorAlert.tsx';
import { toastError } from '../../platform/ui/feedback/toast.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { useDayAtFarm } from '../model/day-at-farm.ts';
import { TotalChange } from '../model/order-parts.tsx';
import {
  type ChangeTerms,
  isInTime,
  itemKey,
  itemsOfOrder,
  mayChangeItems,
  toChangedItems,
  totalOfItems,
  withMore,
} from './items.ts';
import { goodsQuery, presentOrderOf, useChangeItems } from './queries.ts';
import type { Goods } from './rules.ts';

const CLOCK_STEP_MS = 15_000;

/** A product that is to be added, as it stands in the cart. */
export type AddedLine = {
  productId: string;
  quantity: number;
  price: number;
  unit?: Goods['unit'];
  pieceWeight?: { average: number };
  size?: OrderedSize;
  preference?: SetPreference | undefined;
};

/** Returns the consumer's order that goods could be added to: the next one that can still be changed. */
export function nextChangeable(
  orders: readonly Order[],
  handoff: ChangeTerms,
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
  ...offer
}: Omit<OfferProps, 'order'> & {
  /** The consumer's orders at this farm. */
  orders: readonly Order[];
  handoff: ChangeTerms | undefined;
}) {
  const now = useNow(CLOCK_STEP_MS);
  const order = handoff && nextChangeable(orders, handoff, now);
  return order ? <Offer key={order._id} order={order} {...offer} /> : null;
}

type OfferProps = {
  order: Order;
  lines: readonly AddedLine[];
  /** The cart has to be looked at first. */
  disabled: boolean;
  onAdded: (order: Order) => void;
  /** Called when goods could not be had as they stand in the cart. */
  onRefused: () => void;
};

function Offer({ order, lines, disabled, onAdded, onRefused }: OfferProps) {
  const titleId = useId();
  const today = useDayAtFarm(order);
  const { data } = useQuery(goodsQuery(order.farmer._id));
  // What is not among what was found, or before that, is as the cart has it: nothing may be left out in silence.
  const goods = new Map<string, Goods>([
    ...lines.map((line): [string, Goods] => [line.productId, inCart(line)]),
    ...(data ?? []).map((each): [string, Goods] => [each._id, each]),
  ]);
  const change = useChangeItems(order._id);
  const slot = slotOf(order);
  const items = withMore(itemsOfOrder(order), lines, goods);
  const send = async () => {
    const prices = new Map(lines.map((line) => [itemKey(line), line]));
    const body = {
      items: toChangedItems(items, goods).map((item) => {
        const line = prices.get(goodsKey(item));
        return line ? { ...item, price: line.price, ...basisOf(line), ...line.preference } : item;
      }),
      expectedVersion: order.version,
    };
    try {
      onAdded((await change.mutateAsync(body)).data);
    } catch (error) {
      // An order that can no longer be changed takes the offer and its message with it.
      const present = presentOrderOf(error);
      if (present && !mayChangeItems(present)) toastError(error);
      onRefused();
    }
  };
  return (
    <section
      aria-labelledby={titleId}
      className="mb-6 grid gap-3 rounded border border-hairline bg-leaf-soft p-4 text-sm"
    >
      <h2 id={titleId} className="font-sans text-base font-semibold tracking-normal">
        {t('You have an order here already')}
      </h2>
      <p>
        {t(
          '{way, select, delivery {Delivery} other {Pickup}} {when}. These can go into it, so you come once.',
          { way: slot.isDelivery ? 'delivery' : 'pickup', when: slotInSentence(slot, today) },
        )}
      </p>
      {/* Its line has its height before the prices are there. */}
      <div className="min-h-7">
        {data && <TotalChange before={order} after={totalOfItems(order, items, goods)} />}
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
        {t('Add to your order of {date}', { date: formatDayOf(slot.date, today) })}
      </Button>
    </section>
  );
}

/** Returns a product as a cart has it; in a size of which there is as much as it needs. */
const inCart = ({
  productId,
  quantity,
  price,
  unit = 'each',
  pieceWeight,
  size,
}: AddedLine): Goods => ({
  _id: productId,
  name: '',
  images: [],
  category: null,
  quantityAvailable: quantity * (size?.content ?? 1),
  price,
  unit,
  pieceWeight,
  ...(size && { sizes: [{ ...size, price, isActive: true }] }),
});

/** From so many days on a weekday alone may be misunderstood. */
const WEEKDAY_DAYS = 7;

/** Names a day as people say it: 'today', 'tomorrow', 'Thursday', 'Thu, Dec 3'. */
export function formatDayOf(date: string, today: string): string {
  const isNear = date <= addDays(today, 1);
  return isNear || date >= addDays(today, WEEKDAY_DAYS)
    ? midSentence(formatNearDay(date, today))
    : formatWallDate(date, 'weekdayName');
}
