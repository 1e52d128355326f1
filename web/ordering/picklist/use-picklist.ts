import { useQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useMemo } from 'react';
import type { PickScope } from '#contract/ordering/picklist/pick-summary';
import { useAuth } from '../../platform/session/use-auth.ts';
import { picklistQuery } from './queries.ts';
import { type PickView, viewOf } from './work/fold.ts';
import { type KeptWork, keptWorkAtom, withKept } from './work/kept-work.ts';

/** Returns the work of the signed-in person that is not confirmed yet, or was refused. */
export function useKeptWork(): readonly KeptWork[] {
  const owner = useAuth().user?._id;
  const all = useAtomValue(keptWorkAtom);
  return useMemo(() => all.filter((work) => work.owner === owner), [all, owner]);
}

/** Returns the query of a pick list and the list with what is not confirmed yet; undefined until it is there. */
export function usePicklist(scope: PickScope) {
  const query = useQuery(picklistQuery(scope));
  const kept = useKeptWork();
  const { data } = query;
  const view: PickView | undefined = useMemo(
    () => data && viewOf(withKept(data, kept)),
    [data, kept],
  );
  return { query, view, kept };
}
