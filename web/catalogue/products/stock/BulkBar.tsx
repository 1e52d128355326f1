import { Eye, EyeOff } from 'lucide-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { priceLimits } from '#contract/catalogue/products/constants/prices';
import type { Product } from '#contract/catalogue/products/product';
import { theMarket } from '#contract/platform/market/constants';
import { formatMoney } from '#contract/platform/money/constants';
import { quantityUnit } from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { quantityLimits } from '#contract/platform/quantities/constants/step-fields';
import { isOfSteps, stepOf } from '#contract/platform/quantities/constants/steps';
import { Stock } from '#contract/platform/quantities/quantity';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import {
  type NumberLimits,
  readTyped,
  writeTyped,
} from '#contract/platform/text/constants/typed-numbers';
import { Dialog, DialogButtons } from '../../../platform/ui/dialogs/Dialog.tsx';
import { pin } from '../../../platform/ui/feedback/pinned.ts';
import { Select } from '../../../platform/ui/fields/controls.tsx';
import { Field } from '../../../platform/ui/fields/Field.tsx';
import { NumberInput } from '../../../platform/ui/fields/NumberInput.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { type BulkChange, bulkProblem, type PriceChange, priceAfter } from './bulk.ts';

const ACTIONS = [
  { kind: 'hide', label: msg('Hide'), icon: <EyeOff /> },
  { kind: 'show', label: msg('Show'), icon: <Eye /> },
  { kind: 'soldOut', label: msg('Sold out'), icon: null },
] as const;

/** The bar at the bottom of the stock view that changes all ticked products. */
export function BulkBar({
  products,
  isPending,
  onChange,
  onClear,
}: {
  products: readonly Product[];
  isPending: boolean;
  onChange: (change: BulkChange) => void;
  onClear: () => void;
}) {
  const [asking, setAsking] = useState<'stock' | 'price' | null>(null);
  if (products.length === 0) return null;
  const act = (change: BulkChange) => {
    setAsking(null);
    onChange(change);
  };
  return (
    <div ref={pin} className="pointer-events-none pinned mt-4 pb-3">
      <section
        aria-label={t('Selected products')}
        className="pointer-events-auto grid gap-1 rounded border border-outline bg-raised px-3 py-2 text-sm shadow-float sm:flex sm:items-center sm:gap-2"
      >
        <span className="flex grow items-center justify-between font-medium">
          {t('{count, number} selected', { count: products.length })}
          <Button size="sm" variant="quiet" onClick={onClear}>
            {t('Clear')}
          </Button>
        </span>
        <span className="flex items-center gap-2 overflow-x-auto p-1 *:shrink-0 *:whitespace-nowrap">
          {ACTIONS.map(({ kind, label, icon }) => (
            <Button
              key={kind}
              size="sm"
              variant="secondary"
              icon={icon}
              pending={isPending}
              onClick={() => act({ kind })}
            >
              {writeMessage(label)}
            </Button>
          ))}
          <Button size="sm" variant="secondary" onClick={() => setAsking('stock')}>
            {t('Set stock')}
          </Button>
          <Button size="sm" variant="secondary" onClick={() => setAsking('price')}>
            {t('Change price')}
          </Button>
        </span>
        {asking === 'stock' && (
          <StockDialog products={products} onSet={act} onClose={() => setAsking(null)} />
        )}
        {asking === 'price' && (
          <PriceDialog products={products} onSet={act} onClose={() => setAsking(null)} />
        )}
      </section>
    </div>
  );
}

type BulkDialogProps = {
  products: readonly Product[];
  onSet: (change: BulkChange) => void;
  onClose: () => void;
};

/** In thousandths a stock is exact. */
const SMALLEST_STEP = 0.001;

function StockDialog({ products, onSet, onClose }: BulkDialogProps) {
  const [text, setText] = useState('');
  const counted = products.filter(({ availability }) => availability !== 'always');
  const isWhole = counted.every(
    ({ step, sizes }) => quantityLimits({ step, sizes }).decimals === 0,
  );
  const limits = quantityLimits({ step: isWhole ? 1 : SMALLEST_STEP });
  const { value: to, question } = readTyped(text, limits);
  const isStock = Stock.safeParse(to).success;
  const misfit = isStock ? counted.find((product) => !isOfSteps(to, product)) : undefined;
  const isValid = isStock && misfit === undefined;
  const problem = misfit
    ? misfitWords(misfit)
    : text.trim() !== '' && !isStock && !question
      ? t('Enter a number, such as 12 or {example}.', { example: writeTyped(0.5) })
      : undefined;
  return (
    <BulkDialog
      title={t('Set the stock of {count, plural, one {# product} other {# products}}', {
        count: products.length,
      })}
      isValid={isValid}
      onSubmit={() => onSet({ kind: 'stock', to })}
      onClose={onClose}
    >
      <Field label={t('Stock of each')} error={problem}>
        <NumberInput text={text} onText={setText} limits={limits} />
      </Field>
    </BulkDialog>
  );
}

/** Says in which steps a product is stocked that a number does not fit. */
function misfitWords(product: Product): string {
  const { name } = product;
  const [step, unit] = [stepOf(product), quantityUnit(product)];
  return step === 1 && unit === 'each'
    ? t('{name} is stocked in whole numbers.', { name })
    : t('{name} is stocked in steps of {step}.', { name, step: formatQuantity(step, unit) });
}

/** Beyond it a percentage is a slip. */
const PERCENT_MAX = 1_000_000;

const priceLabels: Record<PriceChange['kind'], Message> = {
  percent: msg('By percent'),
  amount: msg('By an amount'),
  set: msg('To one price'),
};

/** What the field of each kind of change takes. */
function limitsOf(kind: PriceChange['kind']): NumberLimits {
  const { decimals, max = 0 } = priceLimits();
  return kind === 'percent'
    ? { min: -100, max: PERCENT_MAX }
    : { decimals, min: kind === 'set' ? 0 : -max, max };
}

function PriceDialog({ products, onSet, onClose }: BulkDialogProps) {
  const [kind, setKind] = useState<PriceChange['kind']>('percent');
  const [text, setText] = useState('');
  const limits = limitsOf(kind);
  const { value } = readTyped(text, limits);
  const isValid = Number.isFinite(value) && value !== 0 && (kind !== 'set' || value > 0);
  const by = { kind, value };
  const [first] = products.filter(
    (product) => bulkProblem(product, { kind: 'price', by }) === undefined,
  );
  return (
    <BulkDialog
      title={t('Change the price of {count, plural, one {# product} other {# products}}', {
        count: products.length,
      })}
      isValid={isValid}
      onSubmit={() => onSet({ kind: 'price', by })}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <Field label={t('How')}>
          <Select
            value={kind}
            onChange={(event) => setKind(event.target.value as PriceChange['kind'])}
          >
            {Object.entries(priceLabels).map(([value, label]) => (
              <option key={value} value={value}>
                {writeMessage(label)}
              </option>
            ))}
          </Select>
        </Field>
        <Field
          label={
            kind === 'percent'
              ? t('Percent')
              : t('Amount ({sign})', { sign: theMarket().currency.sign })
          }
          hint={kind === 'set' ? undefined : t('Use a minus to lower it: -10')}
        >
          <NumberInput text={text} onText={setText} limits={limits} />
        </Field>
        {isValid && first && (
          <p className="text-sm text-ink-soft">
            {t('{name}: {price} becomes {newPrice}', {
              name: first.name,
              price: formatMoney(first.price),
              newPrice: formatMoney(priceAfter(first.price, by)),
            })}
          </p>
        )}
      </div>
    </BulkDialog>
  );
}

function BulkDialog({
  title,
  isValid,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  isValid: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const formId = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isValid) onSubmit();
  };
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={(open) => !open && onClose()}
      title={title}
      footer={
        <DialogButtons
          type="submit"
          form={formId}
          label={t('Save')}
          disabled={!isValid}
          onCancel={onClose}
        />
      }
    >
      <form id={formId} onSubmit={submit}>
        {children}
      </form>
    </Dialog>
  );
}
