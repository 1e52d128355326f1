import { type QueryClient, useQuery } from '@tanstack/react-query';
import { Banknote, ClipboardList, Tags, Users } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import type { AdminStats } from '#contract/admin/admin/admin';
import type { Product } from '#contract/catalogue/products/product';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { formatMoney } from '#contract/platform/money/constants';
import { t } from '#contract/platform/text/constants/texts';
import { AdminFrame, adminOrderHref } from '../../admin/admin/AdminFrame.tsx';
import { Attention, ConnectedNow, NextSteps, Panel } from '../../admin/admin/DashboardParts.tsx';
import { Feed } from '../../admin/admin/Feed.tsx';
import { HealthGlance, healthGlanceQuery } from '../../admin/admin/health/HealthParts.tsx';
import { adminFeedQuery, adminStatsQuery } from '../../admin/admin/queries.ts';
import { UnreachableFarms } from '../../ordering/attention/WaitingFarms.tsx';
import { OrderId, OrderTotal, Waiting } from '../../ordering/model/order-parts.tsx';
import { DaysCharts, StatusShares } from '../../ordering/orders/figures/StatusShares.tsx';
import { secondFactorQuery } from '../../people/auth/security/queries.ts';
import {
  SecondFactorReminder,
  useSecondFactorReminder,
} from '../../people/auth/security/SecondFactorReminder.tsx';
import { useMedia } from '../../platform/hooks/use-media.ts';
import { useHighlight } from '../../platform/queries/use-changes.ts';
import { MinuteChart } from '../../platform/ui/charts/SeriesChart.tsx';
import { ShareBar } from '../../platform/ui/charts/ShareBar.tsx';
import { cn } from '../../platform/ui/cn.ts';
import { Fetched, Loading, Skeleton, SkeletonText } from '../../platform/ui/feedback/states.tsx';
import { CountBadge, StatusBadge } from '../../platform/ui/primitives/Button.tsx';
import { FigureCard } from '../../platform/ui/primitives/Count.tsx';
import { Money } from '../../platform/ui/primitives/Money.tsx';
import { Picture } from '../../platform/ui/primitives/Picture.tsx';

/** Prefetches the dashboard when a link to it is hovered. */
export const prefetch = (client: QueryClient) =>
  Promise.all([
    client.prefetchQuery(adminStatsQuery()),
    client.prefetchQuery(adminFeedQuery()),
    client.prefetchQuery(secondFactorQuery()),
  ]);

/** The admin dashboard with live figures of the whole market. */
export default function AdminDashboardPage() {
  const query = useQuery(adminStatsQuery());
  const { isByPreference, putOff } = useSecondFactorReminder();
  const { data: health } = useQuery(healthGlanceQuery());
  return (
    <AdminFrame title={t('Admin Dashboard')} aside={<HealthGlance report={health} />} wide>
      <Fetched query={query} skeleton={<DashboardSkeleton />}>
        {(stats) =>
          // Both at once, so that nothing moves.
          isByPreference === undefined ? (
            <DashboardSkeleton />
          ) : (
            <div className="xl:flex xl:min-h-[calc(100dvh-9rem)] xl:flex-col">
              {isByPreference && <SecondFactorReminder href="/admin/security" onPutOff={putOff} />}
              <UnreachableFarms href="/admin/orders#waiting-farms" />
              <NextSteps stats={stats} hasBackup={health?.lastBackup != null} />
              <Dashboard stats={stats} isReminded={isByPreference} />
            </div>
          )
        }
      </Fetched>
    </AdminFrame>
  );
}

const gridClass = 'grid gap-3 xl:grid-rows-[auto_auto_minmax(0,1fr)]';
/**
 * At 1280 × 800 everything fits below the bar and the page's head; smaller windows scroll. What stands above the
 * figures takes its room from the panels where they can give it.
 */
const heightClass = 'xl:h-0 xl:min-h-160 xl:grow';

/** A large desktop, where the charts take the room that the panels below them do not need. */
const LARGE_SCREEN = '(min-width: 96rem) and (min-height: 64rem)';

/** The heights of the charts in pixels: without room, below a reminder, and alone on a large desktop. */
const chartHeights = {
  small: { minutePx: 92, daysPx: 128 },
  medium: { minutePx: 140, daysPx: 232 },
  large: { minutePx: 190, daysPx: 280 },
};

const sectionClass = 'min-w-0 rounded border border-hairline bg-surface px-3.5 py-2.5';

function Dashboard({
  stats,
  isReminded,
}: {
  stats: AdminStats;
  /** Whether a reminder stands above it. */
  isReminded: boolean;
}) {
  const isLargeScreen = useMedia(LARGE_SCREEN);
  const heights = chartHeights[!isLargeScreen ? 'small' : isReminded ? 'medium' : 'large'];
  return (
    <div className={cn(gridClass, heightClass)}>
      <div className="grid grid-cols-3 gap-3 lg:grid-cols-[repeat(3,minmax(0,1fr))_minmax(0,1.4fr)] xl:grid-cols-[repeat(3,minmax(0,1fr))_minmax(0,1.5fr)_minmax(0,2.6fr)]">
        {figuresOf(stats).map(({ icon: Icon, className, ...figure }) => (
          <FigureCard
            key={figure.label}
            {...figure}
            icon={
              <span aria-hidden="true" className="max-sm:hidden [&>svg]:size-4">
                <Icon />
              </span>
            }
            className={cn('gap-0 px-3.5 py-2 sm:px-3.5 sm:py-2', className)}
          />
        ))}
        <ConnectedNow />
      </div>
      {stats.attention ? <Attention figures={stats.attention} /> : <span />}
      <div className="grid min-h-0 gap-3 lg:grid-cols-2 xl:grid-cols-[15rem_minmax(0,1fr)_24rem] 2xl:grid-cols-[19rem_minmax(0,1fr)_26rem]">
        <Panel title={t('Live feed')} className="max-xl:max-h-96">
          <Fetched
            query={useQuery(adminFeedQuery())}
            skeleton={<SkeletonText lines={8} className="pt-2" />}
            errorClass="py-4"
          >
            {(feed) =>
              feed.length > 0 ? (
                <Feed items={feed} />
              ) : (
                <EmptyNote>{t('What happens on the market appears here.')}</EmptyNote>
              )
            }
          </Fetched>
        </Panel>
        <div className="grid min-h-0 gap-3 lg:order-3 lg:col-span-2 xl:order-none xl:col-span-1 xl:grid-rows-[auto_auto_minmax(0,1fr)]">
          <section aria-label={t('Orders per minute')} className={sectionClass}>
            <MinuteChart
              title={t('Orders per minute')}
              words={minuteWords()}
              figures={stats.ordersPerMinute.map(({ minute, orders }) => ({
                minute,
                value: orders,
              }))}
              height={heights.minutePx}
            />
          </section>
          <section
            aria-label={t('The last 30 days')}
            className={cn(sectionClass, 'grid gap-x-4 gap-y-6 sm:grid-cols-2')}
          >
            <DaysCharts days={stats.days} height={heights.daysPx} />
          </section>
          <div className="grid min-h-0 gap-3 sm:grid-cols-2">
            <Panel title={t('Orders by status')}>
              <StatusShares counts={stats.ordersByStatus} className="gap-2 pt-1" />
            </Panel>
            <Panel title={t('Users by role')}>
              <ShareBar
                label={t('Users by role')}
                shares={roleShares(stats)}
                className="gap-2 pt-1"
              />
            </Panel>
          </div>
        </div>
        <div className="grid min-h-0 gap-3 xl:grid-rows-[minmax(6rem,1fr)_auto_auto]">
          <Panel
            title={t('Waiting too long')}
            aside={<CountBadge value={stats.unanswered.length} />}
            className="max-xl:max-h-80"
          >
            {stats.unanswered.length === 0 && (
              <EmptyNote>{t('Every order was answered in time.')}</EmptyNote>
            )}
            <ul>
              {stats.unanswered.map((order) => (
                <OrderLine key={order._id} order={order} name={farmNameOf(order.farmer)}>
                  <Waiting since={order.createdAt} />
                </OrderLine>
              ))}
            </ul>
          </Panel>
          <Panel title={t('Recent orders')} aside={<More href="/admin/orders" />}>
            {stats.recentOrders.length === 0 && <EmptyNote>{t('No orders yet.')}</EmptyNote>}
            <ul>
              {stats.recentOrders.map((order) => (
                <OrderLine key={order._id} order={order} name={order.consumer.name}>
                  <OrderTotal order={order} />
                  <StatusBadge status={order.status} />
                </OrderLine>
              ))}
            </ul>
          </Panel>
          <Panel title={t('Recent products')} aside={<More href="/products" />}>
            {stats.recentProducts.length === 0 && <EmptyNote>{t('No products yet.')}</EmptyNote>}
            <ul>
              {stats.recentProducts.map((product) => (
                <ProductLine key={product._id} product={product} />
              ))}
            </ul>
          </Panel>
        </div>
      </div>
    </div>
  );
}

const figuresOf = (stats: AdminStats) => [
  { label: t('Total users'), value: stats.totalUsers, icon: Users, href: '/admin/users' },
  {
    label: t('Total orders'),
    value: stats.totalOrders,
    icon: ClipboardList,
    href: '/admin/orders',
  },
  { label: t('Categories'), value: stats.categoryCount, icon: Tags, href: '/admin/categories' },
  {
    label: t('Total revenue'),
    value: stats.revenue,
    icon: Banknote,
    format: formatMoney,
    className: 'col-span-3 lg:col-span-1',
  },
];

const minuteWords = (): ComponentProps<typeof MinuteChart>['words'] => ({
  heading: t('orders'),
  lastHour: (count) =>
    t('{count, plural, one {# order} other {# orders}} in the last hour', { count }),
  at: (time, count) =>
    t('{time}: {count, plural, one {# order} other {# orders}}', { time, count }),
});

const roleShares = ({ usersByRole }: AdminStats) => [
  { key: 'consumer', label: t('Consumers'), value: usersByRole.consumer, colour: 'bg-leaf' },
  { key: 'farmer', label: t('Farmers'), value: usersByRole.farmer, colour: 'bg-straw' },
  { key: 'admin', label: t('Admins'), value: usersByRole.admin, colour: 'bg-sky' },
];

function OrderLine({
  order,
  name,
  children,
}: {
  order: Order;
  /** The name of the consumer or the farm. */
  name: string;
  children: ReactNode;
}) {
  const isHighlighted = useHighlight(order.status, order._id);
  return (
    <li
      className={cn('border-b border-hairline last:border-0', isHighlighted && 'animate-highlight')}
    >
      <Link
        href={adminOrderHref(order)}
        className="flex min-h-7 flex-wrap items-center gap-x-2.5 py-1 text-sm hover:bg-sunken sm:flex-nowrap sm:py-0.5 pointer-coarse:min-h-11"
      >
        {/* On phones the name is on its own line. */}
        <span dir="auto" className="w-full truncate text-leaf sm:w-auto sm:min-w-0 sm:grow">
          {name}
        </span>
        <OrderId order={order} className="grow text-xs sm:grow-0" />
        {children}
      </Link>
    </li>
  );
}

const ProductLine = ({ product }: { product: Product }) => (
  <li className="border-b border-hairline last:border-0">
    <Link
      href={`/products/${product._id}`}
      className="flex min-h-7 items-center gap-2.5 py-0.5 text-sm hover:bg-sunken pointer-coarse:min-h-11"
    >
      <Picture
        src={product.images[0]}
        alt=""
        sizes="24px"
        ground={product.category?.name}
        className="size-6 shrink-0 rounded-xs"
      />
      <span dir="auto" className="min-w-0 grow truncate">
        {product.name} <span className="text-ink-soft">{farmNameOf(product.farmer)}</span>
      </span>
      <Money amount={product.price} />
    </Link>
  </li>
);

const More = ({ href }: { href: string }) => (
  <Link
    href={href}
    className="link relative text-xs after:absolute after:-inset-x-3 after:-inset-y-3.5"
  >
    {t('View all')}
  </Link>
);

const EmptyNote = ({ children }: { children: ReactNode }) => (
  <p className="py-2 text-sm text-ink-soft">{children}</p>
);

const DashboardSkeleton = () => (
  <Loading className={cn(gridClass, 'xl:h-[max(40rem,calc(100dvh-9rem))]')}>
    <div className="grid grid-cols-3 gap-3 xl:grid-cols-5">
      {[1, 2, 3, 4, 5].map((card) => (
        <Skeleton key={card} className="h-17" />
      ))}
    </div>
    <Skeleton className="h-30 sm:h-20 xl:h-10" />
    <div className="grid gap-3 xl:grid-cols-[15rem_minmax(0,1fr)_24rem] 2xl:grid-cols-[19rem_minmax(0,1fr)_26rem]">
      {[1, 2, 3].map((panel) => (
        <Skeleton key={panel} className="h-96 xl:h-full" />
      ))}
    </div>
  </Loading>
);
