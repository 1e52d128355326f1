import { type ReactNode, Suspense, useCallback, useState } from 'react';
import {
  type AskAboutOrders,
  ClosingQuestionContext,
} from '../../platform/queries/closing-question.ts';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.tsx';
import type { MoveOrder } from './ClosingDialog.tsx';

const ClosingDialog = lazyWithRetry(() => import('./ClosingDialog.tsx'));

type Question = Parameters<AskAboutOrders>[0] & { answer: (keeps: string | undefined) => void };

/**
 * Lets whatever is saved within it, by `useClosingQuestion`, ask the farm about the open orders that it meets. A page
 * whose reader may move orders hands in how.
 */
export function ClosingQuestion({
  moveOrder,
  children,
}: {
  moveOrder?: MoveOrder;
  children: ReactNode;
}) {
  const [question, setQuestion] = useState<Question | null>(null);
  const ask: AskAboutOrders = useCallback(
    (asked) =>
      new Promise((resolve) => {
        const answer = (keeps: string | undefined) => {
          setQuestion(null);
          resolve(keeps);
        };
        setQuestion({ ...asked, answer });
      }),
    [],
  );
  return (
    <ClosingQuestionContext value={ask}>
      {children}
      {question && (
        <Suspense fallback={null}>
          <ClosingDialog {...question} moveOrder={moveOrder} />
        </Suspense>
      )}
    </ClosingQuestionContext>
  );
}
