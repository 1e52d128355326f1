import { useQuery } from '@tanstack/react-query';
import { useAtom } from 'jotai';
import { type ReactNode, useEffect, useState } from 'react';
import { findTransition } from '#contract/constants/orders';
import type { Order } from '#contract/orders';
import { plural, shortId } from '../lib/format.ts';
import type { LiveList } from '../lib/use-live-list.ts';
import { useMedia } from '../lib/use-media.ts';
import { useSearchParam } from '../lib/use-search-param.ts';
import { LinkButton } from '../ui/primitives/Button.tsx';
import { Checkbox } from '../ui/primitives/Checkbox.tsx';
import { EmptyState } from '../ui/primitives/EmptyState.tsx';
import { ErrorState } from '../ui/primitives/ErrorState.tsx';
import { LoadMore } from '../ui/primitives/LoadMore.tsx';
import { NewPill } from '../ui/primitives/NewPill.tsx';
import { PageHeader } from '../ui/primitives/PageHeader.tsx';
import { Loading, Skeleton } from '../ui/primitives/Skeleton.tsx';
import { FarmerOrderCard, FarmerOrderRow } from './FarmerOrderRow.tsx';
import { EndOrderDialog, OrderActions } from './OrderActions.tsx';
import { OrderDetail } from './OrderDetail.tsx';
import { OrderHead } from './OrderHead.tsx';
import { orderQuery, useUpdateOrderStatus } from './queries.ts';
import { UpdateStatusButton } from './StatusDialog.tsx';
import { StatusFilterBar } from './StatusFilterBar.tsx';
import { statusOf, useStatusFilter } from './status-filter.ts';
import { orderKeysAtom, useOrderKeys } from './use-order-keys.ts';
import { useAnsweredOrders, useWaitingOrders } from './use-order-list.ts';

/** The page on which a farmer answers orders: pending ones first, the oldest on top. */
export default function FarmerOrdersPage() {
  const [filter, setFilter] = useStatusFilter();
  const waiting = useWaitingOrders();
  const showsAnswered = filter !== 'pending';
  const answered = useAnsweredOrders(statusOf(filter), showsAnswered);
  const showsWaiting = filter === 'all' || filter === 'pending';
  const isSplit = useMedia('(min-width: 64rem)');

  // The oldest pending order is only known once all are loaded.
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = waiting.query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  const used = [
    ...(showsWaiting ? [waiting.query] : []),
    ...(showsAnswered ? [answered.query] : []),
  ];
  const failed = used.find((query) => query.isError && !query.data);
  // An order that was just answered is in both lists for a moment.
  const rows = uniqueById([
    ...(showsWaiting ? waiting.list.rows : []),
    ...(showsAnswered ? answered.list.rows : []),
  ]);

  return (
    <div className="wrap py-6 sm:py-8">
      <PageHeader
        title="Orders"
        text={waitingText(waiting.query.isSuccess ? waiting.list : undefined)}
        className="mb-4"
      />
      <StatusFilterBar
        value={filter}
        onChange={setFilter}
        counts={{
          pending: waiting.query.isSuccess ? countOf(waiting.list) : undefined,
        }}
      />
      <div className="mt-4">
        {failed ? (
          <ErrorState error={failed.error} onRetry={failed.refetch} pending={failed.isFetching} />
        ) : used.some((query) => query.isPending) ? (
          <RowSkeletons isSplit={isSplit} />
        ) : rows.length === 0 ? (
          <EmptyState
            drawing="parcel"
            title="No Orders Found"
            text={
              filter === 'all'
                ? 'New orders appear here the moment they are placed.'
                : 'No order has this status at the moment.'
            }
          >
            {filter === 'all' && <LinkButton href="/farmer/products">My Products</LinkButton>}
          </EmptyState>
        ) : (
          <Split rows={rows} isSplit={isSplit}>
            {(renderRow) => (
              <>
                <NewPill
                  count={
                    (showsWaiting ? waiting.list.deferredCount : 0) +
                    (showsAnswered ? answered.list.deferredCount : 0)
                  }
                />
                {showsWaiting && (
                  <Section title={filter === 'all' ? 'Waiting for your answer' : null}>
                    {waiting.list.rows.map((order) => renderRow(order, waiting.list))}
                  </Section>
                )}
                {showsAnswered && (
                  <Section title={filter === 'all' ? 'Answered' : null}>
                    {answered.list.rows.map((order) => renderRow(order, answered.list))}
                  </Section>
                )}
                {showsAnswered && (
                  <LoadMore
                    hasMore={answered.query.hasNextPage}
                    pending={answered.query.isFetchingNextPage}
                    failed={answered.query.isFetchNextPageError}
                    onMore={answered.query.fetchNextPage}
                  />
                )}
              </>
            )}
          </Split>
        )}
      </div>
    </div>
  );
}

function uniqueById(orders: Order[]): Order[] {
  return [...new Map(orders.map((order) => [order._id, order])).values()];
}

function countOf(list: LiveList<Order>): number {
  return list.deferredCount + list.rows.filter((order) => !list.isLeaving(order)).length;
}

function waitingText(list: LiveList<Order> | undefined): string {
  if (!list) return 'The orders placed with your farm.';
  const count = countOf(list);
  return count === 0
    ? 'Nobody waits for an answer.'
    : `${plural(count, 'order waits', 'orders wait')} for your answer.`;
}

type RenderRow = (order: Order, list: LiveList<Order>) => ReactNode;

/**
 * On phones a list of cards; on wide screens the list with the selected order beside it and keyboard
 * shortcuts. The selection is kept in the URL.
 */
function Split({
  rows,
  isSplit,
  children,
}: {
  rows: Order[];
  isSplit: boolean;
  children: (renderRow: RenderRow) => ReactNode;
}) {
  const [chosen, setChosen] = useSearchParam('order');
  const [keysOn, setKeysOn] = useAtom(orderKeysAtom);
  const [rejecting, setRejecting] = useState<Order | null>(null);
  const update = useUpdateOrderStatus();

  const listed = chosen ? rows.find((order) => order._id === chosen) : rows[0];
  const away = useQuery({
    ...orderQuery(chosen),
    enabled: isSplit && chosen !== '' && listed === undefined,
  });
  const selected = listed ?? away.data ?? rows[0];

  const step = (by: number) => {
    const index = rows.findIndex((order) => order._id === selected?._id);
    const next = rows[Math.max(0, Math.min(rows.length - 1, index + by))];
    if (!next) return;
    setChosen(next._id);
    document.querySelector(`[data-order="${next._id}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const may = (to: 'accepted' | 'rejected') =>
    selected && !update.isPending && findTransition(selected.status, to, 'farmer') !== undefined;
  useOrderKeys(
    {
      j: () => step(1),
      k: () => step(-1),
      a: () => {
        if (!selected || !may('accepted')) return;
        setChosen(selected._id);
        update.mutate({ order: selected, status: 'accepted' });
      },
      r: () => {
        if (selected && may('rejected')) setRejecting(selected);
      },
    },
    isSplit && keysOn,
  );

  if (!isSplit) {
    return children((order, list) => (
      <FarmerOrderCard
        key={order._id}
        order={order}
        isNew={list.isNew(order)}
        isLeaving={list.isLeaving(order)}
      />
    ));
  }
  return (
    <>
      <div className="grid grid-cols-[24rem_minmax(0,1fr)] items-start gap-6">
        <div>
          {children((order, list) => (
            <FarmerOrderRow
              key={order._id}
              order={order}
              isNew={list.isNew(order)}
              isLeaving={list.isLeaving(order)}
              isSelected={order._id === selected?._id}
              onSelect={() => setChosen(order._id)}
            />
          ))}
        </div>
        {selected && (
          <section
            aria-label={`Order ${shortId(selected._id)}`}
            className="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-y-auto rounded border border-hairline bg-paper p-5"
          >
            <OrderHead key={selected._id} order={selected} level={2}>
              <div className="flex flex-wrap gap-2">
                <UpdateStatusButton order={selected} />
                <OrderActions order={selected} party="farmer" />
              </div>
            </OrderHead>
            <KeysHint on={keysOn} onChange={setKeysOn} />
            <OrderDetail order={selected}>
              <LinkButton href={`/orders/${selected._id}`} variant="secondary">
                Open order page
              </LinkButton>
            </OrderDetail>
          </section>
        )}
      </div>
      {rejecting && (
        <EndOrderDialog
          order={rejecting}
          to="rejected"
          party="farmer"
          onClose={() => setRejecting(null)}
        />
      )}
    </>
  );
}

const keyHints = [
  ['J', 'next'],
  ['K', 'previous'],
  ['A', 'accept'],
  ['R', 'reject'],
] as const;

function KeysHint({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-1 border-y border-hairline py-1.5 text-xs text-ink-soft">
      <Checkbox
        label="Keyboard shortcuts"
        checked={on}
        onChange={(event) => onChange(event.target.checked)}
        className="py-1 text-xs"
      />
      {on &&
        keyHints.map(([key, action]) => (
          <span key={key} className="inline-flex items-center gap-1.5">
            <kbd className="rounded-xs border border-outline bg-surface px-1.5 font-sans font-medium">
              {key}
            </kbd>
            {action}
          </span>
        ))}
    </div>
  );
}

function Section({ title, children }: { title: string | null; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <section className="mb-6">
      {title && <h2 className="mb-3 text-lg">{title}</h2>}
      <ul className="grid gap-3">{children}</ul>
    </section>
  );
}

function RowSkeletons({ isSplit }: { isSplit: boolean }) {
  return (
    <Loading className="grid gap-6 lg:grid-cols-[24rem_minmax(0,1fr)]">
      <div className="grid gap-3">
        {[1, 2, 3, 4].map((row) => (
          <Skeleton key={row} className="h-32" />
        ))}
      </div>
      {isSplit && <Skeleton className="h-[32rem]" />}
    </Loading>
  );
}
