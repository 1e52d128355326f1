import { Check, CircleAlert, TriangleAlert } from 'lucide-react';
import { type Ref, useEffect, useId, useRef, useState } from 'react';
import { isWeightUnit } from '#contract/platform/quantities/constants/units';
import { WeightField } from '../../../catalogue/model/WeightField.tsx';
import { parseWeights } from '../../../catalogue/model/weights.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { formatWeight } from '../words.ts';
import { expectedWeight, noteOf, type PickLine, type WeightNote } from './weighing.ts';

/**
 * The field for what a line weighs. Enter takes the weights; a slip of the decimal point is refused with the price it would
 * make, what is likely one is taken when it is confirmed, and an odd weight is taken with a yellow question.
 */
export function WeighLine({
  line,
  label,
  refusal,
  isUnsent,
  onWeigh,
  onNext,
  ref,
  className,
}: {
  line: PickLine;
  /** Whose line of what, for the accessible name. */
  label: string;
  /** Why the last weight was refused. */
  refusal?: string | undefined;
  /** Whether the weight waits for the connection. */
  isUnsent: boolean;
  onWeigh: (weights: number[]) => void;
  /** Called after Enter, to go on to the next line. */
  onNext?: (() => void) | undefined;
  ref?: Ref<HTMLInputElement>;
  className?: string;
}) {
  const noteId = useId();
  const noteArea = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [note, setNote] = useState<WeightNote>();
  const { unit } = line.product;
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
    onWeigh(entered);
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
            aria-label={`Save: ${label}`}
            disabled={!weights}
            onClick={() => weights && take(weights)}
          >
            <Check aria-hidden="true" className="size-5" />
          </Button>
        )}
        {text === '' && line.packed !== undefined && (
          <span className="tabular flex min-h-10 items-center gap-1.5 whitespace-nowrap font-semibold text-leaf pointer-coarse:min-h-11">
            <Check aria-hidden="true" className="size-4" />
            {formatWeight(line.packed, unit)}
            {isUnsent && <span className="text-sm font-normal text-ink-soft">not sent yet</span>}
          </span>
        )}
      </div>
      <div
        ref={noteArea}
        id={noteId}
        role="status"
        className="grid scroll-mb-[calc(var(--bottom-bar-height)+0.75rem)] gap-1 empty:hidden"
      >
        {problem && (
          <p className="flex items-start gap-1.5 text-sm text-tomato">
            <CircleAlert aria-hidden="true" className="mt-[0.2em] size-[1em] shrink-0" />
            {problem}
          </p>
        )}
        {(note?.kind === 'hint' || note?.kind === 'question') && (
          <p className="flex items-start gap-1.5 rounded bg-straw-soft px-2 py-1 text-sm text-straw-ink">
            <TriangleAlert aria-hidden="true" className="mt-[0.2em] size-[1em] shrink-0" />
            {note.text}
          </p>
        )}
      </div>
    </div>
  );
}
