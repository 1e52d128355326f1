import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn.ts';

/** A sheet on the page: one hairline, no shadow. `as` chooses the element it is. */
export function Card({
  as: As = 'div',
  className,
  ...rest
}: ComponentProps<'div'> & { as?: 'div' | 'section' | 'article' | 'aside' | 'li' }) {
  const Element = As as 'div';
  return (
    <Element {...rest} className={cn('rounded border border-hairline bg-surface p-5', className)} />
  );
}

/** The head of a card: its name, and what one can do with the whole of it. */
export function CardHeader({
  title,
  id,
  children,
  className,
}: {
  title: ReactNode;
  id?: string;
  children?: ReactNode;
  className?: string;
}) {
  return (
    <div
      className={cn('mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2', className)}
    >
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      {children}
    </div>
  );
}
