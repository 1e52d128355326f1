import { RotateCw } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { onReturn } from '../../hooks/on-return.ts';
import { useStableCallback } from '../../hooks/use-stable-callback.ts';
import { Drawing } from '../art/Drawing.tsx';
import { cn } from '../cn.ts';
import { Button } from '../primitives/Button.tsx';

/**
 * Replaces content that failed to load: the error message and a retry button. What failed for want of an
 * answer is tried again by itself when the connection is back.
 */
export function ErrorState({
  error,
  onRetry,
  pending,
  className,
  children,
}: {
  error: unknown;
  onRetry?: (() => unknown) | undefined;
  /** A retry is running. */
  pending?: boolean | undefined;
  className?: string;
  /** Further actions, such as a link back. */
  children?: ReactNode;
}) {
  const retry = useStableCallback(() => {
    if (!pending) onRetry?.();
  });
  const isTemporary = error instanceof ApiError && error.isTemporary;
  useEffect(() => (isTemporary ? onReturn(retry) : undefined), [isTemporary, retry]);
  return (
    <div className={cn('grid justify-items-center gap-3 px-4 py-10 text-center', className)}>
      <Drawing name="broken" />
      <p role="alert" className="max-w-prose text-ink">
        {errorMessage(error)}
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
