import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { atom, useAtomValue } from 'jotai';
import { Undo2 } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { goodsKeyOf, type PickScope } from '#contract/ordering/picklist/pick-summary';
import type { PickTotal } from '#contract/ordering/picklist/picklist';
import { formatGoodsQuantity } from '#contract/platform/quantities/constants/pieces';
import { t } from '#contract/platform/text/constants/texts';
import { rich } from '../../platform/format/rich.tsx';
import { useMedia } from '../../platform/hooks/use-media.ts';
import { useSearchParamChoice } from '../../platform/hooks/use-search-param.ts';
import { store } from '../../platform/session/session.ts';
import { announce } from '../../platform/ui/feedback/announce.ts';
import { EmptyState } from '../../platform/ui/feedback/states.tsx';
import { toast } from '../../platform/ui/feedback/toast.ts';
import { Checkbox } from '../../platform/ui/fields/controls.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { isTyping, useKeys } from '../model/use-keys.ts';
import { ProductRow } from './pack/ProductRow.tsx';
import { useMayPack, useQueuedWork, useShownList } from './use-picklist.tsx';
import type { PickView } from './work/fold.ts';
import { targetOf, tickTarget } from './work/queued-work.ts';
import { doWork } from './work/send-work.ts';

/** What to harvest: each product with its total, ticked as it is brought in. */
export function HarvestView() {
  const { view } = useShownList();
  const queued = useQueuedWork();
  const mayPack = useMayPack();
  const cache = useQueryClient();
  const list = useRef<HTMLUListElement>(null);
  const [pending, setPending] = useSearchParamChoice('pending', ['shown', 'hidden'], 'hidden');
  const showsPending = pending === 'shown';
  const hasKeyboard = useMedia('(hover: hover)');
  const canUndo = useAtomValue(undoAtom).some(isOf(view));
  const rows = view.products.filter(
    ({ quantity, ticked, sincePrint }) =>
      showsPending || quantity > 0 || ticked > 0 || (sincePrint ?? 0) !== 0,
  );
  const needed = rows.filter(({ quantity }) => quantity > 0);
  const done = needed.filter(({ quantity, ticked }) => ticked >= quantity);
  const undo = () => undoTick(cache, view);
  const unsent = new Set(
    queued.filter(({ refusal }) => refusal === undefined).map((work) => targetOf(work)),
  );

  useKeys({ u: undo }, mayPack);

  const moveFocus = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = (event.target as Element).closest('[data-pick-row]');
    if (!step || !row || isTyping(event.target)) return;
    event.preventDefault();
    const all = [...(list.current?.querySelectorAll<HTMLElement>('[data-pick-row]') ?? [])];
    const next = all[all.indexOf(row as HTMLElement) + step];
    next?.querySelector<HTMLElement>('[data-pick-tick]')?.focus();
  };

  return (
    <section aria-label={t('Harvest')} className="grid grid-cols-1 gap-3">
      {/* Stays in view, so that the last tick can be undone from the end of a long list. */}
      <div
        data-print="hide"
        className="sticky top-(--top-bar-height) z-10 -mx-1 flex flex-wrap items-center gap-x-4 rounded-b bg-paper px-1 py-1.5"
      >
        <p className="tabular whitespace-nowrap font-medium">
          {t('{done} of {total} done', { done: done.length, total: needed.length })}
        </p>
        <Checkbox
          label={t('Show pending')}
          checked={showsPending}
          onChange={(event) => setPending(event.target.checked ? 'shown' : 'hidden')}
        />
        {mayPack && (
          <Button
            variant="secondary"
            size="sm"
            icon={<Undo2 />}
            disabled={!canUndo}
            onClick={undo}
            className="ms-auto shrink-0"
          >
            <span className="max-sm:sr-only">{t('Undo')}</span>
          </Button>
        )}
      </div>
      {rows.length === 0 ? (
        <EmptyState
          drawing="basket"
          title={t('Nothing to harvest yet')}
          text={t('Products appear here as soon as an order for this day is accepted.')}
        />
      ) : (
        <ul
          ref={list}
          onKeyDown={moveFocus}
          className="grid grid-cols-1 items-start gap-2 lg:grid-cols-2 lg:gap-x-4"
        >
          {rows.map((total) => (
            <ProductRow
              key={goodsKeyOf(total)}
              total={total}
              showsPending={showsPending}
              isUnsent={unsent.has(tickTarget(view, total))}
              onTick={mayPack ? (quantity) => tick(cache, view, total, quantity) : undefined}
            />
          ))}
        </ul>
      )}
      {mayPack && hasKeyboard && rows.length > 0 && (
        <p className="text-sm text-ink-soft" data-print="hide">
          {rich(
            '<kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>Space</kbd> ticks, <kbd>+</kbd> <kbd>−</kbd> change by one, <kbd>U</kbd> undoes.',
            { kbd: (inner) => <kbd>{inner}</kbd> },
          )}
        </p>
      )}
    </section>
  );
}

/** Ticks that can be undone. */
const UNDO_MAX = 10;

type Ticked = PickScope & { total: PickTotal; from: number; to: number };

const isOf =
  (list: PickScope) =>
  ({ date, place }: PickScope): boolean =>
    date === list.date && place === list.place;

/** The last ticks of this tab, the latest last. */
export const undoAtom = atom<readonly Ticked[]>([]);

/** Ticks so much of a product, so that it can be undone. */
function tick(cache: QueryClient, list: PickScope, total: PickTotal, quantity: number): void {
  if (quantity === total.ticked) return;
  write(cache, list, total, quantity);
  store.set(undoAtom, (all) => [
    ...all.slice(1 - UNDO_MAX),
    { date: list.date, place: list.place, total, from: total.ticked, to: quantity },
  ]);
}

function write(
  cache: QueryClient,
  { date, place }: PickScope,
  total: PickTotal,
  quantity: number,
): void {
  const { _id, name, unit } = total.product;
  doWork(cache, {
    kind: 'tick',
    date,
    place,
    productId: _id,
    name,
    unit,
    isByPiece: total.isByPiece,
    quantity,
    expectedVersion: total.tickVersion,
    label: t('{name}, {quantity}', { name, quantity: formatGoodsQuantity(total, quantity) }),
  });
}

/** Undoes the last tick of this list. One that somebody else has changed since stays as it is. */
function undoTick(cache: QueryClient, view: PickView): void {
  const last = store.get(undoAtom).findLast(isOf(view));
  if (!last) return;
  store.set(undoAtom, (all) => all.filter((ticked) => ticked !== last));
  const { product } = last.total;
  // It may have been deleted since, and goes by its name then.
  const { isByPiece } = last.total;
  const keys = [product, { ...product, _id: null }].map((goods) =>
    goodsKeyOf({ product: goods, isByPiece }),
  );
  const now = view.products.find((other) => keys.includes(goodsKeyOf(other)));
  if (!now) return;
  if (now.ticked !== last.to) {
    const goods = product.name;
    toast.info(
      now.tickedBy
        ? t('{name} has changed {goods} since.', { name: now.tickedBy.name, goods })
        : t('Somebody has changed {goods} since.', { goods }),
    );
    return;
  }
  write(cache, view, now, last.from);
  announce(
    t('{name}: {quantity} done.', {
      name: product.name,
      quantity: formatGoodsQuantity(now, last.from),
    }),
  );
}
