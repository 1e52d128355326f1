import {
  Check,
  ChevronDown,
  CircleCheck,
  MapPin,
  MessageCircleQuestion,
  PackageCheck,
  Store,
  Truck,
} from 'lucide-react';
import { memo, type ReactNode, useId, useState } from 'react';
import { Link } from 'wouter';
import { formatNearSlot, slotOf, wayOf } from '#contract/farm/slots/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { t } from '#contract/platform/text/constants/texts';
import { useMarket } from '../../../platform/format/market.ts';
import { useHighlight } from '../../../platform/queries/use-changes.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { Badge, Button, StatusBadge } from '../../../platform/ui/primitives/Button.tsx';
import { useDayAtFarm } from '../../model/day-at-farm.ts';
import { formatQuantities } from '../../model/order-items.ts';
import { liveRowClass, OrderTotal, Waiting } from '../../model/order-parts.tsx';
import { OrderActions, useMayGive } from '../answers/OrderActions.tsx';
import { UpdateStatusButton } from '../answers/StatusDialog.tsx';

// Rows are memoized: of forty rows a key press redraws only the two whose choice changes.

/** The state of an order's row. Handlers take the order, so that they stay the same for all rows. */
export type RowProps = {
  order: Order;
  isNew: boolean;
  isLeaving: boolean;
  /** The status that the farmer gave it, if that is not answered yet. */
  heldAs: OrderStatus | undefined;
  /** Ticked to be accepted with others. */
  isTicked: boolean;
  onTick: (order: Order) => void;
};

/** An order in the farmer's list on a phone; opens to show its actions. */
export const FarmerOrderCard = memo(function FarmerOrderCard({
  onAccept,
  ...row
}: RowProps & { onAccept: (order: Order) => void }) {
  useMarket();
  const { order, heldAs } = row;
  const [isOpen, setOpen] = useState(false);
  const isHighlighted = useHighlight(`${order.status} ${order.openChange?._id}`, order._id);
  const panelId = useId();
  const isAnswerable = useMayGive('accepted') && order.status === 'pending' && !order.openChange;
  return (
    <li
      className={cn(liveRowClass(row), isHighlighted && 'animate-highlight')}
      data-order={order._id}
    >
      <div className="flex min-h-16">
        <Tick {...row} />
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setOpen(!isOpen)}
          className="grid min-w-0 flex-1 grid-cols-1 content-center text-start text-xs leading-4.5"
        >
          <Line>
            <Name order={order} />
            <OrderTotal order={order} className="text-sm font-semibold" />
          </Line>
          <Line>
            <Items order={order} />
            {/* Beside what may be cut: the time of the handover never is. */}
            <State {...row} isShort />
          </Line>
          <Line wraps>
            <Slot order={order} />
            <Checks order={order} />
          </Line>
        </button>
        {isAnswerable && !heldAs ? (
          <Button
            size="icon"
            variant="quiet"
            aria-label={t('Accept order {shortId}', { shortId: shortId(order._id) })}
            onClick={() => onAccept(order)}
            className="h-auto w-12 self-stretch rounded-none"
            icon={<CircleCheck className="size-6" />}
            data-accepts=""
          />
        ) : (
          <span aria-hidden="true" className="grid w-12 place-items-center text-ink-soft">
            {heldAs ? (
              <Check className="size-5 text-leaf" />
            ) : (
              <ChevronDown className={cn('size-5 transition-transform', isOpen && 'rotate-180')} />
            )}
          </span>
        )}
      </div>
      <div id={panelId} hidden={!isOpen} className="border-t border-hairline p-3">
        {isOpen && <Panel order={order} />}
      </div>
    </li>
  );
});

function Panel({ order }: { order: Order }) {
  return (
    <div className="grid gap-3 text-sm">
      <p>{formatQuantities(order.items)}</p>
      {order.notes && (
        <p dir="auto" className="whitespace-pre-line text-ink-soft">
          {order.notes}
        </p>
      )}
      <div className="flex items-center justify-between gap-2">
        <Link
          href={`/orders/${order._id}`}
          aria-label={t('View Details of order {shortId}', { shortId: shortId(order._id) })}
          className="inline-flex min-h-11 items-center rounded font-medium text-leaf hover:text-leaf-strong"
        >
          {t('View Details')}
        </Link>
        <UpdateStatusButton order={order} size="sm" />
      </div>
      <OrderActions
        order={order}
        party="farmer"
        // The row has the button to accept.
        without="accepted"
        size="lg"
        className="*:flex-1 [&>button]:whitespace-nowrap [&>button]:px-2"
      />
    </div>
  );
}

/** An order in the farmer's list beside its detail. Only the chosen row is a tab stop. */
export const FarmerOrderRow = memo(function FarmerOrderRow({
  isChosen,
  onChoose,
  ...row
}: RowProps & { isChosen: boolean; onChoose: (order: Order) => void }) {
  useMarket();
  const { order } = row;
  const isHighlighted = useHighlight(`${order.status} ${order.openChange?._id}`, order._id);
  return (
    <li
      className={cn(liveRowClass(row), isHighlighted && 'animate-highlight', 'flex h-15')}
      data-order={order._id}
    >
      <Tick {...row} tabIndex={isChosen ? 0 : -1} />
      <button
        type="button"
        aria-pressed={isChosen}
        tabIndex={isChosen ? 0 : -1}
        onClick={() => onChoose(order)}
        className="grid min-w-0 flex-1 grid-cols-1 content-center gap-y-0.5 rounded-xs px-3 text-start text-sm hover:bg-sunken/60 focus-visible:outline-offset-[-2px] aria-pressed:bg-leaf-soft aria-pressed:shadow-[inset_3px_0_0_var(--color-leaf)] rtl:aria-pressed:shadow-[inset_-3px_0_0_var(--color-leaf)]"
      >
        <Line>
          <Name order={order} />
          <Slot order={order} />
          <OrderTotal order={order} className="text-sm font-semibold" />
        </Line>
        <Line>
          <Items order={order} />
          <Checks order={order} />
          <State {...row} />
        </Line>
      </button>
    </li>
  );
});

/** The box that ticks an order; an answered one has none, but keeps its place. */
function Tick({
  order,
  heldAs,
  isTicked,
  onTick,
  tabIndex,
}: RowProps & { tabIndex?: number | undefined }) {
  const mayAccept = useMayGive('accepted');
  if (!mayAccept || order.status !== 'pending' || order.openChange || heldAs)
    return <span className="w-10 shrink-0" />;
  return (
    <label className="relative grid w-10 shrink-0 cursor-pointer place-items-center pointer-coarse:w-11">
      <input
        type="checkbox"
        checked={isTicked}
        tabIndex={tabIndex}
        onChange={() => onTick(order)}
        aria-label={t('Select order {shortId} of {name}', {
          shortId: shortId(order._id),
          name: order.consumer.name,
        })}
        className="peer size-5 cursor-pointer appearance-none rounded-xs border border-outline bg-surface checked:border-leaf checked:bg-leaf"
      />
      <Check
        strokeWidth={3}
        className="pointer-events-none absolute size-3.5 text-on-leaf opacity-0 peer-checked:opacity-100"
      />
    </label>
  );
}

const Line = ({ wraps = false, children }: { wraps?: boolean; children: ReactNode }) => (
  <span className={cn('flex min-w-0 items-center gap-x-3', wraps && 'flex-wrap')}>{children}</span>
);

const Name = ({ order }: { order: Order }) => (
  <span dir="auto" className="min-w-0 grow truncate text-sm font-medium">
    <span className="sr-only">#{shortId(order._id)} </span>
    {order.consumer.name}
  </span>
);

const Items = ({ order }: { order: Order }) => (
  <span dir="auto" className="min-w-0 grow truncate text-ink-soft">
    {[placeOf(order), formatQuantities(order.items)].filter(Boolean).join(' · ')}
  </span>
);

/** The place of its slot, or the one that its customer wrote. */
const placeOf = (order: Order): string | undefined =>
  order.toCheck?.includes('own_place') ? order.pickupDetails?.location : slotOf(order).place;

/** What the farm looks at before it accepts the order, until it has an answer. */
const Checks = ({ order: { status, toCheck = [] } }: { order: Order }) =>
  status === 'pending' &&
  toCheck.map((check) => (
    <Badge key={check} tone="orange" icon={<MapPin />} className="shrink-0 py-0">
      {check === 'own_place' ? t('Own place') : t('Area not confirmed')}
    </Badge>
  ));

function Slot({ order }: { order: Order }) {
  const slot = slotOf(order);
  const Icon = slot.isDelivery ? Truck : Store;
  const when = formatNearSlot(slot, useDayAtFarm(order));
  return (
    <span className="inline-flex shrink-0 items-center gap-1">
      <Icon className="size-3.5 shrink-0 text-ink-soft" />
      <span className="sr-only">{wayOf(slot)} </span>
      <span dir="auto" className="whitespace-nowrap">
        {when}
      </span>
    </span>
  );
}

function State({ order, heldAs, isShort = false }: RowProps & { isShort?: boolean }) {
  const status = heldAs ?? order.status;
  if (order.openChange) {
    return (
      <Badge tone="straw" icon={<MessageCircleQuestion />}>
        {t('Asked')}
      </Badge>
    );
  }
  if (status === 'accepted' && order.packing === 'packed') {
    return (
      <Badge tone="leaf" icon={<PackageCheck />} className="shrink-0">
        {t('Packed')}
      </Badge>
    );
  }
  return status === 'pending' ? (
    <Waiting since={order.createdAt} isShort={isShort} />
  ) : (
    <StatusBadge status={status} />
  );
}
