import { useInfiniteQuery } from '@tanstack/react-query';
import { ProposalBanner } from '../../ordering/changes/proposals/ProposalBanner.tsx';
import { ordersQuery } from '../../ordering/orders/queries.ts';
import { itemsOf } from '../../platform/queries/pages.ts';

/** The farms' questions that a consumer has not answered, on every page; kept current by events. */
export default function OpenQuestions({ path }: { path: string }) {
  const query = useInfiniteQuery(ordersQuery('mine', { openChange: 'true' }));
  return query.data ? <ProposalBanner orders={itemsOf(query.data)} path={path} /> : null;
}
