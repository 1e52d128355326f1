import type { FocusEvent, KeyboardEvent, ReactNode } from 'react';
import { useState } from 'react';
import { formatCount } from '#contract/platform/text/constants/formats';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { formatPlainAmount } from '#contract/platform/text/constants/typed-numbers';
import { cn } from '../../../platform/ui/cn.ts';
import { Input } from '../../../platform/ui/fields/Field.tsx';
import type { StockRowState } from './stock-edit.ts';
import { stockSaver as saver } from './stock-saver.ts';

// The fields of the stock view, and what they say of what was typed into them.

/** What is saved by itself: a product, or the price of a size. */
export type SavedProps = { id: string; row: StockRowState };

/**
 * Returns what an input of a row shows, and its props. It stays still while it has the focus: what changes elsewhere
 * does not replace what one is about to type over. What one has just saved oneself is shown.
 */
export function useCell({ id, row }: SavedProps, typed: string | null, live: number) {
  const [shown, setShown] = useState<number | null>(null);
  if (row.status === 'saved' && shown !== null && shown !== live) setShown(live);
  const props = {
    autoComplete: 'off',
    'aria-describedby': `${id}-status`,
    'aria-invalid': row.status === 'refused' && typed !== null ? true : undefined,
    onFocus: (event: FocusEvent<HTMLInputElement>) => {
      setShown(live);
      event.target.select();
    },
    onBlur: () => {
      setShown(null);
      if (row.status === 'edited') void saver.save(id);
    },
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === 'Enter') void saver.save(id);
      if (key === 'Escape') saver.discard(id);
    },
  };
  return { value: shown ?? live, props };
}

/** The price of a product, or of a size. */
export function PriceField({
  id,
  row,
  name,
  price,
  onType,
  className,
}: SavedProps & {
  name: string;
  price: number;
  onType: (text: string) => void;
  className: string;
}) {
  const { value, props } = useCell({ id, row }, row.price, price);
  return (
    <Input
      inputMode="decimal"
      aria-label={t('Price of {name}', { name })}
      value={row.price ?? formatPlainAmount(value)}
      onChange={(event) => onType(event.target.value)}
      {...props}
      className={cn('tabular px-2 text-end', className)}
    />
  );
}

const words: Partial<Record<StockRowState['status'], Message>> = {
  saving: msg('Saving...'),
  saved: msg('Saved'),
};

/** Says at the row whether it is saved, and what to do when it could not be; else its children. */
export function Status({ id, row, children }: SavedProps & { children: ReactNode }) {
  const { status, message, left, quantity } = row;
  const saved = words[status];
  const isProblem = status === 'refused' || status === 'unsent';
  return (
    <span
      id={`${id}-status`}
      role={isProblem ? 'alert' : undefined}
      className={cn('text-xs', isProblem ? 'text-tomato-ink' : 'text-ink-soft')}
    >
      {isProblem ? message : saved ? writeMessage(saved) : children}
      {status === 'refused' && (
        <span className="ms-2 inline-flex gap-3">
          {left !== undefined && (
            <button type="button" onClick={() => void saver.save(id)} className={linkClass}>
              {t('Set to {quantity}', { quantity: quantity ?? '' })}
            </button>
          )}
          <button type="button" onClick={() => saver.discard(id)} className={linkClass}>
            {left === undefined ? t('Undo') : t('Keep {quantity}', { quantity: formatCount(left) })}
          </button>
        </span>
      )}
    </span>
  );
}

const linkClass =
  'rounded-xs font-medium text-leaf underline underline-offset-2 hover:text-leaf-strong pointer-coarse:min-h-11';
