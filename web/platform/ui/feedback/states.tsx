import { RotateCw } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { onReturn } from '../../api/connection.ts';
import { Drawing, type DrawingName } from '../art/Drawing.tsx';
import { cn } from '../cn.ts';
import { Button } from '../primitives/Button.tsx';

/** Replaces an empty list: a drawing, a title, a text, and the next step as children. */
export function EmptyState({
  drawing,
  title,
  level = 2,
  text,
  children,
}: {
  drawing: DrawingName;
  title: ReactNode;
  /** A sentence about the next step. */
  text?: ReactNode;
  /** The heading level of the title. */
  level?: 1 | 2 | 3;
  /** Buttons or links. */
  children?: ReactNode;
}) {
  const Heading = `h${level}` as const;
  return (
    <div className="grid justify-items-center gap-2 px-4 py-10 text-center">
      <Drawing name={drawing} />
      <Heading className="mt-2 font-display text-lg font-semibold">{title}</Heading>
      {text && <p className="max-w-prose text-ink-soft">{text}</p>}
      {children && <div className="mt-3 flex flex-wrap justify-center gap-3">{children}</div>}
    </div>
  );
}

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
  const retry = useEffectEvent(() => {
    if (!pending) onRetry?.();
  });
  const isTemporary = error instanceof ApiError && error.isTemporary;
  useEffect(() => (isTemporary ? onReturn(() => retry()) : undefined), [isTemporary]);
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
