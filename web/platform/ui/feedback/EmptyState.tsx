import type { ReactNode } from 'react';
import { Drawing, type DrawingName } from '../art/Drawing.tsx';
import { cn } from '../cn.ts';

/** Replaces an empty list: a drawing, a title, a text, and the next step as children. */
export function EmptyState({
  drawing,
  title,
  level = 2,
  className,
  text,
  children,
}: {
  drawing: DrawingName;
  title: ReactNode;
  /** A sentence about the next step. */
  text?: ReactNode;
  /** The heading level of the title. */
  level?: 1 | 2 | 3;
  className?: string;
  /** Buttons or links. */
  children?: ReactNode;
}) {
  const Heading = `h${level}` as const;
  return (
    <div className={cn('grid justify-items-center gap-2 px-4 py-10 text-center', className)}>
      <Drawing name={drawing} />
      <Heading className="mt-2 font-display text-lg font-semibold">{title}</Heading>
      {text && <p className="max-w-prose text-ink-soft">{text}</p>}
      {children && <div className="mt-3 flex flex-wrap justify-center gap-3">{children}</div>}
    </div>
  );
}
