import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { Banknote, Clock, MessageCircle, Package, Printer } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { FarmerStats } from '#contract/ordering/orders/orders';
import { picklistFiles } from '#contract/ordering/picklist/constants';
import type { User } from '#contract/people/users/users';
import { formatMoney } from '#contract/platform/money/constants';
import { t } from '#contract/platform/text/constants/texts';
import { LowStockTable } from '../../catalogue/products/LowStockTable.tsx';
import { OffMarketNotice } from '../../farm/farmers/OffMarketNotice.tsx';
import { farmerQuery, useFarmToday } from '../../farm/farmers/queries.ts';
import { formatTasks, greeting } from '../../farm/farmers/rules.ts';
import { OwnInvitations } from '../../farm/members/OwnInvitations.tsx';
import { cannotBeSent, unsentAtom } from '../../farm/messages/outbox.ts';
import { OpeningCard } from '../../farm/opening/OpeningCard.tsx';
import { ownOpeningQuery } from '../../farm/opening/queries.ts';
import { PauseControl } from '../../farm/pause/PauseControl.tsx';
import {
  DaysCharts,
  RecentOrdersTable,
  StatusShares,
} from '../../ordering/orders/figures/StatusShares.tsx';
import { farmerStatsQuery } from '../../ordering/orders/queries.ts';
import { NextPickList } from '../../ordering/picklist/DayBar.tsx';
import { downloadFile, fetchFile } from '../../platform/api/download.ts';
import { firstWord } from '../../platform/format/format.ts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { farmIdOf, mayForFarm, useAuth } from '../../platform/session/session.ts';
import { cn } from '../../platform/ui/cn.ts';
import { EmptyState, Fetched, Loading, Skeleton } from '../../platform/ui/feedback/states.tsx';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.tsx';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { FigureCard } from '../../platform/ui/primitives/Count.tsx';
import { Card, CardHeader, PageHeader } from '../../platform/ui/primitives/sections.tsx';

// Loaded for the few who wrote what they can't send any more.
const UnsentMessages = lazyWithRetry(async () => ({
  default: (await import('../../farm/messages/UnsentMessages.tsx')).UnsentMessages,
}));

/** Prefetches the figures when a link to the dashboard is hovered. */
export const prefetch = (client: QueryClient) =>
  Promise.all([client.prefetchQuery(farmerStatsQuery()), client.prefetchQuery(ownOpeningQuery())]);

/** A farmer's dashboard: figures, charts, recent orders and low stock. */
export default function FarmerDashboardPage() {
  const { user } = useAuth();
  return user && farmIdOf(user) === undefined ? <WithoutFarm me={user} /> : <FarmDashboard />;
}

/** The words that were meant for a farm's customers, and can't be sent any more. */
function UnsentFarmMessages() {
  const { user } = useAuth();
  const unsent = useAtomValue(unsentAtom);
  if (!user || !unsent.some((each) => cannotBeSent(each, user))) return null;
  return (
    <Suspense fallback={null}>
      <UnsentMessages className="mb-4" />
    </Suspense>
  );
}

/** Says what people can do who work for no farm any more. */
const WithoutFarm = ({ me }: { me: User }) => (
  <div className="wrap py-6 sm:py-8">
    <PageHeader title={t('Farmer Dashboard')} />
    <UnsentFarmMessages />
    <OwnInvitations me={me} className="mb-4" />
    <EmptyState
      drawing="farm"
      title={t('You work for no farm at the moment')}
      text={t(
        'A farm can invite you with the email of your account. You keep the account until you delete it.',
      )}
    >
      <LinkButton href="/profile">{t('My profile')}</LinkButton>
    </EmptyState>
  </div>
);

function FarmDashboard() {
  const { user } = useAuth();
  const farmToday = useFarmToday();
  const farm = useQuery(farmerQuery(farmIdOf(user) ?? '')).data;
  const farmName = farm && farmNameOf({ farmName: farm.profile.farmName, name: farm.farmer.name });
  const query = useQuery(farmerStatsQuery());
  return (
    <div className="wrap py-6 sm:py-8">
      <PageHeader
        title={t('Farmer Dashboard')}
        text={user && <Greeting name={firstWord(user.name)} stats={query.data} />}
      >
        <PauseControl />
        <LinkButton href="/farmer/products" variant="secondary">
          {t('My products')}
        </LinkButton>
        <NextPickList farmToday={farmToday} />
        <LinkButton href="/farmer/orders">{t('Manage orders')}</LinkButton>
      </PageHeader>
      <OffMarketNotice />
      <UnsentFarmMessages />
      <Fetched query={query} skeleton={<OverviewSkeleton />}>
        {(stats) => {
          const hasOrders = Object.values(stats.ordersByStatus).some((count) => count > 0);
          return (
            <>
              <OpeningCard farmName={farmName} hasOrders={hasOrders} poster={<PosterButton />} />
              {/* Figures that are all zero say nothing. */}
              {hasOrders ? (
                <Overview stats={stats} />
              ) : (
                stats.lowStock.length > 0 && <LowStock stats={stats} />
              )}
            </>
          );
        }}
      </Fetched>
    </div>
  );
}

/** Greets the farmer and says what is to be done; its second line keeps its place while that loads. */
function Greeting({ name, stats }: { name: string; stats: FarmerStats | undefined }) {
  const now = new Date(useNow(60_000));
  return (
    <>
      {greeting(now.getHours(), name)}
      <span className="block min-h-[1lh]">{stats && formatTasks(stats.ordersByStatus)}</span>
    </>
  );
}

/** Fetches the farm's poster, with a code that leads to its page, to be printed. */
function PosterButton() {
  const fetched = useCommand(async () =>
    downloadFile('poster.pdf', await fetchFile(picklistFiles.poster)),
  );
  return (
    <Button
      variant="secondary"
      icon={<Printer />}
      pending={fetched.isPending}
      onClick={() => fetched.mutate()}
    >
      {t('Print the poster')}
    </Button>
  );
}

/** The figures; those that a role may not see have no value. */
const figuresOf = (stats: FarmerStats) => [
  { label: t('Products'), value: stats.productCount, icon: Package, href: '/farmer/products' },
  {
    label: t('Pending orders'),
    value: stats.pendingOrders,
    icon: Clock,
    href: '/farmer/orders?status=pending',
    attention: true,
  },
  {
    label: t('Unread messages'),
    value: stats.unreadMessages,
    icon: MessageCircle,
    href: '/messages',
    attention: true,
  },
  {
    label: t('Total revenue'),
    value: stats.totalRevenue,
    icon: Banknote,
    format: formatMoney,
    className: 'col-span-3 lg:col-span-1',
  },
];

/** The figures, as far as the role goes: only some read the farm's messages, or see its sales. */
function Overview({ stats }: { stats: FarmerStats }) {
  const { days } = stats;
  return (
    <div className="grid gap-4">
      <div className="grid grid-cols-3 gap-3 sm:gap-4 lg:grid-cols-4">
        {figuresOf(stats).map(
          ({ value, icon: Icon, ...figure }) =>
            value !== undefined && (
              <FigureCard key={figure.label} {...figure} value={value} icon={<Icon />} />
            ),
        )}
      </div>
      <div className={cn('grid gap-4', days && 'lg:grid-cols-[minmax(0,1fr)_18rem]')}>
        {days && (
          <Card as="section" className="grid gap-6 sm:grid-cols-2">
            <h2 className="sr-only">{t('The last 30 days')}</h2>
            <DaysCharts days={days} />
          </Card>
        )}
        <Card as="section">
          <CardHeader title={t('Orders by status')} />
          <StatusShares counts={stats.ordersByStatus} />
        </Card>
      </div>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <ListCard title={t('Recent Orders')} href="/farmer/orders">
          {stats.recentOrders.length > 0 ? (
            <RecentOrdersTable
              orders={stats.recentOrders}
              hrefOf={(order) => `/orders/${order._id}`}
            />
          ) : (
            <EmptyState
              drawing="parcel"
              title={t('No Orders Found')}
              level={3}
              text={t('New orders appear here the moment they are placed.')}
            />
          )}
        </ListCard>
        <LowStock stats={stats} />
      </div>
    </div>
  );
}

/** What runs out. */
function LowStock({ stats }: { stats: FarmerStats }) {
  const { user } = useAuth();
  return (
    <ListCard title={t('Low Stock')} href="/farmer/products">
      {stats.lowStock.length > 0 ? (
        <LowStockTable
          products={stats.lowStock}
          mayUpdate={!user || mayForFarm(user, 'changeProducts')}
        />
      ) : (
        <EmptyState
          drawing="basket"
          title={stats.productCount > 0 ? t('Plenty of everything') : t('No Products Found')}
          level={3}
          text={
            stats.productCount > 0
              ? t('No product is running out.')
              : t('What runs low will be listed here.')
          }
        />
      )}
    </ListCard>
  );
}

const ListCard = ({
  title,
  href,
  children,
}: {
  title: string;
  href: string;
  children: ReactNode;
}) => (
  <Card as="section" className="min-w-0">
    <CardHeader title={title}>
      <LinkButton href={href} variant="quiet" size="sm" className="-me-3">
        {t('View all')}
      </LinkButton>
    </CardHeader>
    {children}
  </Card>
);

const OverviewSkeleton = () => (
  <Loading className="grid gap-4">
    <div className="grid grid-cols-3 gap-3 sm:gap-4 lg:grid-cols-4">
      {[1, 2, 3, 4].map((card) => (
        <Skeleton key={card} className="h-24 last:col-span-3 lg:last:col-span-1" />
      ))}
    </div>
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_18rem]">
      <Skeleton className="h-60" />
      <Skeleton className="h-60" />
    </div>
    <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_26rem]">
      <Skeleton className="h-72" />
      <Skeleton className="h-72" />
    </div>
  </Loading>
);
