import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useAtomValue, useSetAtom } from 'jotai';
import { type FormEvent, useEffect, useId, useState } from 'react';
import {
  PROPOSAL_NOTE_MAX,
  SHORT_REASONS,
  type ShareRule,
  type ShortReason,
} from '#contract/ordering/changes/constants';
import type { ShareShortage } from '#contract/ordering/changes/order-changes';
import {
  formatQuantity,
  fromMilli,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import { quantityLimits, stepOf } from '#contract/platform/quantities/constants/steps';
import { readTyped, writeTyped } from '#contract/platform/text/constants/typed-numbers';
import { newId } from '../../../platform/api/new-id.ts';
import { plural } from '../../../platform/format/format.ts';
import { useDebounced } from '../../../platform/hooks/use-debounced.ts';
import { useToday } from '../../../platform/hooks/use-now.ts';
import { useAuth } from '../../../platform/session/use-auth.ts';
import { Dialog } from '../../../platform/ui/dialogs/Dialog.tsx';
import { Alert } from '../../../platform/ui/feedback/Alert.tsx';
import { ErrorAlert } from '../../../platform/ui/feedback/ErrorAlert.tsx';
import { Checkbox } from '../../../platform/ui/fields/Checkbox.tsx';
import { Field } from '../../../platform/ui/fields/Field.tsx';
import { Input } from '../../../platform/ui/fields/Input.tsx';
import { NumberInput } from '../../../platform/ui/fields/NumberInput.tsx';
import { Select } from '../../../platform/ui/fields/Select.tsx';
import { Textarea } from '../../../platform/ui/fields/Textarea.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { nextDayWithQuery, shortagePreviewQuery } from '../queries.ts';
import type { ShortProduct } from '../rules.ts';
import { emptiesByDefault, REASON_WORDS } from '../words.ts';
import { ShareRows } from './ShareRows.tsx';
import { ShortageOutcome } from './ShortageOutcome.tsx';
import { ShortageProgress } from './ShortageProgress.tsx';
import { dismissRun, runShortage, runStatesAtom, shownRunAtom } from './shortage-runs.ts';

const PREVIEW_DELAY_MS = 400;

const RULES: readonly { value: ShareRule; label: string; hint: string }[] = [
  { value: 'fair', label: 'Share fairly', hint: 'Everyone gets about the same part.' },
  { value: 'first_come', label: 'First come', hint: 'Who ordered first gets all of it.' },
  { value: 'manual', label: 'By hand', hint: 'You say what each order gets.' },
];

/**
 * What a farm has of a product that many ordered, and how it is shared among the orders of some days: a preview of
 * every order's share, then what became of each.
 */
export default function ShortageDialog({
  product,
  day,
  onClose,
}: {
  product: ShortProduct;
  /** The day of the handover, `YYYY-MM-DD`; unless given the next one on which orders have the product. */
  day?: string | undefined;
  onClose: () => void;
}) {
  const formId = useId();
  const today = useToday();
  const nextDay = useQuery({
    ...nextDayWithQuery(product._id, today),
    enabled: day === undefined,
  });
  const firstDay = day ?? nextDay.data ?? today;
  const [chosenFrom, setFrom] = useState<string | null>(null);
  const [chosenTo, setTo] = useState<string | null>(null);
  const from = chosenFrom ?? firstDay;
  const to = chosenTo ?? firstDay;
  const [text, setText] = useState('');
  const [rule, setRule] = useState<ShareRule>('fair');
  const [reason, setReason] = useState<ShortReason>('not_harvested');
  const [emptiesShelf, setEmptiesShelf] = useState(true);
  const [note, setNote] = useState('');
  const [byHand, setByHand] = useState<ReadonlyMap<string, number>>(new Map());
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
  const isWhole = toMilli(available) % toMilli(stepOf(product)) === 0;
  const isReady = available >= 0 && isWhole && from !== '' && to !== '' && from <= to;
  // By hand begins with the fair shares, which the farmer then changes.
  const asked = useDebounced(
    JSON.stringify(
      isReady
        ? bodyOf({ product, from, to, available, rule: rule === 'manual' ? 'fair' : rule })
        : null,
    ),
    PREVIEW_DELAY_MS,
  );
  const body = JSON.parse(asked) as ShareShortage | null;
  const preview = useQuery({
    ...shortagePreviewQuery(body ?? bodyOf({ product, from, to, available: 0, rule: 'fair' })),
    enabled: body !== null && !isRunning && !result,
    placeholderData: keepPreviousData,
  });
  const expected = body ? preview.data : undefined;
  const outcomes = (expected?.outcomes ?? []).map((each) =>
    rule === 'manual' ? { ...each, share: byHand.get(each.orderId) ?? each.share } : each,
  );
  const sharedMilli = outcomes.reduce((sum, each) => sum + toMilli(each.share), 0);
  const isTooMuch = isReady && sharedMilli > toMilli(available);
  const amount = (quantity: number) =>
    formatQuantity(quantity, product.pieceWeight ? 'each' : product.unit);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || isTooMuch || isRunning || outcomes.length === 0) return;
    const asked = {
      ...bodyOf({ product, from, to, available, rule }),
      reason,
      emptiesShelf,
      note: note.trim(),
      batchId,
      ...(rule === 'manual'
        ? { shares: outcomes.map((each) => ({ orderId: each.orderId, quantity: each.share })) }
        : {}),
    };
    const { _id, name, unit, pieceWeight } = product;
    const isByPiece = pieceWeight !== undefined;
    void runShortage({ owner, product: { _id, name, unit, isByPiece }, body: asked });
  };
  // The same dialog to the end, which gives the focus back to where it was opened.
  if (result) {
    const done = () => {
      dismissRun(batchId);
      onClose();
    };
    return (
      <Dialog
        open
        onOpenChange={(open) => !open && done()}
        title={`${product.name} is shared`}
        size="lg"
        footer={<Button onClick={done}>Done</Button>}
      >
        <ShortageOutcome result={result} product={product} />
      </Dialog>
    );
  }
  if (isRunning) {
    return (
      <Dialog
        open
        onOpenChange={(open) => !open && onClose()}
        title={`Sharing ${product.name}`}
        description="You can close this. It goes on, and each customer is asked at once."
        footer={
          <Button variant="secondary" onClick={onClose}>
            Continue in the background
          </Button>
        }
      >
        <ShortageProgress id={batchId} name={product.name} isRunning />
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Short of ${product.name}?`}
      description="Share what is there among all orders. Who wished so is not asked; everyone else is."
      size="lg"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            disabled={!isReady || isTooMuch || outcomes.length === 0}
          >
            {outcomes.length === 0 ? 'Share' : `Share among ${plural(outcomes.length, 'order')}`}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="grid gap-5">
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-3">
          <Field
            label={`How much is there (${product.pieceWeight || product.unit === 'each' ? 'pieces' : product.unit})`}
            required
            className="max-sm:col-span-2"
            error={
              text === '' || question
                ? undefined
                : Number.isNaN(available)
                  ? 'Enter a number.'
                  : !isWhole
                    ? `Enter a multiple of ${writeTyped(stepOf(product))}.`
                    : undefined
            }
          >
            <NumberInput text={text} onText={setText} limits={limits} step={stepOf(product)} />
          </Field>
          <Field label="From" required>
            <Input
              type="date"
              value={from}
              onChange={({ target }) => {
                setFrom(target.value);
                if (to < target.value) setTo(target.value);
              }}
            />
          </Field>
          <Field
            label="To"
            required
            error={to < from ? "It can't be before the first day." : undefined}
          >
            <Input type="date" value={to} onChange={({ target }) => setTo(target.value)} />
          </Field>
        </div>
        <fieldset className="grid gap-2">
          <legend className="mb-1.5 text-sm font-medium">How to share</legend>
          <div className="grid gap-2 sm:grid-cols-3">
            {RULES.map(({ value, label, hint }) => (
              <label
                key={value}
                className="grid min-h-14 cursor-pointer content-center gap-0.5 rounded border border-outline px-3 py-2 text-sm has-checked:border-leaf has-checked:bg-leaf-soft has-focus-visible:outline-2 has-focus-visible:outline-leaf"
              >
                <span className="flex items-center gap-2 font-medium">
                  <input
                    type="radio"
                    name={`${formId}-rule`}
                    value={value}
                    checked={rule === value}
                    onChange={() => setRule(value)}
                    data-quiet-focus=""
                    className="size-4 accent-leaf"
                  />
                  {label}
                </span>
                <span className="text-ink-soft">{hint}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <div className="grid items-end gap-x-4 gap-y-2 sm:grid-cols-2">
          <Field label="Why">
            <Select
              value={reason}
              onChange={({ target }) => {
                const chosen = target.value as ShortReason;
                setReason(chosen);
                setEmptiesShelf(emptiesByDefault(chosen));
              }}
            >
              {SHORT_REASONS.map((each) => (
                <option key={each} value={each}>
                  {REASON_WORDS[each]}
                </option>
              ))}
            </Select>
          </Field>
          <Checkbox
            label="And set the shelf to 0"
            checked={emptiesShelf}
            onChange={({ target }) => setEmptiesShelf(target.checked)}
          />
        </div>
        <Field label="Note (optional)" hint="Everyone who is asked reads it.">
          <Textarea
            rows={2}
            maxLength={PROPOSAL_NOTE_MAX}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </Field>
        {nextDay.data === null && (
          <p className="text-sm text-ink-soft">No open order has {product.name} at the moment.</p>
        )}
        <ErrorAlert error={preview.error} />
        {state?.status === 'broken' && (
          <Alert kind="error">{state.message} Nothing is done twice if you try again.</Alert>
        )}
        {expected &&
          (outcomes.length === 0 ? (
            <p className="text-sm text-ink-soft">No open order of these days has {product.name}.</p>
          ) : (
            <section aria-label="Shares" className="grid gap-2">
              <p className="text-sm" aria-live="polite">
                <span className="font-medium">
                  {amount(expected.ordered)} ordered, {amount(fromMilli(sharedMilli))} shared
                </span>
                {isTooMuch && (
                  <span className="text-tomato">
                    {' '}
                    · that is more than the {amount(available)} there
                  </span>
                )}
              </p>
              <ShareRows
                outcomes={outcomes}
                product={product}
                {...(rule === 'manual' && {
                  onShare: (orderId: string, quantity: number) =>
                    setByHand(new Map(byHand).set(orderId, quantity)),
                })}
              />
            </section>
          ))}
      </form>
    </Dialog>
  );
}

const bodyOf = (input: {
  product: ShortProduct;
  from: string;
  to: string;
  available: number;
  rule: ShareRule;
}): ShareShortage => ({
  productId: input.product._id,
  from: input.from,
  to: input.to,
  available: input.available,
  rule: input.rule,
  reason: 'not_harvested',
  note: '',
  emptiesShelf: false,
});
