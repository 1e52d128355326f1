import type { UseQueryResult } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Info, RotateCw, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { onReturn } from '../../api/connection.ts';
import { Drawing, type DrawingName } from '../art/Drawing.tsx';
import { cn } from '../cn.ts';
import { Button, toneClass } from '../primitives/Button.tsx';

const styles = {
  error: { tone: 'tomato', icon: CircleAlert, role: 'alert' },
  warning: { tone: 'straw', icon: TriangleAlert, role: 'status' },
  success: { tone: 'leaf', icon: CircleCheck, role: 'status' },
  info: { tone: 'sky', icon: Info, role: 'status' },
} as const;

/** A message in a coloured box. Errors are announced by screen readers. */
export function Alert({
  kind,
  className,
  children,
}: {
  kind: keyof typeof styles;
  className?: string | undefined;
  children: ReactNode;
}) {
  const { tone, icon: Icon, role } = styles[kind];
  return (
    <div
      role={role}
      className={cn(
        'flex items-start gap-2.5 rounded px-4 py-3 text-sm',
        toneClass[tone],
        className,
      )}
    >
      <Icon className="mt-0.5 size-[1.15em] shrink-0" />
      <div className="min-w-0 grow">{children}</div>
    </div>
  );
}

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
            {t('Try again')}
          </Button>
        )}
        {children}
      </div>
    </div>
  );
}

/** A grey placeholder while content loads. Width and height are set by classes. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cn('skeleton block h-4 w-full', className)} />;
}

/** Announces to screen readers that its content is loading. */
export function Loading({
  label = t('Loading'),
  isContinued = false,
  className,
  children,
}: {
  label?: string;
  /** Follows another placeholder: it is there at once, so that nothing blinks. */
  isContinued?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div role="status" className={cn(!isContinued && 'animate-late', className)}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}

/** A placeholder for lines of text. */
export function SkeletonText({ lines = 3, className }: { lines?: number; className?: string }) {
  return (
    <span aria-hidden="true" className={cn('grid gap-2.5', className)}>
      {rangeTo(lines).map((line) => (
        <Skeleton key={line} className={cn('h-3.5', line === lines && lines > 1 && 'w-3/5')} />
      ))}
    </span>
  );
}

/** A placeholder for a grid of cards with a picture each: of a `ProductGrid` by default. */
export function SkeletonCards({
  cards = 8,
  gridClass = 'grid grid-cols-2 gap-4 md:grid-cols-3 lg:grid-cols-4',
  pictureClass = 'aspect-square',
}: {
  cards?: number;
  gridClass?: string;
  pictureClass?: string;
}) {
  return (
    <Loading className={gridClass}>
      {rangeTo(cards).map((card) => (
        <div
          key={card}
          aria-hidden="true"
          className="overflow-hidden rounded border border-hairline bg-surface"
        >
          <Skeleton className={cn('h-auto w-full rounded-none', pictureClass)} />
          <div className="grid gap-3 p-4">
            <Skeleton className="h-5 w-3/4" />
            <Skeleton className="w-1/3" />
            <Skeleton className="h-3.5 w-1/2" />
          </div>
        </div>
      ))}
    </Loading>
  );
}

/** A placeholder for the rows of a table or list. */
export function SkeletonRows({ rows = 5, className }: { rows?: number; className?: string }) {
  return (
    <Loading className={cn('divide-y divide-hairline', className)}>
      {rangeTo(rows).map((row) => (
        <div key={row} aria-hidden="true" className="flex items-center gap-4 py-4">
          <Skeleton className="size-10 shrink-0 rounded-full" />
          <span className="grid grow gap-2">
            <Skeleton className="w-2/5" />
            <Skeleton className="h-3 w-3/5" />
          </span>
          <Skeleton className="hidden w-16 sm:block" />
        </div>
      ))}
    </Loading>
  );
}

const rangeTo = (to: number) => Array.from({ length: to }, (_, index) => index + 1);

/** Shows what was fetched, its skeleton, or why it failed. What is there stays, whatever a later fetch does. */
export function Fetched<Data>({
  query: { data, error, refetch, isFetching },
  skeleton,
  errorClass,
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch' | 'isFetching'>;
  skeleton: ReactNode;
  errorClass?: string;
  children: (data: Data) => ReactNode;
}) {
  if (data !== undefined) return children(data);
  if (!error) return skeleton;
  return (
    <ErrorState
      error={error}
      onRetry={refetch}
      pending={isFetching}
      {...(errorClass && { className: errorClass })}
    />
  );
}
