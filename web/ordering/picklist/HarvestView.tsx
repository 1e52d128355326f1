import { useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { Undo2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { goodsKeyOf, type PickScope } from '#contract/ordering/picklist/pick-summary';
import { useMedia } from '../../platform/hooks/use-media.ts';
import { useSearchParamChoice } from '../../platform/hooks/use-search-param.ts';
import { useStableCallback } from '../../platform/hooks/use-stable-callback.ts';
import { EmptyState } from '../../platform/ui/feedback/states.tsx';
import { Checkbox } from '../../platform/ui/fields/controls.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { ProductRow } from './pack/ProductRow.tsx';
import { otherUnitsInWords } from './words.ts';
import type { PickView } from './work/fold.ts';
import { type QueuedWork, targetOf, tickTarget } from './work/queued-work.ts';
import { tick, undoAtom, undoTick } from './work/undo.ts';

const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable], [role="menu"]';
const isBusyElsewhere = () =>
  document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;

/** What to harvest: each product with its total, ticked as it is brought in. */
export function HarvestView({
  view,
  scope,
  queued,
  mayPack,
  onShort,
}: {
  view: PickView;
  scope: PickScope;
  queued: readonly QueuedWork[];
  /** Whether the person may tick. */
  mayPack: boolean;
  /** Shares what there is of a product; absent for those who may not. */
  onShort?: ((productId: string) => void) | undefined;
}) {
  const cache = useQueryClient();
  const list = useRef<HTMLUListElement>(null);
  const [pending, setPending] = useSearchParamChoice('pending', ['shown', 'hidden'], 'hidden');
  const showsPending = pending === 'shown';
  const hasKeyboard = useMedia('(hover: hover)');
  const canUndo = useAtomValue(undoAtom).some(
    ({ scope: of }) => of.date === scope.date && of.place === scope.place,
  );
  const rows = view.products.filter(
    ({ quantity, ticked, sincePrint }) =>
      showsPending || quantity > 0 || ticked > 0 || (sincePrint ?? 0) !== 0,
  );
  const needed = rows.filter(({ quantity }) => quantity > 0);
  const done = needed.filter(({ quantity, ticked }) => ticked >= quantity);
  const undo = useStableCallback(() => undoTick(cache, scope, view.products));
  const unsent = new Set(
    queued.filter(({ refusal }) => refusal === undefined).map((work) => targetOf(work)),
  );

  useEffect(() => {
    if (!mayPack) return;
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (event.key.toLowerCase() !== 'u' || isBusyElsewhere()) return;
      if ((event.target as Element | null)?.closest(TYPING)) return;
      event.preventDefault();
      undo();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [mayPack, undo]);

  const moveFocus = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = (event.target as Element).closest('[data-pick-row]');
    if (!step || !row || (event.target as Element).closest(TYPING)) return;
    event.preventDefault();
    const all = [...(list.current?.querySelectorAll<HTMLElement>('[data-pick-row]') ?? [])];
    const next = all[all.indexOf(row as HTMLElement) + step];
    next?.querySelector<HTMLElement>('[data-pick-tick]')?.focus();
  };

  return (
    <section aria-label="Harvest" className="grid grid-cols-1 gap-3">
      {/* Stays in view, so that the last tick can be undone from the end of a long list. */}
      <div
        data-print="hide"
        className="sticky top-(--top-bar-height) z-10 -mx-1 flex items-center gap-x-4 rounded-b bg-paper px-1 py-1.5"
      >
        <p className="tabular whitespace-nowrap font-medium">
          {done.length} of {needed.length} done
        </p>
        <Checkbox
          label="Show pending"
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
            className="ml-auto shrink-0"
          >
            <span className="max-sm:sr-only">Undo</span>
          </Button>
        )}
      </div>
      {rows.length === 0 ? (
        <EmptyState
          drawing="basket"
          title="Nothing to harvest yet"
          text="Products appear here as soon as an order for this day is accepted."
        />
      ) : (
        <ul
          ref={list}
          onKeyDown={moveFocus}
          className="grid grid-cols-1 items-start gap-2 lg:grid-cols-2 lg:gap-x-4"
        >
          {rows.map((total) => {
            const key = goodsKeyOf(total);
            return (
              <ProductRow
                key={key}
                total={total}
                scope={scope}
                printNumber={view.print?.number}
                changes={view.changes.filter((change) => goodsKeyOf(change) === key)}
                otherUnits={otherUnitsInWords(total, view.products)}
                showsPending={showsPending}
                isUnsent={unsent.has(tickTarget(scope, total))}
                onShort={onShort}
                onTick={mayPack ? (quantity) => tick(cache, scope, total, quantity) : undefined}
              />
            );
          })}
        </ul>
      )}
      {mayPack && hasKeyboard && rows.length > 0 && (
        <p className="text-sm text-ink-soft" data-print="hide">
          <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>Space</kbd> ticks, <kbd>+</kbd> <kbd>−</kbd> change
          by one, <kbd>U</kbd> undoes.
        </p>
      )}
    </section>
  );
}
