import { useQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useMemo } from 'react';
import type { PickScope } from '#contract/ordering/picklist/pick-summary';
import { useAuth } from '../../platform/session/session.ts';
import { picklistQuery } from './queries.ts';
import { type PickView, viewOf } from './work/fold.ts';
import { type QueuedWork, withQueued } from './work/queued-work.ts';
import { queuedWorkAtom } from './work/send-work.ts';

/** Returns the work of the signed-in person that is not confirmed yet, or was refused. */
export function useQueuedWork(): readonly QueuedWork[] {
  const owner = useAuth().user?._id;
  const all = useAtomValue(queuedWorkAtom);
  return useMemo(() => all.filter((work) => work.owner === owner), [all, owner]);
}

/** Returns the query of a pick list and the list with what is not confirmed yet; undefined until it is there. */
export function usePicklist(scope: PickScope) {
  const query = useQuery(picklistQuery(scope));
  const queued = useQueuedWork();
  const { data } = query;
  const view: PickView | undefined = useMemo(
    () => data && viewOf(withQueued(data, queued)),
    [data, queued],
  );
  return { query, view, queued };
}
