import { ArrowLeft, Pencil, Trash2 } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { t } from '#contract/platform/text/constants/texts';
import { cn } from '../cn.ts';
import { Button } from './Button.tsx';

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

/** The header of a page: title, description, and actions as children. */
export function PageHeader({
  title,
  text,
  children,
}: {
  title: ReactNode;
  text?: ReactNode;
  /** Buttons or links. */
  children?: ReactNode;
}) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-4">
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

/** A link back to the parent page. */
export function BackLink({
  href,
  children,
  className,
}: {
  href: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <Link
      href={href}
      className={cn(
        'mb-4 inline-flex min-h-9 items-center gap-1.5 rounded text-sm font-medium text-leaf hover:text-leaf-strong pointer-coarse:min-h-11',
        className,
      )}
    >
      <ArrowLeft className="size-4" />
      {children}
    </Link>
  );
}

/** The buttons of a row that can be edited and removed; `name` tells its buttons from those of other rows. */
export const RowActions = ({
  name,
  onEdit,
  onRemove,
}: {
  name: string;
  onEdit: () => void;
  onRemove: () => void;
}) => (
  <>
    <Button
      variant="quiet"
      size="sm"
      icon={<Pencil />}
      aria-label={t('Edit {name}', { name })}
      onClick={onEdit}
    >
      {t('Edit')}
    </Button>
    <Button
      variant="danger-quiet"
      size="sm"
      icon={<Trash2 />}
      aria-label={t('Remove {name}', { name })}
      onClick={onRemove}
    >
      {t('Remove')}
    </Button>
  </>
);
