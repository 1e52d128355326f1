import type { ReactNode } from 'react';
import { cn } from '../cn.ts';

/** The header of a page: title, description, and actions as children. */
export function PageHeader({
  title,
  text,
  children,
  className,
}: {
  title: ReactNode;
  text?: ReactNode;
  /** Buttons or links. */
  children?: ReactNode;
  className?: string;
}) {
  return (
    <header className={cn('mb-6 flex flex-wrap items-end justify-between gap-4', className)}>
      <div className="grid gap-1.5">
        <h1 className="text-2xl">{title}</h1>
        {text && <p className="max-w-prose text-ink-soft">{text}</p>}
      </div>
      {children && (
        <div className="flex flex-wrap items-center gap-3 max-sm:w-full">{children}</div>
      )}
    </header>
  );
}
