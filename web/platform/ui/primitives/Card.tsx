import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../cn.ts';

/** A bordered box. `as` sets the element. */
export function Card({
  as: As = 'div',
  className,
  ...rest
}: ComponentProps<'div'> & { as?: 'div' | 'section' | 'article' | 'aside' | 'li' }) {
  const Element = As as 'div';
  return (
    <Element
      data-card=""
      {...rest}
      className={cn('rounded border border-hairline bg-surface p-5', className)}
    />
  );
}

/** The header of a card: its title, and actions as children. */
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
