import { useQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { formatNearSlot } from '#contract/farm/slots/constants';
import type { ShortageResult } from '#contract/ordering/changes/order-changes';
import { shortId } from '#contract/platform/http/constants';
import {
  formatGoodsQuantity,
  nameWithSize,
  quantityUnit,
} from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { listOf } from '#contract/platform/text/constants/formats';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { useAuth } from '../../../platform/session/session.ts';
import { Dialog } from '../../../platform/ui/dialogs/Dialog.tsx';
import { Alert } from '../../../platform/ui/feedback/states.tsx';
import { QuantityInput } from '../../../platform/ui/fields/QuantityInput.tsx';
import { Badge, Button, type Tone } from '../../../platform/ui/primitives/Button.tsx';
import { shortageProgressQuery } from '../queries.ts';
import type { ShortProduct } from '../rules.ts';
import {
  dismissRun,
  runShortage,
  runStatesAtom,
  type ShortageRun,
  shortageRunsAtom,
  shownRunAtom,
} from './shortage-runs.ts';

/** A run of another tab, or of an earlier page, that has not moved for so long has broken off, in milliseconds. */
const STALLED_AFTER_MS = 6000;

/**
 * The shortages that are being shared while their dialog is closed, or that broke off. An open dialog shows its own.
 */
export function ShortageRuns({ farmToday }: { farmToday: string }) {
  const owner = useAuth().user?._id;
  const shownId = useAtomValue(shownRunAtom);
  const runs = useAtomValue(shortageRunsAtom).filter(
    ({ owner: own, body }) => own === owner && body.batchId !== shownId,
  );
  if (runs.length === 0) return null;
  return (
    <div className="mb-3 grid gap-2" data-print="hide">
      {runs.map((run) => (
        <Run key={run.body.batchId} run={run} farmToday={farmToday} />
      ))}
    </div>
  );
}

function Run({ run, farmToday }: { run: ShortageRun; farmToday: string }) {
  const id = run.body.batchId;
  const { name } = run.product;
  const state = useAtomValue(runStatesAtom).get(id);
  const isHere = state?.status === 'running';
  const { data, isError } = useQuery(shortageProgressQuery(id, state?.status !== 'done'));
  const isStalled = useIsStalled(data?.done, !isHere && state === undefined);
  const [isOpen, setOpen] = useState(false);
  const dismiss = () => dismissRun(id);
  if (state?.status === 'done') {
    if (isOpen) {
      const pieceWeight = run.product.isByPiece ? { average: 1 } : undefined;
      const product = { ...run.product, pieceWeight };
      return (
        <SharedDialog
          result={state.result}
          product={product}
          farmToday={farmToday}
          onDone={dismiss}
        />
      );
    }
    return (
      <Ended
        kind="success"
        text={t('{name} is shared: {outcomes}.', {
          name,
          outcomes: listOutcomes(state.result),
        })}
        leave={t('Got it')}
        onLeave={dismiss}
      >
        <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
          {t('Show')}
        </Button>
      </Ended>
    );
  }
  if (data?.isFinished && !isHere) {
    const text = t('{name} is shared among {total, plural, one {# order} other {# orders}}.', {
      name,
      total: data.total,
    });
    return <Ended kind="success" text={text} leave={t('Got it')} onLeave={dismiss} />;
  }
  if (!isHere && (state?.status === 'broken' || data?.isStopped || isStalled || isError)) {
    const text = data
      ? t(
          'Sharing {name} stopped after {done} of {total, plural, one {# order} other {# orders}}. Go on, and nothing is done twice.',
          { name, done: data.done, total: data.total },
        )
      : t('Sharing {name} stopped before it began. Go on, and nothing is done twice.', { name });
    return (
      <Ended kind="warning" text={text} leave={t('Leave it')} onLeave={dismiss}>
        <Button size="sm" onClick={() => void runShortage(run)}>
          {t('Go on')}
        </Button>
      </Ended>
    );
  }
  return (
    <div className="rounded border border-hairline bg-surface p-3">
      <ShortageProgress id={id} name={name} />
    </div>
  );
}

function Ended({
  kind,
  text,
  leave,
  onLeave,
  children,
}: {
  kind: 'success' | 'warning';
  text: string;
  leave: string;
  onLeave: () => void;
  children?: ReactNode;
}) {
  return (
    <Alert kind={kind}>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="min-w-0 grow">{text}</span>
        {children}
        <Button variant="quiet" size="sm" onClick={onLeave}>
          {leave}
        </Button>
      </span>
    </Alert>
  );
}

/** Returns whether a figure has not moved for {@link STALLED_AFTER_MS}, as long as somebody looks. */
function useIsStalled(figure: number | undefined, isWatched: boolean): boolean {
  const [seen, setSeen] = useState<{ figure: number | undefined } | null>(null);
  useEffect(() => {
    if (!isWatched) return;
    const timer = setTimeout(() => setSeen({ figure }), STALLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [figure, isWatched]);
  return isWatched && seen !== null && seen.figure === figure;
}

/** What became of each order of a shortage. */
export function SharedDialog({
  result,
  product,
  farmToday,
  onDone,
}: {
  result: ShortageResult;
  product: ShortProduct;
  farmToday: string;
  onDone: () => void;
}) {
  const hasSkipped = countOf(result, 'skipped') > 0;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onDone()}
      title={t('{name} is shared', { name: product.name })}
      size="lg"
      footer={<Button onClick={onDone}>{t('Done')}</Button>}
    >
      <div className="grid gap-4">
        <Alert kind={hasSkipped ? 'warning' : 'success'}>
          {t('{outcomes}.', { outcomes: listOutcomes(result, true) })}
        </Alert>
        {result.left !== undefined && (
          <p className="text-sm">
            {t('{amount} fits no size and stays in stock.', {
              amount: formatQuantity(result.left, quantityUnit(product)),
            })}
          </p>
        )}
        <ShareRows outcomes={result.outcomes} product={product} farmToday={farmToday} isDone />
      </div>
    </Dialog>
  );
}

type ShareOutcome = ShortageResult['outcomes'][number];
type Outcome = ShareOutcome['outcome'];

const countOf = ({ outcomes }: ShortageResult, outcome: Outcome): number =>
  countOrders(outcomes.filter((each) => each.outcome === outcome));

/** Returns among how many orders something is shared: one can have several lines of it. */
export const countOrders = (outcomes: readonly ShareOutcome[]): number =>
  new Set(outcomes.map(({ orderId }) => orderId)).size;

/** Says what became of all orders together: '2 orders asked, 1 order unchanged'. */
function listOutcomes(result: ShortageResult, isAbove = false): string {
  const [asked, applied, unchanged, skipped] = (
    ['proposed', 'applied', 'unchanged', 'skipped'] as const
  ).map((outcome) => countOf(result, outcome));
  return listOf(
    [
      asked && t('{count, plural, one {# order} other {# orders}} asked', { count: asked }),
      applied &&
        t('{count, plural, one {# order} other {# orders}} changed as wished', { count: applied }),
      unchanged &&
        t('{count, plural, one {# order} other {# orders}} unchanged', { count: unchanged }),
      skipped &&
        (isAbove
          ? t('{count, plural, one {# order} other {# orders}} left out, see below', {
              count: skipped,
            })
          : t('{count, plural, one {# order} other {# orders}} left out', { count: skipped })),
    ].filter((words) => typeof words === 'string'),
    'unit',
  );
}

/** How many orders of a shortage are done, while they are asked one by one. */
export function ShortageProgress({ id, name }: { id: string; name: string }) {
  const labelId = useId();
  const { data } = useQuery(shortageProgressQuery(id, true));
  const { done = 0, total } = data ?? {};
  return (
    <div className="grid gap-2">
      <p id={labelId} className="tabular font-medium" aria-live="polite">
        {total === undefined
          ? t('Sharing {name} …', { name })
          : t('{name}: {done} of {total, plural, one {# order} other {# orders}} done', {
              name,
              done,
              total,
            })}
      </p>
      <progress
        aria-labelledby={labelId}
        value={total === undefined ? undefined : done}
        max={total ?? 1}
        className="h-2 w-full accent-leaf"
      />
    </div>
  );
}

const OUTCOMES: Record<Outcome, { tone: Tone; before: Message; after: Message }> = {
  proposed: { tone: 'straw', before: msg('Will be asked'), after: msg('Asked') },
  applied: { tone: 'leaf', before: msg('Done as wished'), after: msg('Done as wished') },
  unchanged: { tone: 'neutral', before: msg('Gets all'), after: msg('Gets all') },
  skipped: { tone: 'tomato', before: msg('Left out'), after: msg('Left out') },
};

/** The orders among which a product is shared: what each has and gets, to be changed by hand where `onShare` is. */
export function ShareRows({
  outcomes,
  product,
  farmToday,
  isDone = false,
  onShare,
}: {
  outcomes: readonly ShareOutcome[];
  product: ShortProduct;
  farmToday: string;
  /** Whether it is done, or would be. */
  isDone?: boolean;
  onShare?: (lineId: string, quantity: number) => void;
}) {
  const amount = ({ size }: ShareOutcome, quantity: number) =>
    formatGoodsQuantity({ product, isByPiece: product.pieceWeight !== undefined, size }, quantity);
  // What is short first: who gets all needs no looking at.
  const rows = outcomes.toSorted(
    (one, other) => Number(one.outcome === 'unchanged') - Number(other.outcome === 'unchanged'),
  );
  return (
    <ul className="divide-y divide-hairline rounded border border-hairline">
      {rows.map((each) => {
        const { tone, before, after } = OUTCOMES[onShare ? editedOutcome(each) : each.outcome];
        return (
          <li
            key={`${each.orderId} ${each.lineId}`}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-2.5 text-sm"
          >
            <span className="min-w-0 grow basis-40">
              <bdi className="font-medium">{each.customer.name}</bdi>{' '}
              <span className="tabular text-ink-soft">#{shortId(each.orderId)}</span>
              <span className="block text-ink-soft">{formatNearSlot(each, farmToday)}</span>
            </span>
            {onShare ? (
              <span className="flex items-center gap-2">
                <QuantityInput
                  label={t('Share of {name}', {
                    name: nameWithSize(each.customer.name, each.size),
                  })}
                  value={each.share}
                  max={each.quantity}
                  steps={each.size ? {} : stepsOfShare(product, each)}
                  fromZero
                  onChange={(quantity) => onShare(each.lineId, quantity)}
                />
                <span className="whitespace-nowrap text-ink-soft">
                  {t('of {quantity}', { quantity: amount(each, each.quantity) })}
                </span>
              </span>
            ) : (
              <span className="tabular whitespace-nowrap">
                {each.share !== each.quantity && (
                  <>
                    <s className="text-ink-soft">
                      <span className="sr-only">{t('ordered')} </span>
                      {amount(each, each.quantity)}
                    </s>{' '}
                  </>
                )}
                <span className="font-semibold">{amount(each, each.share)}</span>
              </span>
            )}
            <Badge tone={tone}>{writeMessage(isDone ? after : before)}</Badge>
            {each.message && <span className="basis-full text-ink-soft">{each.message}</span>}
          </li>
        );
      })}
    </ul>
  );
}

/** In which steps a share is given that is sold in the unit. */
const stepsOfShare = ({ sizes, step }: ShortProduct, { quantity }: ShareOutcome) =>
  sizes && !Number.isInteger(quantity) ? { step: 0.001 } : { step: sizes ? undefined : step };

/** By hand, who gets all is not asked, whatever the preview said of the fair share. */
const editedOutcome = ({ outcome, share, quantity }: ShareOutcome): Outcome =>
  share === quantity ? 'unchanged' : outcome === 'unchanged' ? 'proposed' : outcome;
