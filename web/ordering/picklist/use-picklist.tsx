import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import { goodsKeyOf, type PickScope } from '#contract/ordering/picklist/pick-summary';
import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { formatGoodsQuantity } from '#contract/platform/quantities/constants/pieces';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { rich } from '../../platform/format/rich.tsx';
import { mayForFarm, useAuth } from '../../platform/session/session.ts';
import { announce } from '../../platform/ui/feedback/announce.ts';
import { Alert } from '../../platform/ui/feedback/states.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { picklistQuery } from './queries.ts';
import { describePacking } from './words.ts';
import { type PickView, viewOf } from './work/fold.ts';
import { type QueuedWork, withQueued } from './work/queued-work.ts';
import { dismissWork, isWorkWaitingAtom, queuedWorkAtom, watchWork } from './work/send-work.ts';

/** The list that is shown, and what other features do about its orders. */
type ShownList = {
  view: PickView;
  /** Shares what there is of a product among its orders; absent for those who may not. */
  onShort: ((productId: string) => void) | undefined;
  /** Renders the button for 'short of this'; absent for those who may not. */
  renderShort: ((order: PickOrder, lineId: string) => ReactNode) | undefined;
  /** Renders the button to hand an order over. */
  renderHandOver: (order: PickOrder) => ReactNode;
};

/** Holds the list for the views within. */
export const ShownList = createContext<ShownList | null>(null);

/** Returns the list that the page shows. */
export function useShownList(): ShownList {
  const list = useContext(ShownList);
  if (!list) throw new Error('No pick list is shown.');
  return list;
}

/** Whether the signed-in person may tick, pack and weigh. */
export const useMayPack = (): boolean => mayForFarm(useAuth().user, 'packOrders');

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
  return { query, view };
}

const keyOf = ({ date, place }: PickScope): string => `${date}|${place}`;

/** Returns what is needed of each product, by product and unit. */
const needsOf = ({ products }: PickView) =>
  new Map(products.map((total) => [goodsKeyOf(total), total]));

/**
 * Sounds once, and announces what an event changed of what is to be picked, on whatever of the three views. Who must
 * know of it is asked until they answer: see `ordering/attention`.
 */
export function useChangeAlert(view: PickView | undefined, play: () => void): void {
  const last = useRef<{ key: string; needs: ReturnType<typeof needsOf> }>(null);

  useEffect(() => {
    if (!view) return;
    const [key, needs] = [keyOf(view), needsOf(view)];
    const before = last.current;
    last.current = { key, needs };
    // The first one, or another day.
    if (before?.key !== key) return;
    const changed = [...new Set([...before.needs.keys(), ...needs.keys()])].flatMap((id) => {
      const [was, is] = [before.needs.get(id), needs.get(id)];
      const total = is ?? (was && { ...was, quantity: 0, sizes: [] });
      const isOther =
        total !== undefined &&
        (total.quantity !== (was?.quantity ?? 0) ||
          describePacking(total) !== (was ? describePacking(was) : ''));
      return isOther ? [total] : [];
    });
    if (changed.length === 0) return;
    for (const total of changed) {
      announce(
        t('{name}: now {quantity}.', {
          name: total.product.name,
          quantity: listOf(
            [formatGoodsQuantity(total, total.quantity), describePacking(total)].filter(Boolean),
            'unit',
          ),
        }),
      );
    }
    play();
  }, [view, play]);
}

/** Says what is not sent yet, and what was refused and why. */
export function QueuedWorkNotice() {
  const works = useQueuedWork();
  const cache = useQueryClient();
  const isWaiting = useAtomValue(isWorkWaitingAtom);
  useEffect(() => void watchWork(cache), [cache]);
  const unsent = works.filter(({ refusal }) => refusal === undefined);
  const refused = works.filter(({ refusal }) => refusal !== undefined);
  return (
    <>
      {isWaiting && unsent.length > 0 && (
        <Alert kind="warning">
          {t(
            '{count, plural, one {# entry is} other {# entries are}} not sent yet. They are kept on this device and go out when the line is back.',
            { count: unsent.length },
          )}
        </Alert>
      )}
      {refused.map((work) => (
        <Alert key={work.id} kind="error">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <span className="min-w-0 grow">
              {rich('{label} was not saved. {refusal}', {
                label: <strong>{work.label}</strong>,
                refusal: work.refusal,
              })}
            </span>
            <Button variant="secondary" size="sm" onClick={() => dismissWork(work)}>
              {t('OK')}
            </Button>
          </span>
        </Alert>
      ))}
    </>
  );
}
