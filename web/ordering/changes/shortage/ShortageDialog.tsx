import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useAtomValue, useSetAtom } from 'jotai';
import { type FormEvent, useEffect, useId, useState } from 'react';
import {
  PROPOSAL_NOTE_MAX,
  type ShareRule,
  type ShortReason,
} from '#contract/ordering/changes/constants';
import type { ShareShortage } from '#contract/ordering/changes/order-changes';
import { quantityUnit } from '#contract/platform/quantities/constants/pieces';
import {
  formatQuantity,
  fromMilli,
  toMilli,
  unitWord,
} from '#contract/platform/quantities/constants/quantities';
import { quantityLimits } from '#contract/platform/quantities/constants/step-fields';
import { isOfSteps, stepOf } from '#contract/platform/quantities/constants/steps';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { readTyped, writeTyped } from '#contract/platform/text/constants/typed-numbers';
import { stockTaken } from '../../../catalogue/model/sizes.ts';
import { newId } from '../../../platform/api/api.ts';
import { useDebounced } from '../../../platform/hooks/use-debounced.ts';
import { useAuth } from '../../../platform/session/session.ts';
import { Dialog } from '../../../platform/ui/dialogs/Dialog.tsx';
import { ErrorAlert } from '../../../platform/ui/feedback/ErrorAlert.tsx';
import { Alert } from '../../../platform/ui/feedback/states.tsx';
import { Field, Input } from '../../../platform/ui/fields/Field.tsx';
import { NumberInput } from '../../../platform/ui/fields/NumberInput.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { ActionDialog, useDialogField } from '../../model/ActionDialog.tsx';
import { RadioRow } from '../../model/choices.tsx';
import { WhyFields } from '../DraftRow.tsx';
import { nextDayWithQuery, shortagePreviewQuery } from '../queries.ts';
import type { ShortProduct } from '../rules.ts';
import { countOrders, SharedDialog, ShareRows, ShortageProgress } from './ShortageRuns.tsx';
import { dismissRun, runShortage, runStatesAtom, shownRunAtom } from './shortage-runs.ts';

const PREVIEW_DELAY_MS = 400;

const RULES: readonly { value: ShareRule; label: Message; hint: Message }[] = [
  { value: 'fair', label: msg('Share fairly'), hint: msg('Everyone gets about the same part.') },
  {
    value: 'first_come',
    label: msg('First come'),
    hint: msg('Who ordered first gets all of it.'),
  },
  { value: 'manual', label: msg('By hand'), hint: msg('You say what each order gets.') },
];

/** What was typed and chosen; the days are the first one with orders until they are. */
type Values = {
  from?: string;
  to?: string;
  text: string;
  rule: ShareRule;
  reason: ShortReason;
  emptiesShelf: boolean;
  /** By line. */
  byHand: ReadonlyMap<string, number>;
};

const UNSAID = { reason: 'not_harvested', emptiesShelf: false, note: '' } as const;
const START: Values = {
  ...UNSAID,
  text: '',
  rule: 'fair',
  emptiesShelf: true,
  byHand: new Map(),
};

/**
 * What a farm has of a product that many ordered, and how it is shared among the orders of some days: a preview of
 * every order's share, then what became of each.
 */
export default function ShortageDialog({
  product,
  day,
  farmToday: today,
  onClose,
}: {
  product: ShortProduct;
  /** The day of the handover, `YYYY-MM-DD`; unless given the next one on which orders have the product. */
  day?: string | undefined;
  farmToday: string;
  onClose: () => void;
}) {
  const formId = useId();
  const nextDay = useQuery({
    ...nextDayWithQuery(product._id, today),
    enabled: day === undefined,
  });
  const [values, setValues] = useState(START);
  const set = (changed: Partial<Values>) => setValues({ ...values, ...changed });
  const { text, rule, reason, emptiesShelf, byHand } = values;
  const [note, noteField] = useDialogField(`shortage:${product._id}`, {
    label: t('Note (optional)'),
    hint: t('Everyone who is asked reads it.'),
    maxLength: PROPOSAL_NOTE_MAX,
  });
  const firstDay = day ?? nextDay.data ?? today;
  const { from = firstDay, to = firstDay } = values;
  // The same for every attempt, so that asking again goes on where it ended.
  const [batchId] = useState(newId);
  const owner = useAuth().user?._id ?? '';
  const state = useAtomValue(runStatesAtom).get(batchId);
  const setShown = useSetAtom(shownRunAtom);
  useEffect(() => {
    setShown(batchId);
    return () => setShown(null);
  }, [batchId, setShown]);
  const isRunning = state?.status === 'running';
  const result = state?.status === 'done' ? state.result : undefined;

  const limits = quantityLimits(product);
  const { value: available, question } = readTyped(text, limits);
  const isWhole = isOfSteps(available, product);
  const isReady = available >= 0 && isWhole && from !== '' && to !== '' && from <= to;
  const shortage = { productId: product._id, from, to, available, rule, reason, emptiesShelf };
  // By hand begins with the fair shares, which the farmer then changes; what is only said changes none.
  const asked = useDebounced(
    JSON.stringify(
      isReady
        ? {
            ...shortage,
            rule: rule === 'manual' ? 'fair' : rule,
            ...UNSAID,
          }
        : null,
    ),
    PREVIEW_DELAY_MS,
  );
  const body = JSON.parse(asked) as ShareShortage | null;
  const preview = useQuery({
    ...shortagePreviewQuery(body),
    enabled: body !== null && !isRunning && !result,
    placeholderData: keepPreviousData,
  });
  const expected = body ? preview.data : undefined;
  const outcomes = (expected?.outcomes ?? []).map((each) =>
    rule === 'manual' ? { ...each, share: byHand.get(each.lineId) ?? each.share } : each,
  );
  const sharedMilli = outcomes.reduce(
    (sum, { share, size }) => sum + stockTaken({ quantity: share, size }),
    0,
  );
  const leftMilli = toMilli(available) - sharedMilli;
  const isTooMuch = isReady && leftMilli < 0;
  const amount = (quantity: number) => formatQuantity(quantity, quantityUnit(product));
  // What no size fits into.
  const isLeft =
    isReady &&
    leftMilli > 0 &&
    outcomes.some(({ size, share, quantity }) => size && share < quantity);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || isTooMuch || isRunning || outcomes.length === 0) return;
    const shares = outcomes.map(({ orderId, lineId, share: quantity }) => ({
      orderId,
      lineId,
      quantity,
    }));
    const run = {
      ...shortage,
      note,
      batchId,
      ...(rule === 'manual' && { shares }),
    };
    const { _id, name, unit, unitLabel, pieceWeight } = product;
    const isByPiece = pieceWeight !== undefined;
    void runShortage({ owner, product: { _id, name, unit, unitLabel, isByPiece }, body: run });
  };
  // The same dialog to the end, which gives the focus back to where it was opened.
  if (result) {
    const done = () => {
      dismissRun(batchId);
      onClose();
    };
    return <SharedDialog result={result} product={product} farmToday={today} onDone={done} />;
  }
  if (isRunning) {
    return (
      <Dialog
        open
        onOpenChange={(open) => !open && onClose()}
        title={t('Sharing {name}', { name: product.name })}
        description={t('You can close this. It goes on, and each customer is asked at once.')}
        footer={
          <Button variant="secondary" onClick={onClose}>
            {t('Continue in the background')}
          </Button>
        }
      >
        <ShortageProgress id={batchId} name={product.name} />
      </Dialog>
    );
  }
  return (
    <ActionDialog
      title={t('Short of {name}?', { name: product.name })}
      description={t(
        'Share what is there among all orders. Who wished so is not asked; everyone else is.',
      )}
      size="lg"
      label={
        outcomes.length === 0
          ? t('Share')
          : t('Share among {count, plural, one {# order} other {# orders}}', {
              count: countOrders(outcomes),
            })
      }
      formId={formId}
      disabled={!isReady || isTooMuch || outcomes.length === 0}
      onClose={onClose}
    >
      <form id={formId} onSubmit={submit} className="grid gap-5">
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-3">
          <Field
            label={
              quantityUnit(product) === 'each'
                ? t('How much is there (pieces)')
                : t('How much is there ({unit})', { unit: unitWord(quantityUnit(product), 2) })
            }
            required
            className="max-sm:col-span-2"
            error={
              text === '' || question
                ? undefined
                : Number.isNaN(available)
                  ? t('Enter a number.')
                  : !isWhole
                    ? t('Enter a multiple of {step}.', {
                        step: writeTyped(stepOf(product)),
                      })
                    : undefined
            }
          >
            <NumberInput
              text={text}
              onText={(typed) => set({ text: typed })}
              limits={limits}
              step={product.sizes ? 1 : stepOf(product)}
            />
          </Field>
          <Field label={t('From')} required>
            <Input
              type="date"
              value={from}
              onChange={({ target: { value } }) =>
                set({ from: value, ...(to < value && { to: value }) })
              }
            />
          </Field>
          <Field
            label={t('To')}
            required
            error={to < from ? t("It can't be before the first day.") : undefined}
          >
            <Input type="date" value={to} onChange={({ target }) => set({ to: target.value })} />
          </Field>
        </div>
        <fieldset className="grid gap-2">
          <legend className="mb-1.5 text-sm font-medium">{t('How to share')}</legend>
          <div className="grid gap-2 sm:grid-cols-3">
            {RULES.map(({ value, label, hint }) => (
              <RadioRow
                key={value}
                name={`${formId}-rule`}
                value={value}
                checked={rule === value}
                onChange={() => set({ rule: value })}
              >
                <span className="grid gap-0.5 py-2 text-sm">
                  <span className="font-medium">{writeMessage(label)}</span>
                  <span className="text-ink-soft">{writeMessage(hint)}</span>
                </span>
              </RadioRow>
            ))}
          </div>
        </fieldset>
        <WhyFields reason={reason} emptiesShelf={emptiesShelf} onChange={set} />
        {noteField}
        {nextDay.data === null && (
          <p className="text-sm text-ink-soft">
            {t('No open order has {name} at the moment.', { name: product.name })}
          </p>
        )}
        <ErrorAlert error={preview.error} />
        {state?.status === 'broken' && (
          <Alert kind="error">
            {[state.message, t('Nothing is done twice if you try again.')].join(' ')}
          </Alert>
        )}
        {expected &&
          (outcomes.length === 0 ? (
            <p className="text-sm text-ink-soft">
              {t('No open order of these days has {name}.', { name: product.name })}
            </p>
          ) : (
            <section aria-label={t('Shares')} className="grid gap-2">
              <p className="text-sm" aria-live="polite">
                <span className="font-medium">
                  {t('{ordered} ordered, {shared} shared', {
                    ordered: amount(expected.ordered),
                    shared: amount(fromMilli(sharedMilli)),
                  })}
                </span>
                {isLeft && (
                  <span className="text-ink-soft">
                    {` · ${t('{amount} stays in stock', { amount: amount(fromMilli(leftMilli)) })}`}
                  </span>
                )}
                {isTooMuch && (
                  <span className="text-tomato">
                    {` · ${t('that is more than the {amount} there', { amount: amount(available) })}`}
                  </span>
                )}
              </p>
              <ShareRows
                outcomes={outcomes}
                product={product}
                farmToday={today}
                {...(rule === 'manual' && {
                  onShare: (lineId: string, quantity: number) =>
                    set({ byHand: new Map(byHand).set(lineId, quantity) }),
                })}
              />
            </section>
          ))}
      </form>
    </ActionDialog>
  );
}
