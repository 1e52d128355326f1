import { Check, ChevronDown, CloudOff, Minus, PackageMinus, PencilLine, Plus } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { goodsKeyOf } from '#contract/ordering/picklist/pick-summary';
import type { PickTotal } from '#contract/ordering/picklist/picklist';
import { formatGoodsQuantity } from '#contract/platform/quantities/constants/pieces';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { readTyped, writeTyped } from '#contract/platform/text/constants/typed-numbers';
import { rich } from '../../../platform/format/rich.tsx';
import { useHighlight } from '../../../platform/queries/use-changes.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { NumberInput } from '../../../platform/ui/fields/NumberInput.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { Count } from '../../../platform/ui/primitives/Count.tsx';
import { ChangeReasons } from '../ChangeReasons.tsx';
import { useShownList } from '../use-picklist.tsx';
import { describeOtherUnits, describePacking, formatDeltas } from '../words.ts';

/** A finger that stays this long means a part. */
const LONG_PRESS_MS = 500;

/** What the field for a part takes. */
const TICK_LIMITS = { decimals: 3, min: 0, max: QUANTITY_MAX };

/** One product of the harvest: a press ticks all of it, a long press or the pencil opens a part of it. */
export function ProductRow({
  total,
  showsPending,
  isUnsent,
  onTick,
}: {
  total: PickTotal;
  showsPending: boolean;
  /** Whether the last tick waits for the connection. */
  isUnsent: boolean;
  /** Ticks so much; without it the row is only read. */
  onTick: ((quantity: number) => void) | undefined;
}) {
  const { view } = useShownList();
  const { product, quantity, pendingQuantity, ticked, tickedBy } = total;
  const key = goodsKeyOf(total);
  const changes = view.changes.filter((change) => goodsKeyOf(change) === key);
  const otherUnits = describeOtherUnits(total, view.products);
  const packing = describePacking(total);
  const panelId = useId();
  const [isPartOpen, setPartOpen] = useState(false);
  const [showsReasons, setShowsReasons] = useState(false);
  const isHighlighted = useHighlight(quantity, key);
  const press = useLongPress(() => setPartOpen(true));
  const isDone = ticked >= quantity && ticked > 0;
  const isPart = ticked > 0 && !isDone;
  const canTick = onTick !== undefined;
  const needed = formatGoodsQuantity(total, quantity);
  const change = (by: number) =>
    onTick?.(
      fromMilli(Math.max(0, Math.min(toMilli(QUANTITY_MAX), toMilli(ticked) + toMilli(by)))),
    );
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { '+': 1, '=': 1, '-': -1, '−': -1 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    change(by);
  };

  const tickedWords = formatGoodsQuantity(total, ticked);
  const by = tickedBy?.name;
  const partDone = t('{quantity} done', { quantity: tickedWords });
  const partDoneBy =
    by === undefined
      ? partDone
      : t('{quantity} done, by {name}', { quantity: tickedWords, name: by });
  const allDone = by === undefined ? t('Done') : t('Done by {name}', { name: by });
  const words = [product.name, needed, packing, isPart ? partDoneBy : '', otherUnits].filter(
    Boolean,
  );
  const content = (
    <>
      <span
        aria-hidden="true"
        className={cn(
          'grid size-9 shrink-0 place-items-center rounded-full border-2',
          isDone ? 'border-leaf bg-leaf text-on-leaf' : 'border-outline',
          isPart && 'border-leaf text-leaf',
        )}
      >
        {isDone ? <Check className="size-5" strokeWidth={3} /> : isPart ? <Minus /> : null}
      </span>
      {/* Beside a long quantity the name would break between its letters. */}
      <span className="flex min-w-0 grow flex-wrap items-center justify-end gap-x-3">
        <span className="grid min-w-0 grow basis-24 text-start">
          <bdi className="text-base font-semibold leading-tight">{product.name}</bdi>
          {packing && <span className="tabular text-base wrap-anywhere">{packing}</span>}
          {otherUnits && <span className="tabular text-sm text-ink-soft">{otherUnits}</span>}
          <span className="text-sm text-ink-soft">
            {isPart && partDone}
            {isDone && listOf(ticked > quantity ? [allDone, tickedWords] : [allDone], 'unit')}
            {showsPending && pendingQuantity > 0 && (
              <span className="text-ink-faint">
                {(isPart || isDone) && ' · '}
                {t('+{quantity} if you accept all', {
                  quantity: formatGoodsQuantity(total, pendingQuantity),
                })}
              </span>
            )}
            {isUnsent && (
              <span className="inline-flex items-center gap-1 align-middle">
                <CloudOff className="size-4" />
                <span className="sr-only">{t('not sent yet')}</span>
              </span>
            )}
          </span>
        </span>
        <span
          className={cn(
            'tabular shrink-0 text-end text-xl font-semibold',
            isDone && 'text-leaf',
            quantity === 0 && 'text-ink-faint',
          )}
        >
          <Count value={quantity} format={(value) => formatGoodsQuantity(total, value)} />
        </span>
      </span>
    </>
  );
  return (
    <li
      data-pick-row=""
      className={cn(
        'grid content-start overflow-hidden rounded border border-hairline bg-surface',
        isDone && 'bg-sunken',
        isHighlighted && 'animate-highlight',
      )}
    >
      <div className="flex items-stretch">
        {canTick ? (
          // biome-ignore lint/a11y/useSemanticElements: an input cannot hold the figures, nor be pressed long
          <button
            type="button"
            role="checkbox"
            aria-checked={isPart ? 'mixed' : isDone}
            aria-label={listOf(words, 'unit')}
            data-pick-tick=""
            onClick={() => {
              if (press.wasLong()) return;
              onTick?.(isDone ? 0 : quantity);
            }}
            onKeyDown={onKeyDown}
            {...press.handlers}
            className="flex min-h-16 min-w-0 grow scroll-mt-32 touch-manipulation select-none items-center gap-3 px-3 py-2 focus-visible:outline-offset-[-3px]"
          >
            {content}
          </button>
        ) : (
          <div className="flex min-h-16 min-w-0 grow items-center gap-3 px-3 py-2">{content}</div>
        )}
        {canTick && (
          <button
            type="button"
            data-print="hide"
            aria-label={t('Part of {name}', { name: product.name })}
            aria-expanded={isPartOpen}
            aria-controls={isPartOpen ? panelId : undefined}
            onClick={() => setPartOpen(!isPartOpen)}
            className="grid w-12 shrink-0 place-items-center border-s border-hairline text-leaf hover:bg-leaf-soft focus-visible:outline-offset-[-3px] aria-expanded:bg-leaf-soft"
          >
            <PencilLine className="size-5" />
          </button>
        )}
      </div>
      {isPartOpen && canTick && (
        <PartPanel
          id={panelId}
          total={total}
          onStep={change}
          onSet={(value) => onTick?.(value)}
          onClose={() => setPartOpen(false)}
        />
      )}
      {changes.length > 0 && view.print && (
        <button
          type="button"
          aria-expanded={showsReasons}
          onClick={() => setShowsReasons(!showsReasons)}
          className="flex min-h-11 items-center gap-2 border-t border-hairline px-3 py-2 text-start text-sm font-medium hover:bg-sunken focus-visible:outline-offset-[-3px]"
        >
          <span className="tabular">
            {t('{changes} since print {number}', {
              changes: formatDeltas(changes),
              number: view.print.number,
            })}
          </span>
          <ChevronDown
            className={cn('ms-auto size-4 transition-transform', showsReasons && 'rotate-180')}
          />
        </button>
      )}
      {showsReasons && changes.length > 0 && <ChangeReasons changes={changes} isOfOneProduct />}
    </li>
  );
}

function PartPanel({
  id,
  total,
  onStep,
  onSet,
  onClose,
}: {
  id: string;
  total: PickTotal;
  onStep: (by: number) => void;
  onSet: (quantity: number) => void;
  onClose: () => void;
}) {
  const { onShort } = useShownList();
  const { product, ticked, quantity } = total;
  const productId = product._id;
  const [draft, setDraft] = useState<string | null>(null);
  const { value: typed, question } = readTyped(draft ?? '', TICK_LIMITS);
  const commit = () => {
    if (question) return;
    const isValid = typed >= 0 && typed <= QUANTITY_MAX && fromMilli(toMilli(typed)) === typed;
    if (draft !== null && isValid) onSet(typed);
    setDraft(null);
  };
  const renderStep = (by: number, label: string, icon: ReactNode) => (
    <Button
      variant="secondary"
      aria-label={label}
      disabled={by < 0 && ticked <= 0}
      onClick={() => {
        setDraft(null);
        onStep(by);
      }}
      className="size-14 px-0"
    >
      {icon}
    </Button>
  );
  return (
    <form
      id={id}
      onSubmit={(event) => {
        event.preventDefault();
        if (question) return;
        commit();
        onClose();
      }}
      className="flex flex-wrap items-center gap-2 border-t border-hairline bg-surface px-3 py-3"
    >
      {renderStep(
        -1,
        t('One less of {name}', { name: product.name }),
        <Minus className="size-6" />,
      )}
      <NumberInput
        aria-label={t('How much of {name} is done', { name: product.name })}
        text={draft ?? writeTyped(ticked)}
        onText={setDraft}
        limits={TICK_LIMITS}
        onBlur={commit}
        className="tabular h-14 w-24 text-center text-xl font-semibold sm:text-xl"
      />
      {renderStep(1, t('One more of {name}', { name: product.name }), <Plus className="size-6" />)}
      <Button
        variant="quiet"
        disabled={ticked === quantity}
        onClick={() => onSet(quantity)}
        className="min-h-14 grow"
      >
        {t('All {quantity}', { quantity: formatGoodsQuantity(total, quantity) })}
      </Button>
      {onShort && productId !== null && (
        <Button
          variant="quiet"
          icon={<PackageMinus />}
          onClick={() => onShort(productId)}
          className="min-h-14 grow"
        >
          {rich('Short of it<span>: {name}</span>', {
            name: product.name,
            span: (inner) => <span className="sr-only">{inner}</span>,
          })}
        </Button>
      )}
    </form>
  );
}

/** Distinguishes a long press of a finger from a short one; the click after a long one is not a tick. */
function useLongPress(onLong: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isLong = useRef(false);
  const stop = () => clearTimeout(timer.current);
  return {
    wasLong: () => isLong.current,
    handlers: {
      onPointerDown: () => {
        isLong.current = false;
        timer.current = setTimeout(() => {
          isLong.current = true;
          onLong();
        }, LONG_PRESS_MS);
      },
      onPointerUp: stop,
      onPointerLeave: stop,
      onPointerCancel: stop,
      onContextMenu: (event: { preventDefault: () => void }) => {
        if (isLong.current) event.preventDefault();
      },
    },
  };
}
