import type { ReactNode } from 'react';
import { cn } from './cn.ts';
import { Drawing, type DrawingName } from './Drawing.tsx';

/** Where there is nothing yet: a small drawing, the words, and the next step as children. */
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
  /** What to do about it, in a sentence. */
  text?: ReactNode;
  /** Which heading the title is, so that the page's outline stays whole. */
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
