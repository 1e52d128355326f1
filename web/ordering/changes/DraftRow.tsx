import { useId } from 'react';
import {
  SHORT_REASONS,
  type ShortReason,
  WRITTEN_OFF_REASONS,
} from '#contract/ordering/changes/constants';
import type { OrderLine } from '#contract/ordering/changes/order-lines';
import { formatMoney, fromMinor } from '#contract/platform/money/constants';
import { formatLine, nameWithSize } from '#contract/platform/quantities/constants/pieces';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { inSize } from '../../catalogue/model/sizes.ts';
import { rich } from '../../platform/format/rich.tsx';
import { cn } from '../../platform/ui/cn.ts';
import { Checkbox, Select } from '../../platform/ui/fields/controls.tsx';
import { Field } from '../../platform/ui/fields/Field.tsx';
import { QuantityInput } from '../../platform/ui/fields/QuantityInput.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Money } from '../../platform/ui/primitives/Money.tsx';
import { Thumbnail } from '../model/order-parts.tsx';
import { SizeButtons } from '../model/size-parts.tsx';
import { isHadOn } from './items.ts';
import { ProductPicker } from './PreferenceField.tsx';
import {
  appliesAtOnce,
  type CategoryOf,
  dearerMinor,
  describePreference,
  draftCost,
  emptiesByDefault,
  fittingQuantity,
  type Goods,
  type LineDraft,
  mostLess,
  REASON_WORDS,
  substitutesFor,
} from './rules.ts';

/** What can be done with a line; `substitute` is chosen before its product is. */
type Choice = 'keep' | LineDraft['action'];

const CHOICES: readonly { value: Choice; label: Message }[] = [
  { value: 'keep', label: msg('All there') },
  { value: 'reduce', label: msg('Less') },
  { value: 'remove', label: msg('goods|None') },
  { value: 'substitute', label: msg('Instead') },
];

/** A draft whose substitute may not be chosen yet. */
export type RowDraft =
  | LineDraft
  | {
      action: 'choosing';
      /** What is chosen already, while its size is not. */
      goods?: Goods;
      reason: ShortReason;
      emptiesShelf: boolean;
    };

/** One line of an order in the dialog of what a farm is short of. */
export function DraftRow({
  line,
  draft,
  farmId,
  day,
  consumer,
  goods,
  categoryOf,
  onDraft,
}: {
  line: OrderLine;
  draft: RowDraft | undefined;
  farmId: string;
  /** The order's day. */
  day: string;
  /** The consumer's name. */
  consumer: string;
  /** What the farm sells, as far as it is known. */
  goods: ReadonlyMap<string, Goods>;
  categoryOf: CategoryOf;
  onDraft: (draft: RowDraft | undefined) => void;
}) {
  const id = useId();
  const { product, quantity } = line;
  const name = nameWithSize(product.name, line.size);
  const own = product._id === null ? undefined : goods.get(product._id);
  const step =
    line.pieceWeight || line.size ? 1 : (own?.step ?? (Number.isInteger(quantity) ? 1 : 0.001));
  const most = mostLess(quantity, { step });
  const chosen: Choice = draft?.action === 'choosing' ? 'substitute' : (draft?.action ?? 'keep');
  const common = {
    reason: draft?.reason ?? 'not_harvested',
    emptiesShelf: draft?.emptiesShelf ?? true,
  } as const;

  const choose = (choice: Choice) => {
    if (choice === 'keep') onDraft(undefined);
    else if (choice === 'remove') onDraft({ ...common, action: 'remove' });
    else if (choice === 'reduce') onDraft({ ...common, action: 'reduce', newQuantity: most });
    else onDraft({ ...common, action: 'choosing' });
  };
  const offer = (goods: Goods) =>
    onDraft({
      ...common,
      action: 'substitute',
      goods,
      quantity: fittingQuantity(line, goods),
    });
  const substitute = draftCost(line, draft?.action === 'choosing' ? undefined : draft);
  const isAtOnce =
    draft !== undefined && draft.action !== 'choosing' && appliesAtOnce(line, draft, categoryOf);
  return (
    <li className={cn('grid gap-3 py-4 first:pt-0', draft && 'animate-fade-in')}>
      <fieldset className="grid gap-3">
        <legend className="contents">
          <span className="flex items-center gap-3">
            <Thumbnail name={product.name} image={product.images[0]} />
            <span className="min-w-0 text-sm">
              <span className="block font-semibold">{formatLine(line)}</span>
              <span className="block text-ink-soft">{describePreference(line, goods)}</span>
            </span>
          </span>
        </legend>
        <div className="grid grid-cols-4 gap-1 rounded border border-outline p-1">
          {CHOICES.map(({ value, label }) => {
            const isImpossible = value === 'reduce' && most <= 0;
            return (
              <label
                key={value}
                className={cn(
                  'grid min-h-11 cursor-pointer place-items-center rounded-xs px-1 text-center text-sm font-medium',
                  'has-checked:bg-leaf has-checked:text-on-leaf has-focus-visible:outline-2 has-focus-visible:outline-leaf has-focus-visible:outline-offset-2',
                  isImpossible && 'cursor-not-allowed text-ink-faint',
                )}
              >
                <input
                  type="radio"
                  name={id}
                  value={value}
                  checked={chosen === value}
                  disabled={isImpossible}
                  onChange={() => choose(value)}
                  className="sr-only"
                  data-quiet-focus=""
                />
                {writeMessage(label)}
              </label>
            );
          })}
        </div>
      </fieldset>
      {draft && (
        <div className="grid gap-3 border-s-2 border-hairline ps-3">
          {draft.action === 'reduce' && (
            <div className="flex flex-wrap items-center gap-3 text-sm">
              <QuantityInput
                label={t('{name} that is there', { name })}
                value={draft.newQuantity}
                onChange={(newQuantity) => onDraft({ ...draft, newQuantity })}
                steps={{ step }}
                max={most}
              />
              <span className="text-ink-soft">{t('of {goods}', { goods: formatLine(line) })}</span>
            </div>
          )}
          {draft.action === 'choosing' && draft.goods && (
            <div className="grid gap-2 text-sm">
              <p className="font-medium">
                {t('Which size of {name}?', { name: draft.goods.name })}
              </p>
              <SizeButtons
                name={draft.goods.name}
                goods={draft.goods}
                onChoose={(size) => draft.goods && offer(inSize(draft.goods, size))}
              />
            </div>
          )}
          {draft.action === 'choosing' && !draft.goods && (
            <ProductPicker
              farmId={farmId}
              label={t('Instead of {name}', { name })}
              arrange={(all) =>
                substitutesFor(
                  line,
                  all.filter((each) => isHadOn(each, day)),
                  categoryOf,
                )
              }
              hintOf={(each) => hintOf(line, each, consumer)}
              onPick={(picked) =>
                picked.sizes ? onDraft({ ...draft, goods: picked }) : offer(picked)
              }
            />
          )}
          {draft.action === 'substitute' && (
            <div className="flex flex-wrap items-center gap-3 text-sm">
              <QuantityInput
                label={t('{name} instead', {
                  name: nameWithSize(draft.goods.name, draft.goods.size),
                })}
                value={draft.quantity}
                onChange={(wanted) => onDraft({ ...draft, quantity: wanted })}
                steps={draft.goods}
                max={draft.goods.quantityAvailable}
              />
              <span className="min-w-0 grow">
                {rich('{name}, {price} instead of {before}', {
                  name: (
                    <bdi className="font-medium">
                      {nameWithSize(draft.goods.name, draft.goods.size)}
                    </bdi>
                  ),
                  price: (
                    <Money amount={fromMinor(substitute.minor)} isEstimate={!substitute.isFinal} />
                  ),
                  before: <Money amount={line.total} isEstimate={!line.isFinal} />,
                })}
              </span>
              <Button
                size="sm"
                variant="secondary"
                onClick={() => onDraft({ ...common, action: 'choosing' })}
              >
                {t('Choose another')}
              </Button>
            </div>
          )}
          <WhyFields
            {...draft}
            hasStock={own?.availability !== 'always'}
            onChange={(why) => onDraft({ ...draft, ...why })}
          />
          <p className="text-sm text-ink-soft">
            {isAtOnce
              ? t('This is done at once, as {consumer} wishes.', { consumer })
              : WRITTEN_OFF_REASONS.includes(draft.reason)
                ? t('What is missing does not go back to the shelf.')
                : t('What is taken out goes back to the shelf.')}
          </p>
        </div>
      )}
    </li>
  );
}

type Why = Pick<LineDraft, 'reason' | 'emptiesShelf'>;

/** Why a farm is short of something, and whether there is none left for others either. */
export const WhyFields = ({
  reason,
  emptiesShelf,
  hasStock = true,
  onChange,
}: Why & {
  /** Whether the product has a stock, which can be set to 0. */
  hasStock?: boolean;
  onChange: (why: Why) => void;
}) => (
  <div className="grid items-end gap-x-4 gap-y-1 sm:grid-cols-2">
    <Field label={t('Why')}>
      <Select
        value={reason}
        onChange={({ target }) => {
          const chosen = target.value as ShortReason;
          onChange({ reason: chosen, emptiesShelf: emptiesByDefault(chosen) });
        }}
      >
        {SHORT_REASONS.map((each) => (
          <option key={each} value={each}>
            {writeMessage(REASON_WORDS[each])}
          </option>
        ))}
      </Select>
    </Field>
    {hasStock && (
      <Checkbox
        label={t('And set the shelf to 0')}
        checked={emptiesShelf}
        onChange={({ target }) => onChange({ reason, emptiesShelf: target.checked })}
      />
    )}
  </div>
);

/** Why a product fits, or that it costs more. */
function hintOf(line: OrderLine, goods: Goods, consumer: string): string | undefined {
  if (goods._id === line.preferredProduct) return t('{consumer} named this', { consumer });
  const minor = dearerMinor(line, goods);
  return minor > 0 ? t('{amount} dearer', { amount: formatMoney(fromMinor(minor)) }) : undefined;
}
