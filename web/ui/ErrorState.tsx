import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorSentence } from '../lib/api-error.ts';
import { Button } from './Button.tsx';
import { cn } from './cn.ts';
import { Drawing } from './Drawing.tsx';

/** Where something should have been: what happened, and a button to try again. */
export function ErrorState({
  error,
  onRetry,
  pending,
  className,
  children,
}: {
  error: unknown;
  onRetry?: (() => unknown) | undefined;
  /** The retry is under way. */
  pending?: boolean | undefined;
  className?: string;
  /** Another way out, such as a link back. */
  children?: ReactNode;
}) {
  return (
    <div className={cn('grid justify-items-center gap-3 px-4 py-10 text-center', className)}>
      <Drawing name="broken" />
      <p role="alert" className="max-w-prose text-ink">
        {errorSentence(error)}
      </p>
      <div className="mt-1 flex flex-wrap justify-center gap-3">
        {onRetry && (
          <Button
            variant="secondary"
            icon={<RotateCw />}
            pending={pending ?? false}
            onClick={() => onRetry()}
          >
            Try again
          </Button>
        )}
        {children}
      </div>
    </div>
  );
}
