import { useQuery } from '@tanstack/react-query';
import { Boxes, PackageCheck, PackageMinus, Sprout } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { shortId } from '#contract/platform/http/constants';
import { formatLine, nameWithSize } from '#contract/platform/quantities/constants/pieces';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { dayIn, formatNearDay } from '#contract/platform/time/constants';
import { formatFullDay } from '#contract/platform/time/constants/clock';
import { productQuery } from '../../catalogue/products/queries.ts';
import { farmerQuery } from '../../farm/farmers/queries.ts';
import { placesQuery } from '../../farm/places/queries.ts';
import { ShortageRuns } from '../../ordering/changes/shortage/ShortageRuns.tsx';
import { OrderActions } from '../../ordering/orders/answers/OrderActions.tsx';
import { orderQuery } from '../../ordering/orders/queries.ts';
import { ChangeNotice } from '../../ordering/picklist/ChangeReasons.tsx';
import { DayBar, daysAheadQuery, usePickDays } from '../../ordering/picklist/DayBar.tsx';
import { HarvestView } from '../../ordering/picklist/HarvestView.tsx';
import { LoadView, PackView } from '../../ordering/picklist/pack/PackOrders.tsx';
import { PrintTools } from '../../ordering/picklist/print/PrintTools.tsx';
import {
  QueuedWorkNotice,
  ShownList,
  useChangeAlert,
  useMayPack,
  usePicklist,
} from '../../ordering/picklist/use-picklist.tsx';
import { errorMessage } from '../../platform/api/api-error.ts';
import { useTitle } from '../../platform/format/market.ts';
import { rich } from '../../platform/format/rich.tsx';
import { useNow } from '../../platform/hooks/use-now.ts';
import { useSearchParam, useSearchParamChoice } from '../../platform/hooks/use-search-param.ts';
import { farmIdOf, mayForFarm, useAuth } from '../../platform/session/session.ts';
import { Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { ringInOneTab } from '../../platform/ui/feedback/sound.ts';
import {
  Alert,
  EmptyState,
  ErrorState,
  Loading,
  Skeleton,
} from '../../platform/ui/feedback/states.tsx';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.tsx';
import { FilterBar } from '../../platform/ui/lists/FilterBar.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';

const ShortageDialog = lazyWithRetry(
  () => import('../../ordering/changes/shortage/ShortageDialog.tsx'),
);
const ProposeDialog = lazyWithRetry(async () => ({
  default: (await import('../../ordering/changes/proposals/FarmProposal.tsx')).ProposeDialog,
}));

const CLOCK_STEP_MS = 30_000;
const IS_DAY = /^\d{4}-\d{2}-\d{2}$/;
const VIEWS = ['harvest', 'pack', 'load'] as const;

const views = [
  { value: 'harvest', label: msg('Harvest'), icon: Sprout },
  { value: 'pack', label: msg('Packing'), icon: PackageCheck },
  { value: 'load', label: msg('loading crates|Loading'), icon: Boxes },
] as const;

const ring = () => void ringInOneTab();

/** What a farm harvests, packs and loads on a day, live on every telephone and laptop that has it open. */
export default function PicklistPage() {
  const { user } = useAuth();
  const farm = useQuery(farmerQuery(farmIdOf(user) ?? ''));
  const [day] = useSearchParam('date');
  const timeZone = farm.data?.profile.timeZone;
  return (
    <div className="wrap max-w-[96rem] py-3 sm:py-6">
      {farm.isPending ? (
        <PageSkeleton />
      ) : day === 'next' ? (
        <NextDay farmToday={dayIn(timeZone)} />
      ) : (
        // The list of the wrong day is not asked for while the farm's clock is unknown.
        <DayList timeZone={timeZone} />
      )}
    </div>
  );
}

/** Opens the list of the next day with orders, answered ones first, with which packers begin; else today's. */
function NextDay({ farmToday }: { farmToday: string }) {
  const [, setDay] = useSearchParam('date');
  const { data, isPending, fetchStatus } = useQuery(daysAheadQuery(farmToday));
  const busy = data?.find(({ orders }) => orders > 0) ?? data?.find(({ pending }) => pending > 0);
  const next = busy?.date ?? farmToday;
  // Without a network there is today's, which may be kept.
  const isKnown = !isPending || fetchStatus === 'paused';
  useEffect(() => {
    if (isKnown) setDay(next === farmToday ? '' : next);
  });
  return <PageSkeleton />;
}

function DayList({ timeZone }: { timeZone: string | undefined }) {
  const { user } = useAuth();
  const farmToday = dayIn(timeZone, useNow(CLOCK_STEP_MS));
  const [dayText, setDay] = useSearchParam('date');
  const [placeText, setPlace] = useSearchParam('place');
  const [shown, setShown] = useSearchParamChoice('view', VIEWS, 'harvest');
  const { data: places = [] } = useQuery(placesQuery());
  const date = IS_DAY.test(dayText) && !Number.isNaN(Date.parse(dayText)) ? dayText : farmToday;
  const place = placeText === '' ? null : placeText;
  const { query, view } = usePicklist({ date, place });
  const mayPack = useMayPack();
  const mayAnswer = mayForFarm(user, 'answerOrders');
  const [shortOf, setShortOf] = useState<string | null>(null);
  const placeName = places.find(({ _id }) => _id === place)?.name ?? '';
  useChangeAlert(view, ring);
  useTitle(t('Pick list of {date}', { date: formatNearDay(date, farmToday) }));

  const goTo = (day: string) => setDay(day === farmToday ? '' : day);
  const isEmpty = view && view.orders.length === 0 && view.products.length === 0;
  return (
    <>
      <header className="mb-2 flex items-center gap-2 sm:mb-3">
        <div className="min-w-0 grow">
          <h1 className="text-xl sm:text-2xl">
            {rich('Pick list<span>: {view}</span>', {
              view: writeMessage(views.find(({ value }) => value === shown)?.label ?? ''),
              span: (inner) => (
                <span aria-hidden="true" className="hidden print:inline">
                  {inner}
                </span>
              ),
            })}
          </h1>
          <p className="text-sm text-ink-soft">
            {formatFullDay(date, farmToday, 'year')}
            {view?.print && (
              <>
                {' '}
                {rich('· Print {number}, {time}', {
                  number: view.print.number,
                  time: <Time value={view.print.at} as="time" />,
                })}
              </>
            )}
          </p>
        </div>
        {view && mayPack && (
          <div data-print="hide" className="flex shrink-0 gap-2">
            <PrintTools view={view} placeName={placeName} />
          </div>
        )}
      </header>
      <div className="grid grid-cols-1 gap-3">
        <DayBar
          farmToday={farmToday}
          date={date}
          onDate={goTo}
          places={places}
          place={place}
          onPlace={setPlace}
        />
        <FilterBar
          label={t('noun|View')}
          options={views.map(({ value, label, icon: Icon }) => ({
            value,
            label: (
              <span className="inline-flex items-center gap-1.5">
                <Icon aria-hidden="true" className="size-4 max-sm:hidden" />
                {writeMessage(label)}
              </span>
            ),
          }))}
          value={shown}
          onChange={setShown}
        />
        <QueuedWorkNotice />
        <ShortageRuns farmToday={farmToday} />
        {view ? (
          isEmpty ? (
            <NoOrders farmToday={farmToday} date={date} onDate={goTo} />
          ) : (
            <ShownList
              value={{
                view,
                onShort: mayAnswer ? setShortOf : undefined,
                renderShort: mayAnswer
                  ? (order, lineId) => <ShortLine order={order} lineId={lineId} />
                  : undefined,
                renderHandOver: (order) => <HandOver key={order._id} order={order} />,
              }}
            >
              <ChangeNotice />
              {shown === 'harvest' && <HarvestView key={`${date}${place}`} />}
              {shown === 'pack' && <PackView />}
              {shown === 'load' && <LoadView />}
            </ShownList>
          )
        ) : query.error ? (
          <ErrorState error={query.error} onRetry={query.refetch} pending={query.isFetching} />
        ) : (
          <ListSkeleton />
        )}
      </div>
      {shortOf && (
        <ShortProduct
          id={shortOf}
          day={date}
          farmToday={farmToday}
          onClose={() => setShortOf(null)}
        />
      )}
    </>
  );
}

/** Shares what there is of a product among the orders of the day. */
function ShortProduct({
  id,
  onClose,
  ...days
}: {
  id: string;
  day: string;
  farmToday: string;
  onClose: () => void;
}) {
  // By itself, because the lists of products leave out what is hidden from shoppers.
  const { data: product, error } = useQuery(productQuery(id));
  if (error && !product) {
    return (
      <Dialog open onOpenChange={(open) => !open && onClose()} title={t('Short of this product?')}>
        <Alert kind="error">{errorMessage(error)}</Alert>
      </Dialog>
    );
  }
  return (
    <Suspense fallback={null}>
      {product && <ShortageDialog product={product} {...days} onClose={onClose} />}
    </Suspense>
  );
}

/** Proposes a change of one line from the packing table: the order is fetched when somebody asks for it. */
function ShortLine({ order, lineId }: { order: PickOrder; lineId: string }) {
  const { user } = useAuth();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({ ...orderQuery(order._id), enabled: isOpen });
  const { data: farm } = useQuery({ ...farmerQuery(farmIdOf(user) ?? ''), enabled: isOpen });
  const line = order.lines.find((each) => each.lineId === lineId);
  return (
    <>
      <Button
        variant="quiet"
        icon={<PackageMinus />}
        aria-label={
          line === undefined
            ? t('Short of this for {customer}', { customer: order.customer.name })
            : t('Short of {product} for {customer}', {
                product: nameWithSize(line.product.name, line.size),
                customer: order.customer.name,
              })
        }
        onClick={() => setOpen(true)}
      >
        {t('Short')}
      </Button>
      <Suspense fallback={null}>
        {isOpen && data && (
          <ProposeDialog
            order={data}
            lineId={lineId}
            answerMinutes={farm?.profile.answerMinutes}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  );
}

function NoOrders({
  farmToday,
  date,
  onDate,
}: {
  farmToday: string;
  date: string;
  onDate: (date: string) => void;
}) {
  const next = usePickDays(farmToday).find((day) => day.date > date && day.orders > 0);
  return (
    <EmptyState
      drawing="basket"
      title={t('No orders for this day')}
      text={t('Orders appear here with all they need the moment they come in.')}
    >
      {next && (
        <Button onClick={() => onDate(next.date)}>
          {t('{day}: {count, plural, one {# order} other {# orders}}', {
            day: formatNearDay(next.date, farmToday),
            count: next.orders,
          })}
        </Button>
      )}
    </EmptyState>
  );
}

/** Hands an order over from the list: the order itself is fetched when somebody asks for it. */
function HandOver({ order }: { order: PickOrder }) {
  const { user } = useAuth();
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({ ...orderQuery(order._id), enabled: isOpen });
  if (!mayForFarm(user, 'handOverOrders')) return null;
  const { customer, lines, crates } = order;
  const goods = lines.filter(({ quantity }) => quantity > 0);
  return (
    <>
      <Button
        variant="secondary"
        data-print="hide"
        aria-label={t('Hand over the order of {name}', { name: customer.name })}
        onClick={() => setOpen(true)}
      >
        {t('Hand over')}
      </Button>
      {isOpen && (
        <Dialog
          open
          onOpenChange={setOpen}
          title={t('Hand over to {name}', { name: customer.name })}
          description={
            crates
              ? t('Order #{number}, {crates, plural, one {# crate} other {# crates}}', {
                  number: shortId(order._id),
                  crates,
                })
              : t('Order #{number}', { number: shortId(order._id) })
          }
          footer={
            query.data ? (
              <OrderActions order={query.data} party="farmer" without="cancelled" size="lg" />
            ) : (
              <Skeleton className="h-12 w-32" />
            )
          }
        >
          <ul className="grid gap-1">
            {goods.map((line) => (
              <li key={line.lineId} className="tabular">
                {formatLine(line)}
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}

const PageSkeleton = () => (
  <>
    <h1 className="mb-3 text-xl sm:text-2xl">{t('Pick list')}</h1>
    <ListSkeleton />
  </>
);

const ListSkeleton = () => (
  <Loading className="grid grid-cols-1 gap-2 lg:grid-cols-2 lg:gap-x-4">
    {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
      <Skeleton key={row} className="h-16" />
    ))}
  </Loading>
);
