import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { FarmQueue } from '#contract/farm/opening/constants';
import type { AdminFarm } from '#contract/farm/opening/opening';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import { AdminList, useFilter } from '../../admin/admin/ListTools.tsx';
import { FarmCard, SendBackDialog, useDecideApproval } from '../../farm/opening/FarmCard.tsx';
import { farmQueueQuery } from '../../farm/opening/queries.ts';
import { marketQuery } from '../../platform/format/market.ts';
import { rich } from '../../platform/format/rich.tsx';
import { FilterBar } from '../../platform/ui/lists/FilterBar.tsx';

const queues = {
  waiting: msg('Waiting'),
  preparing: msg('Preparing'),
  approved: msg('In the market'),
};

const empty: Record<FarmQueue, { title: Message; text: Message }> = {
  waiting: {
    title: msg('No farm is waiting'),
    text: msg('Farms that ask to join appear here at once.'),
  },
  preparing: {
    title: msg('No farm is preparing'),
    text: msg('Farms that have registered but not asked yet are here.'),
  },
  approved: {
    title: msg('No farm is in the market yet'),
    text: msg('Invite one: it registers as a farmer.'),
  },
};

/** Farms on their way into the market, to approve or to send back. */
export default function AdminFarmsPage() {
  const { bar } = useFilter('state', 'waiting', queues);
  const query = useInfiniteQuery(farmQueueQuery(bar.value));
  const { data: market } = useQuery(marketQuery());
  const [toSendBack, setToSendBack] = useState<AdminFarm | null>(null);
  const decide = useDecideApproval();
  return (
    <AdminFrame title={t('Farms')} isOfMarket>
      <FilterBar label={t('Farms')} {...bar} />
      {market && !market.approvesFarms && (
        <p className="mt-3 text-sm text-ink-soft">
          {rich(
            'New farms join at once. To look at each of them first, turn approval on under <a>Market</a>.',
            {
              a: (words) => (
                <Link href="/admin/market" className="link">
                  {words}
                </Link>
              ),
            },
          )}
        </p>
      )}
      <div className="mt-4">
        <AdminList
          query={query}
          rows={5}
          drawing="farm"
          title={writeMessage(empty[bar.value].title)}
          text={writeMessage(empty[bar.value].text)}
        >
          {(farms) => (
            <ul className="grid gap-4">
              {farms.map((farm) => (
                <FarmCard
                  key={farm._id}
                  farm={farm}
                  pending={decide.isPending && decide.variables.id === farm._id}
                  mayLeave={market?.approvesFarms ?? false}
                  onApprove={() => decide.mutate({ id: farm._id })}
                  onSendBack={() => setToSendBack(farm)}
                />
              ))}
            </ul>
          )}
        </AdminList>
      </div>
      {toSendBack && (
        <SendBackDialog
          farm={toSendBack}
          pending={decide.isPending}
          onClose={() => setToSendBack(null)}
          onConfirm={(reason) =>
            decide.mutate({ id: toSendBack._id, reason }, { onSuccess: () => setToSendBack(null) })
          }
        />
      )}
    </AdminFrame>
  );
}
