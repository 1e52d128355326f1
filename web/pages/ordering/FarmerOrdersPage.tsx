import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { CalendarClock, ListChecks, Tag } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import type { Order } from '#contract/ordering/orders/orders';
import { t } from '#contract/platform/text/constants/texts';
import { formatWallDate } from '#contract/platform/time/constants';
import { useFarmToday } from '../../farm/farmers/queries.ts';
import { useMayGive } from '../../ordering/orders/answers/OrderActions.tsx';
import {
  flushAnswersWithPage,
  queueAcceptance,
  queuedAnswersAtom,
  queuedStatuses,
  takeBack,
} from '../../ordering/orders/answers/queued-answers.ts';
import {
  AnswerBar,
  OrderTools,
  RefusedOrders,
  TickAll,
} from '../../ordering/orders/detail/OrderTools.tsx';
import { FarmerOrderCard } from '../../ordering/orders/lists/FarmerOrderRow.tsx';
import { FarmerOrderSplit, type RenderRow } from '../../ordering/orders/lists/FarmerOrderSplit.tsx';
import {
  KnownOnly,
  StatusFilterBar,
  statusOf,
  useAnsweredOrders,
  useStatusFilter,
  useWaitingOrders,
} from '../../ordering/orders/lists/StatusFilterBar.tsx';
import { waitingOrdersQuery } from '../../ordering/orders/queries.ts';
import { pathOfList } from '../../ordering/picklist/DayBar.tsx';
import { useSearchBox } from '../../platform/hooks/use-debounced.ts';
import { useMedia } from '../../platform/hooks/use-media.ts';
import { useSearchParam, useSearchParamChoice } from '../../platform/hooks/use-search-param.ts';
import { useStableCallback, useTicks } from '../../platform/hooks/use-stable-callback.ts';
import type { LiveList } from '../../platform/queries/use-live-list.ts';
import { mayForFarm, useAuth } from '../../platform/session/session.ts';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../platform/ui/feedback/states.tsx';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.tsx';
import { NewPill } from '../../platform/ui/lists/LoadMore.tsx';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { NextPage } from '../NextPage.tsx';
import { FarmLinesAction, FarmSlotAction } from './farm-actions.tsx';

const LotDialog = lazyWithRetry(() => import('../../ordering/lots/LotDialog.tsx'));

/** Prefetches what waits for an answer. */
export const prefetch = (client: QueryClient) => client.prefetchInfiniteQuery(waitingOrdersQuery());

/** The page on which a farmer answers orders: pending ones first, the oldest on top. */
export default function FarmerOrdersPage() {
  const mayAnswer = mayForFarm(useAuth().user, 'answerOrders');
  const cache = useQueryClient();
  const [isFindingLot, setFindingLot] = useState(false);
  const [filter, setFilter] = useStatusFilter();
  const { text, setText, search } = useSearchBox();
  const [day, setDate] = useSearchParam('day');
  const today = useFarmToday();
  // Sellers begin with today's, whatever day it is by then.
  const date = day === 'today' ? today : day;
  const [sort, setSort] = useSearchParamChoice('sort', ['placed', 'slot'], 'placed');
  const looked = { search, date, isBySlot: sort === 'slot', today };
  const waiting = useWaitingOrders(looked);
  const showsAnswered = filter !== 'pending';
  const answered = useAnsweredOrders(statusOf(filter), looked, showsAnswered);
  const showsWaiting = filter === 'all' || filter === 'pending';
  const isSplit = useMedia('(min-width: 64rem)');
  useEffect(flushAnswersWithPage, []);

  // The oldest pending order is only known once all are loaded.
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = waiting.query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  const shown = [...(showsWaiting ? [waiting] : []), ...(showsAnswered ? [answered] : [])];
  // An order that was just answered is in both lists for a moment.
  const rows = [
    ...new Map(shown.flatMap(({ list }) => list.rows).map((order) => [order._id, order])).values(),
  ];
  const failed = shown.find(
    ({ query, isKnownOnly }) => query.isError && !query.data && !isKnownOnly,
  )?.query;
  const queuedOrders = queuedStatuses(useAtomValue(queuedAnswersAtom));
  const mayAccept = useMayGive('accepted');
  const tickable = rows.filter(
    ({ _id, status, openChange }) =>
      mayAccept && status === 'pending' && !openChange && !queuedOrders.has(_id),
  );
  // What somebody has to look at first is ticked by hand alone.
  const usual = tickable.filter(({ toCheck }) => toCheck === undefined);
  const { ticked, isTicked, toggle, setAll } = useTicks(tickable, usual);
  const waitingCount = waiting.query.isSuccess
    ? waiting.all.filter(({ _id }) => !queuedOrders.has(_id)).length
    : undefined;
  const isSearching = search !== '' || date !== '';

  const sections = (renderRow: RenderRow) => {
    const render = (order: Order, list: LiveList<Order>) =>
      renderRow({
        order,
        isNew: list.isNew(order),
        isLeaving: list.isLeaving(order),
        heldAs: queuedOrders.get(order._id),
        isTicked: isTicked(order),
        onTick: toggle,
      });
    return (
      <>
        {shown.some(({ isKnownOnly }) => isKnownOnly) && <KnownOnly />}
        <NewPill count={shown.reduce((sum, { list }) => sum + list.deferredCount, 0)} />
        {showsWaiting && (
          <Section
            title={t('Waiting for your answer')}
            action={
              <TickAll
                tickable={usual.length}
                ticked={usual.filter(isTicked).length}
                onTickAll={setAll}
              />
            }
          >
            {waiting.list.rows.map((order) => render(order, waiting.list))}
          </Section>
        )}
        {showsAnswered && (
          <>
            <Section title={filter === 'all' ? t('Answered') : null}>
              {answered.list.rows.map((order) => render(order, answered.list))}
            </Section>
            <NextPage query={answered.query} />
          </>
        )}
      </>
    );
  };

  return (
    <div className="wrap max-w-[96rem] py-3 sm:py-6">
      <header className="mb-1 flex items-baseline gap-x-3 sm:mb-3 sm:gap-x-4">
        <h1 className="shrink-0 text-xl sm:text-2xl">{t('Orders')}</h1>
        <p className="min-w-0 truncate text-sm text-ink-soft sm:text-base">
          <span className="max-sm:hidden">{waitingText(waitingCount)}</span>
          {/* What fits beside the heading on a phone. */}
          <span className="sm:hidden">{shortWaitingText(waitingCount)}</span>
        </p>
        <LinkButton
          href={date === '' ? '/farmer/picklist' : pathOfList({ date, place: null })}
          variant="quiet"
          size="sm"
          icon={<ListChecks />}
          className="-my-3 ms-auto shrink-0"
        >
          <span className="max-sm:sr-only">
            {date === ''
              ? t('Pick list')
              : t('Pick list of {date}', { date: formatWallDate(date, 'weekday') })}
          </span>
        </LinkButton>
        <LinkButton
          href="/farmer/slots"
          variant="quiet"
          size="sm"
          icon={<CalendarClock />}
          // No higher than the title, so that a phone shows one order more.
          className="-my-3 shrink-0"
        >
          <span className="max-sm:sr-only">{t('Slots')}</span>
        </LinkButton>
        <Button
          variant="quiet"
          size="sm"
          icon={<Tag />}
          onClick={() => setFindingLot(true)}
          className="-my-3 -me-3 shrink-0"
        >
          <span className="max-sm:sr-only">{t('Lots')}</span>
        </Button>
        {isFindingLot && (
          <Suspense fallback={null}>
            <LotDialog onClose={() => setFindingLot(false)} />
          </Suspense>
        )}
      </header>
      <StatusFilterBar value={filter} onChange={setFilter} counts={{ pending: waitingCount }} />
      <div className="mt-2">
        <OrderTools
          text={text}
          onText={setText}
          date={date}
          onDate={setDate}
          isBySlot={looked.isBySlot}
          onBySlot={(isBySlot) => setSort(isBySlot ? 'slot' : 'placed')}
          waiting={waiting.all}
          today={today}
        />
      </div>
      <RefusedOrders />
      <div className="mt-2">
        {failed ? (
          <ErrorState error={failed.error} onRetry={failed.refetch} pending={failed.isFetching} />
        ) : shown.some(({ query }) => query.isPending) ? (
          <RowSkeletons isSplit={isSplit} />
        ) : rows.length === 0 ? (
          <EmptyState
            drawing="parcel"
            title={t('No Orders Found')}
            text={
              isSearching
                ? t('No order matches. Try other words or another day.')
                : filter === 'all'
                  ? t('New orders appear here the moment they are placed.')
                  : t('No order has this status at the moment.')
            }
          >
            {filter === 'all' && !isSearching && (
              <LinkButton href="/farmer/products">{t('My products')}</LinkButton>
            )}
          </EmptyState>
        ) : isSplit ? (
          <FarmerOrderSplit
            rows={rows}
            queuedOrders={queuedOrders}
            onTick={toggle}
            slotAction={mayAnswer ? slotAction : noAction}
            linesAction={mayAnswer ? linesAction : noAction}
          >
            {sections}
          </FarmerOrderSplit>
        ) : (
          <Cards>{sections}</Cards>
        )}
      </div>
      <AnswerBar
        ticked={ticked.length}
        onAccept={() => {
          queueAcceptance(ticked, cache);
          setAll(false);
        }}
        onClear={() => setAll(false)}
        onUndo={(held) => takeBack(held.id)}
      />
    </div>
  );
}

const slotAction = (order: Order) => <FarmSlotAction key={order._id} order={order} />;

const linesAction = (order: Order) => (
  <FarmLinesAction key={`${order._id} lines`} order={order} mayAnswer />
);

/** Those who do not answer for the farm read an order on its own page. */
const noAction = () => null;

/** The list on a phone. After an order is accepted, the focus moves on to the next one. */
function Cards({ children }: { children: (renderRow: RenderRow) => ReactNode }) {
  const cache = useQueryClient();
  const accept = useStableCallback((order: Order) => {
    const row = document.querySelector(`[data-order="${order._id}"]`);
    const next = row?.nextElementSibling ?? row;
    queueAcceptance([order], cache);
    const target =
      next?.querySelector<HTMLElement>('[data-accepts]') ??
      next?.querySelector<HTMLElement>('button');
    target?.focus({ preventScroll: true });
  });
  return children((row) => <FarmerOrderCard key={row.order._id} {...row} onAccept={accept} />);
}

function shortWaitingText(count: number | undefined): string {
  if (count === undefined) return '\u00a0';
  return count === 0 ? t('None waiting') : t('{count, plural, other {# waiting}}', { count });
}

function waitingText(count: number | undefined): string {
  // One line, like what takes its place.
  if (count === undefined) return '\u00a0';
  return count === 0
    ? t("You're all caught up.")
    : t('{count, plural, one {# order is} other {# orders are}} waiting for you.', { count });
}

function Section({
  title,
  action,
  children,
}: {
  title: string | null;
  action?: ReactNode;
  children: ReactNode[];
}) {
  if (children.length === 0) return null;
  return (
    <section className="mb-6">
      {title && (
        <div className="flex min-h-11 items-center justify-between gap-2 pe-3">
          <h2 className="text-base sm:text-lg">{title}</h2>
          {action}
        </div>
      )}
      <ul className="divide-y divide-hairline overflow-hidden rounded border border-hairline">
        {children}
      </ul>
    </section>
  );
}

const RowSkeletons = ({ isSplit }: { isSplit: boolean }) => (
  <Loading className="grid gap-6 lg:grid-cols-[minmax(22rem,27rem)_minmax(0,1fr)]">
    <div className="grid gap-px">
      {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
        <Skeleton key={row} className="h-15 max-lg:h-16" />
      ))}
    </div>
    {isSplit && <Skeleton className="h-[32rem]" />}
  </Loading>
);
