import { Check, Circle } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { cn } from '../../platform/ui/cn.ts';

/** The steps of a farm's way into the market, each ticked once it is done. `children` renders one. */
export function StepList<Step extends { step: string; isDone: boolean }>({
  steps,
  className,
  children,
}: {
  steps: readonly Step[];
  className?: string;
  children: (step: Step) => ReactNode;
}) {
  return (
    <ul className={className}>
      {steps.map((each) => {
        const Icon = each.isDone ? Check : Circle;
        return (
          <li key={each.step} className="flex min-w-0 items-start gap-2.5">
            <Icon
              className={cn(
                'mt-[0.2em] size-[1.1em] shrink-0',
                each.isDone ? 'text-leaf' : 'text-ink-faint',
              )}
            />
            <span className="min-w-0">
              {children(each)}
              <span className="sr-only"> {each.isDone ? t('(done)') : t('(missing)')}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
