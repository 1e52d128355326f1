import { Plus } from 'lucide-react';
import { type Ref, useImperativeHandle, useRef } from 'react';
import { formatQuantity, unitWord } from '#contract/platform/quantities/constants/quantities';
import { t } from '#contract/platform/text/constants/texts';
import { cn } from '../../platform/ui/cn.ts';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { parseWeights, sumWeights } from './weights.ts';

/**
 * A field for what a scale shows: one weight, or several with '+' between them, the sum of which stands under it. The
 * keyboard of a phone that has digits and decimals has no plus, so there is a button for it. Enter passes the weights
 * on, once they can be read; the caller keeps the text, because it may have to outlast a refusal.
 */
export function WeightField({
  text,
  onTextChange,
  onEnter,
  expected,
  unit,
  label,
  disabled = false,
  className,
  ref,
}: {
  text: string;
  onTextChange: (text: string) => void;
  onEnter: (weights: number[]) => void;
  /** What is expected of all weights together, which decides what '1,200' is. */
  expected: number;
  /** Of the price, in which is weighed. */
  unit: 'kg' | 'g' | 'lb' | 'oz';
  /** The accessible name, also part of the name of the button. */
  label: string;
  disabled?: boolean;
  className?: string;
  ref?: Ref<HTMLInputElement>;
}) {
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => input.current as HTMLInputElement);
  const weights = parseWeights(text, expected);
  const isUnreadable = text.trim() !== '' && !weights && !text.trim().endsWith('+');
  const addPlus = () => {
    if (weights) onTextChange(`${text.trim()}+`);
    input.current?.focus();
  };
  return (
    <div className={cn('grid min-w-0 gap-1', className)}>
      <div className="flex items-stretch gap-1.5">
        <span className="relative min-w-0 flex-1">
          <Input
            ref={input}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="next"
            aria-label={label}
            aria-invalid={isUnreadable || undefined}
            disabled={disabled}
            value={text}
            onChange={(event) => onTextChange(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !weights) return;
              event.preventDefault();
              onEnter(weights);
            }}
            className="tabular pe-10"
          />
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 inset-e-3 grid place-items-center text-sm text-ink-soft"
          >
            {unitWord(unit)}
          </span>
        </span>
        <button
          type="button"
          aria-label={t('Add another weight: {label}', { label })}
          disabled={disabled || !weights}
          onClick={addPlus}
          className="grid w-10 shrink-0 place-items-center rounded border border-outline bg-surface text-leaf hover:bg-leaf-soft disabled:cursor-not-allowed disabled:text-ink-faint disabled:hover:bg-transparent pointer-coarse:w-11"
        >
          <Plus className="size-4" />
        </button>
      </div>
      {weights && weights.length > 1 && (
        <output className="tabular text-sm text-ink-soft">
          {t('{count, plural, one {# weight} other {# weights}}, {sum} together', {
            count: weights.length,
            sum: formatQuantity(sumWeights(weights), unit),
          })}
        </output>
      )}
    </div>
  );
}
