import { useQueryClient } from '@tanstack/react-query';
import { Check, CircleAlert, type LucideIcon, TriangleAlert } from 'lucide-react';
import { type Ref, useEffect, useId, useRef, useState } from 'react';
import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { weighableLine, weightDoubt, weightsApi } from '#contract/ordering/weights/constants';
import { formatMoney, fromMinor, toMinor } from '#contract/platform/money/constants';
import { formatLine } from '#contract/platform/quantities/constants/pieces';
import {
  formatQuantity,
  lineCostMinor,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import { isWeightUnit } from '#contract/platform/quantities/constants/units';
import { t } from '#contract/platform/text/constants/texts';
import { WeightField } from '../../../catalogue/model/WeightField.tsx';
import { parseWeights, sumWeights } from '../../../catalogue/model/weights.ts';
import { call } from '../../../platform/api/api.ts';
import { useCommand } from '../../../platform/queries/use-command.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { useQueuedWork } from '../use-picklist.tsx';
import type { PickLine } from '../work/fold.ts';
import type { QueuedWork } from '../work/queued-work.ts';
import { doWork } from '../work/send-work.ts';

/** Whether a line has to be weighed: its price is by weight, and it is sold by the piece. */
export const mustBeWeighed = ({ pieceWeight, quantity }: PickLine): boolean =>
  pieceWeight !== undefined && quantity > 0;

/** Whether a scale can say what a line costs: the price of a size is that of a piece, whatever it weighs. */
export const canBeWeighed = ({ product, size, quantity }: PickLine): boolean =>
  size === undefined && isWeightUnit(product.unit) && quantity > 0;

/** Whether nothing is left to weigh of an order. */
export const isWeighed = ({ lines }: PickOrder): boolean =>
  lines.every((line) => !mustBeWeighed(line) || line.packed !== undefined || line.isFinal);

/** Returns what a line is expected to weigh, in the unit of its price. */
export const expectedWeight = ({ quantity, pieceWeight }: PickLine): number =>
  pieceWeight ? Math.round(toMilli(pieceWeight.average) * quantity) / 1000 : quantity;

/**
 * What follows a typed weight before it is accepted: a refusal, a question that is answered by the same again, or a
 * second look.
 */
type WeightNote = { kind: 'refusal' | 'question' | 'hint'; text: string };

/** Returns what is wrong with the weights of a line, in words; undefined for nothing. */
function noteOf(line: PickLine, weights: readonly number[]): WeightNote | undefined {
  const packed = sumWeights(weights);
  const { unit } = line.product;
  if (packed === 0) {
    return {
      kind: 'refusal',
      text: t('Nothing was weighed. Say that you are short of it instead.'),
    };
  }
  const doubt = weightDoubt(weighableLine(line), toMilli(packed));
  if (doubt === undefined) return undefined;
  const weight = formatQuantity(packed, unit);
  if (doubt === 'odd') {
    return { kind: 'hint', text: t('{weight} for {goods}?', { weight, goods: formatLine(line) }) };
  }
  if (doubt === 'unlikely') {
    const expected = formatQuantity(expectedWeight(line), unit);
    return {
      kind: 'question',
      text: t(
        '{weight} for {goods}? It should be about {expected}. Check the decimal point, or confirm it once more.',
        { weight, goods: formatLine(line), expected },
      ),
    };
  }
  const price = fromMinor(lineCostMinor(toMinor(line.price), toMilli(packed)));
  return {
    kind: 'refusal',
    text: t('With {weight} the price would be {price}. Check the weight and its unit.', {
      weight,
      price: formatMoney(price),
    }),
  };
}

/**
 * The field for what a line weighs. Enter takes the weights; a slip of the decimal point is refused with the price it
 * would make, what is likely one is taken when it is confirmed, and an odd weight is taken with a yellow question.
 */
export function WeighLine({
  order,
  line,
  label,
  onNext,
  ref,
  className,
}: {
  order: PickOrder;
  line: PickLine;
  /** Whose line of what, for the accessible name. */
  label: string;
  /** Called after Enter, to go on to the next line. */
  onNext?: (() => void) | undefined;
  ref?: Ref<HTMLInputElement>;
  className?: string;
}) {
  const cache = useQueryClient();
  const noteId = useId();
  const noteArea = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [note, setNote] = useState<WeightNote>();
  const { unit } = line.product;
  const works = useWorksOf(line);
  const refusal = works.findLast((work) => work.refusal !== undefined)?.refusal;
  const isUnsent = works.some((work) => work.refusal === undefined);
  const problem = note?.kind === 'refusal' ? note.text : refusal;
  // Of a field at the end of a phone's window it would stand behind the bar.
  const mustBeSeen =
    problem !== undefined || note?.kind === 'question' || (note !== undefined && !onNext);
  useEffect(() => {
    if (mustBeSeen) noteArea.current?.scrollIntoView({ block: 'nearest' });
  }, [mustBeSeen]);
  if (!isWeightUnit(unit)) return null;
  const expected = expectedWeight(line);
  const weights = parseWeights(text, expected);
  const take = (entered: number[]) => {
    const found = noteOf(line, entered);
    const isConfirmed = found?.kind === 'question' && found.text === note?.text;
    setNote(isConfirmed ? undefined : found);
    if (found && found.kind !== 'hint' && !isConfirmed) return;
    doWork(cache, {
      kind: 'weigh',
      orderId: order._id,
      lineId: line.lineId,
      weights: entered,
      expectedPacked: line.packed ?? null,
      label: t('The weight of {goods} for {name}', {
        goods: formatLine(line),
        name: order.customer.name,
      }),
    });
    setText('');
    onNext?.();
  };
  return (
    <div className={cn('grid min-w-0 gap-1', className)}>
      <div className="flex items-start gap-2">
        <WeightField
          {...(ref && { ref })}
          text={text}
          onTextChange={(next) => {
            setText(next);
            setNote(undefined);
          }}
          onEnter={take}
          expected={expected}
          unit={unit}
          label={label}
          className="w-44 grow sm:grow-0"
        />
        {text !== '' && (
          <Button
            size="icon"
            aria-label={t('Save: {label}', { label })}
            disabled={!weights}
            onClick={() => weights && take(weights)}
          >
            <Check className="size-5" />
          </Button>
        )}
        {text === '' && line.packed !== undefined && (
          <span className="tabular flex min-h-10 items-center gap-1.5 whitespace-nowrap font-semibold text-leaf pointer-coarse:min-h-11">
            <Check className="size-4" />
            {formatQuantity(line.packed, unit)}
            {isUnsent && (
              <span className="text-sm font-normal text-ink-soft">{t('not sent yet')}</span>
            )}
          </span>
        )}
      </div>
      <div
        ref={noteArea}
        id={noteId}
        role="status"
        className="grid scroll-mb-[calc(var(--bottom-bar-height)+0.75rem)] gap-1 empty:hidden"
      >
        {problem && <Note icon={CircleAlert} text={problem} className="text-tomato" />}
        {note && note.kind !== 'refusal' && (
          <Note
            icon={TriangleAlert}
            text={note.text}
            className="rounded bg-straw-soft px-2 py-1 text-straw-ink"
          />
        )}
      </div>
    </div>
  );
}

function Note({
  icon: Icon,
  text,
  className,
}: {
  icon: LucideIcon;
  text: string;
  className: string;
}) {
  return (
    <p className={cn('flex items-start gap-1.5 text-sm', className)}>
      <Icon className="mt-[0.2em] size-[1em] shrink-0" />
      {text}
    </p>
  );
}

/** Returns the weights of a line that are not confirmed yet, or were refused. */
const useWorksOf = ({ lineId }: PickLine): QueuedWork[] =>
  useQueuedWork().filter((work) => work.kind === 'weigh' && work.lineId === lineId);

/** What a line costs by what it weighs, in minor units; undefined where that is charged already. */
function wholeMinorOf({ price, packed, total }: PickLine): number | undefined {
  if (packed === undefined) return undefined;
  const whole = lineCostMinor(toMinor(price), toMilli(packed));
  return whole > toMinor(total) ? whole : undefined;
}

/**
 * Says what a line that weighs more than expected is charged, and offers to ask the consumer for the whole price: also
 * where they are asked for that of other lines, which makes one question of both. Not while they are asked about
 * something else. Nothing while the price is charged as it is, or a weight is not confirmed.
 */
export function AskConsumer({ order, line }: { order: PickOrder; line: PickLine }) {
  // The event shows it.
  const ask = useCommand(
    () =>
      call(weightsApi.weigh, {
        params: { id: order._id, lineId: line.lineId },
        body: { packed: line.packed, expectedPacked: line.packed, overweight: 'ask' },
      }),
    { done: t('{name} is asked', { name: order.customer.name }) },
  );
  const isQueued = useWorksOf(line).length > 0;
  const wholeMinor = wholeMinorOf(line);
  if (isQueued || wholeMinor === undefined) return null;
  const whole = formatMoney(fromMinor(wholeMinor));
  const charged = { price: formatMoney(line.total), whole, name: order.customer.name };
  const { askedLineIds, lines } = order;
  const isHeavy = (id: string) =>
    lines.some((each) => each.lineId === id && wholeMinorOf(each) !== undefined);
  const isAsked = askedLineIds.includes(line.lineId) || !askedLineIds.every(isHeavy);
  return (
    <div className="flex basis-full flex-wrap items-center gap-x-3 gap-y-1.5 text-sm">
      <p>
        {isAsked
          ? t(
              '{price} is charged instead of {whole}: it weighs more than {name} expects, whose answer to a change is awaited.',
              charged,
            )
          : t(
              '{price} is charged instead of {whole}: it weighs more than {name} expects.',
              charged,
            )}
      </p>
      {!isAsked && (
        <Button variant="secondary" size="sm" pending={ask.isPending} onClick={() => ask.mutate()}>
          {t('Ask for {whole}', { whole })}
        </Button>
      )}
    </div>
  );
}
