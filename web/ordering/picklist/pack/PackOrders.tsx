import { useQueryClient } from '@tanstack/react-query';
import {
  ChevronDown,
  CloudOff,
  Hourglass,
  MapPin,
  PackageCheck,
  PackageOpen,
  Truck,
} from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'wouter';
import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { shortId } from '#contract/platform/http/constants';
import { formatLine } from '#contract/platform/quantities/constants/pieces';
import { t } from '#contract/platform/text/constants/texts';
import { listen } from '../../../platform/hooks/listen.ts';
import { useSearchParam, useSearchParamChoice } from '../../../platform/hooks/use-search-param.ts';
import { useHighlight } from '../../../platform/queries/use-changes.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { EmptyState } from '../../../platform/ui/feedback/states.tsx';
import { FilterBar } from '../../../platform/ui/lists/FilterBar.tsx';
import { Badge } from '../../../platform/ui/primitives/Button.tsx';
import { useQueuedWork, useShownList } from '../use-picklist.tsx';
import { timeOf, whereOf } from '../words.ts';
import { type PickView, pickedOrders } from '../work/fold.ts';
import { doWork } from '../work/send-work.ts';
import { type Lot, lotsOf } from './LotField.tsx';
import { PackOrderPanel } from './PackOrderPanel.tsx';
import { PackProducts } from './PackProducts.tsx';
import { isWeighed } from './WeighLine.tsx';

/** The orders of a day in the order in which they are handed over, one of them open. */
function PackOrders() {
  const { view } = useShownList();
  const queued = useQueuedWork();
  const cache = useQueryClient();
  const list = useRef<HTMLUListElement>(null);
  const [openId, setOpenId] = useSearchParam('order');
  const isPrinting = useIsPrinting();
  const orders = pickedOrders(view);
  /** The order to go to once the packed one has closed, which moves all below it. */
  const leftFor = useRef<string>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another one is open.
  useLayoutEffect(() => {
    const row =
      leftFor.current &&
      list.current?.querySelector<HTMLElement>(`[data-pack-order="${leftFor.current}"]`);
    leftFor.current = undefined;
    if (!row) return;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  }, [openId]);
  const packed = orders.filter(
    ({ packing, status }) => packing === 'packed' || status === 'completed',
  );
  if (orders.length === 0) {
    return (
      <EmptyState
        drawing="parcel"
        title={t('Nothing to pack yet')}
        text={t('Orders appear here as soon as they are accepted.')}
      />
    );
  }
  const pack = (
    order: PickOrder,
    packing: PickOrder['packing'],
    crates: number | null,
    lots: readonly Lot[] = lotsOf(order),
  ) => {
    doWork(cache, {
      kind: 'pack',
      orderId: order._id,
      packing,
      crates,
      lots: [...lots],
      expectedVersion: order.version,
      label: t("{name}'s order #{shortId}", {
        name: order.customer.name,
        shortId: shortId(order._id),
      }),
    });
    if (packing !== 'packed' || order.packing === 'packed') return;
    const after = orders.slice(orders.indexOf(order) + 1);
    const next = after.find((other) => other.packing !== 'packed' && other.status === 'accepted');
    leftFor.current = next?._id ?? order._id;
    setOpenId(next?._id ?? '');
  };
  return (
    <>
      <p className="tabular font-medium">
        {t('{packed} of {total} packed', { packed: packed.length, total: orders.length })}
      </p>
      <ul ref={list} className="grid grid-cols-1 gap-2">
        {orders.map((order) => (
          <OrderRow
            key={order._id}
            order={order}
            isOpen={order._id === openId}
            isPrinting={isPrinting}
            isUnsent={queued.some(
              (work) =>
                work.kind === 'pack' && work.orderId === order._id && work.refusal === undefined,
            )}
            onToggle={() => setOpenId(order._id === openId ? '' : order._id)}
          >
            <PackOrderPanel order={order} onPack={(...packed) => pack(order, ...packed)} />
          </OrderRow>
        ))}
      </ul>
    </>
  );
}

function OrderRow({
  order,
  isOpen,
  isPrinting,
  isUnsent,
  onToggle,
  children,
}: {
  order: PickOrder;
  isOpen: boolean;
  isPrinting: boolean;
  isUnsent: boolean;
  onToggle: () => void;
  children: ReactNode;
}) {
  const { _id, customer, lines, packing, askedLineIds } = order;
  const count = lines.filter(({ quantity }) => quantity > 0).length;
  const isHighlighted = useHighlight(packing, _id);
  return (
    <li
      data-print="whole"
      className={cn(
        'overflow-hidden rounded border border-hairline bg-surface',
        packing === 'packed' && !isOpen && 'bg-sunken',
        isHighlighted && 'animate-highlight',
      )}
    >
      <button
        type="button"
        data-pack-order={_id}
        aria-expanded={isOpen}
        onClick={onToggle}
        className="flex min-h-16 w-full items-center gap-3 print:flex-wrap px-3 py-2 text-start hover:bg-sunken focus-visible:outline-offset-[-3px]"
      >
        <span className="grid min-w-0 grow">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <bdi className="text-base font-semibold">{customer.name}</bdi>
            <span className="tabular text-sm text-ink-soft">#{shortId(_id)}</span>
          </span>
          <span dir="auto" className="line-clamp-2 text-sm text-ink-soft print:line-clamp-none">
            {timeOf(order)} · {whereOf(order)}
          </span>
        </span>
        <span className="grid shrink-0 justify-items-end gap-1">
          <PackingBadge order={order} />
          <span className="tabular flex items-center gap-1.5 text-sm text-ink-soft">
            {isUnsent && (
              <>
                <CloudOff className="size-4" />
                <span className="sr-only">{t('not sent yet')}</span>
              </>
            )}
            {askedLineIds.length > 0 && (
              <>
                <Hourglass className="size-4" />
                <span className="sr-only">{t("waits for the customer's answer")}</span>
              </>
            )}
            {t('{count, plural, one {# line} other {# lines}}', { count })}
          </span>
        </span>
        <ChevronDown
          data-print="hide"
          className={cn('size-5 shrink-0 transition-transform', isOpen && 'rotate-180')}
        />
      </button>
      {isOpen && children}
      {isPrinting && !isOpen && <LinesOnPaper order={order} />}
    </li>
  );
}

/** What is in an order that is closed on the screen: on paper nobody can open it. */
const LinesOnPaper = ({ order }: { order: PickOrder }) => (
  <ul className="tabular px-3 pb-2">
    {order.lines
      .filter(({ quantity }) => quantity > 0)
      .map((line) => (
        <li key={line.lineId} className="flex items-baseline gap-2">
          <span className="size-3 shrink-0 border border-outline" />
          <span className="wrap-anywhere min-w-0">{formatLine(line)}</span>
        </li>
      ))}
  </ul>
);

/** How far an order is packed, in how many crates. */
function PackingBadge({
  order: { packing, crates, status },
}: {
  order: Pick<PickOrder, 'packing' | 'crates' | 'status'>;
}) {
  if (status === 'completed') return <Badge tone="neutral">{t('Handed over')}</Badge>;
  if (packing === 'packed') {
    return (
      <Badge tone="leaf" icon={<PackageCheck />}>
        {crates
          ? t('Packed, {crates, plural, one {# crate} other {# crates}}', { crates })
          : t('Packed')}
      </Badge>
    );
  }
  if (packing === 'packing') {
    return (
      <Badge tone="straw" icon={<PackageOpen />}>
        {crates
          ? t('Packing, {crates, plural, one {# crate} other {# crates}}', { crates })
          : t('Packing')}
      </Badge>
    );
  }
  return <Badge>{t('Not packed')}</Badge>;
}

/** Packing: one order at a time, or one product over all orders beside the scale. */
export function PackView() {
  const [by, setBy] = useSearchParamChoice('by', ['order', 'product'], 'order');
  return (
    <section aria-label={t('Packing')} className="grid grid-cols-1 gap-3">
      <FilterBar
        label={t('Pack by')}
        options={[
          { value: 'order', label: t('By order') },
          { value: 'product', label: t('By product') },
        ]}
        value={by}
        onChange={setBy}
      />
      {by === 'order' ? <PackOrders /> : <PackProducts />}
    </section>
  );
}

type Stop = { key: string; orders: PickOrder[] };

/** Returns the orders by time and place, deliveries of a time together. */
function stopsOf(view: PickView): Stop[] {
  const stops = new Map<string, Stop>();
  for (const order of pickedOrders(view)) {
    const key = [timeOf(order), order.place].join('|');
    const stop = stops.get(key) ?? { key, orders: [] };
    stop.orders.push(order);
    stops.set(key, stop);
  }
  return [...stops.values()];
}

const isReady = ({ packing, status }: PickOrder): boolean =>
  packing === 'packed' || status === 'completed';

/** What goes into the van: the orders of each time and place with their crates. */
export function LoadView() {
  const { view, renderHandOver } = useShownList();
  const stops = stopsOf(view);
  if (stops.length === 0) {
    return (
      <EmptyState
        drawing="parcel"
        title={t('Nothing to load yet')}
        text={t('Accepted orders appear here by time and place.')}
      />
    );
  }
  return (
    <section aria-label={t('Loading')} className="grid grid-cols-1 gap-5">
      {stops.map(({ key, orders }) => {
        const [first] = orders;
        if (!first) return null;
        const isDelivery = first.address !== null;
        const ready = orders.filter(isReady);
        const crates = orders.reduce((sum, order) => sum + (order.crates ?? 0), 0);
        const Icon = isDelivery ? Truck : MapPin;
        return (
          <section key={key} className="grid grid-cols-1 gap-2">
            <header className="flex flex-wrap items-baseline gap-x-3 break-after-avoid">
              <h2 className="flex items-center gap-2 text-lg">
                <Icon className="size-5 text-ink-soft" />
                {timeOf(first)} · {isDelivery ? t('Deliveries') : first.place}
              </h2>
              <p className="tabular text-sm text-ink-soft">
                {t(
                  '{count, plural, one {# order} other {# orders}}, {crates, plural, one {# crate} other {# crates}}, {packed} packed',
                  { count: orders.length, crates, packed: ready.length },
                )}
              </p>
            </header>
            <ul className="grid grid-cols-1 gap-2 lg:grid-cols-2">
              {orders.map((order) => (
                <li
                  key={order._id}
                  data-print="whole"
                  className="flex min-h-16 flex-wrap items-center gap-x-3 gap-y-2 rounded border border-hairline bg-surface px-3 py-2"
                >
                  <span className="grid min-w-0 grow basis-40">
                    <Link
                      href={`/orders/${order._id}`}
                      className="link -my-2.5 w-fit py-2.5 text-base font-semibold print:my-0 print:py-0"
                    >
                      <bdi>{order.customer.name}</bdi>
                    </Link>
                    <span className="tabular text-sm text-ink-soft">
                      #{shortId(order._id)}
                      {order.address !== null && ` · ${order.address}`}
                      {!isWeighed(order) && ` · ${t('not weighed yet')}`}
                    </span>
                  </span>
                  <PackingBadge order={order} />
                  {order.status === 'accepted' && renderHandOver(order)}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </section>
  );
}

/**
 * Returns whether the page is being printed, for what only paper shows. The browser lays the paper out right after it
 * says that it will print, so that the page has changed by then; a media query is answered too late.
 */
function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(
    () =>
      listen(window, ['beforeprint', 'afterprint'], ({ type }) =>
        flushSync(() => setPrinting(type === 'beforeprint')),
      ),
    [],
  );
  return isPrinting;
}
