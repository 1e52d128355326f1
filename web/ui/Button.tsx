import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import { cn } from './cn.ts';
import { Spinner } from './Spinner.tsx';

/** How loudly a button speaks: one `primary` in a view, `secondary` beside it, `quiet` in rows. */
export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger' | 'danger-quiet';
/** `sm` in tables, `md` by default, `lg` for the main act of a page, `icon` for a square. */
export type ButtonSize = 'sm' | 'md' | 'lg' | 'icon';

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-leaf text-on-leaf hover:bg-leaf-strong',
  secondary: 'border border-outline bg-surface text-ink hover:bg-sunken',
  quiet: 'text-leaf hover:bg-leaf-soft hover:text-leaf-ink',
  danger: 'bg-tomato text-on-tomato hover:bg-tomato-strong',
  'danger-quiet': 'text-tomato hover:bg-tomato-soft hover:text-tomato-ink',
};

const sizes: Record<ButtonSize, string> = {
  sm: 'min-h-8 px-3 py-1 text-sm gap-1.5',
  md: 'min-h-10 px-4 py-2 text-sm gap-2',
  lg: 'min-h-12 px-6 py-3 text-base gap-2.5',
  icon: 'size-10 gap-0',
};

/** The classes of a button, for the rare element that must look like one and is not. */
export function buttonClass(variant: ButtonVariant = 'primary', size: ButtonSize = 'md'): string {
  return cn(
    'relative inline-flex select-none items-center justify-center rounded text-center font-medium',
    'transition-colors duration-150 disabled:cursor-not-allowed disabled:opacity-55',
    'aria-disabled:cursor-not-allowed pointer-coarse:min-h-11 pointer-coarse:min-w-11',
    variants[variant],
    sizes[size],
  );
}

export type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  /** Work is under way: shows a wheel, keeps its place and the focus, and ignores presses. */
  pending?: boolean | undefined;
  /** Words while pending, for example 'Signing in...'. Without them the label stays. */
  pendingLabel?: ReactNode;
  /** A lucide icon before the words. */
  icon?: ReactNode;
};

/** A button. It is of type `button` unless told otherwise, so it never submits by accident. */
export function Button({
  variant,
  size,
  pending = false,
  pendingLabel,
  icon,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // Not `disabled` while pending: that would throw the keyboard's focus away.
    if (pending) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type}
      onClick={press}
      aria-busy={pending || undefined}
      aria-disabled={pending || rest['aria-disabled'] || undefined}
      className={cn(buttonClass(variant, size), pending && 'opacity-80', className)}
    >
      {pending ? <Spinner className="size-4" /> : <Glyph>{icon}</Glyph>}
      {pending && pendingLabel !== undefined ? pendingLabel : children}
    </button>
  );
}

export type LinkButtonProps = Omit<ComponentProps<'a'>, 'href'> & {
  href: string;
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  icon?: ReactNode;
};

/** A link to another page of the market that looks like a button. */
export function LinkButton({
  href,
  variant,
  size,
  icon,
  className,
  children,
  ...rest
}: LinkButtonProps) {
  return (
    <Link {...rest} href={href} className={cn(buttonClass(variant, size), className)}>
      <Glyph>{icon}</Glyph>
      {children}
    </Link>
  );
}

function Glyph({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <span aria-hidden="true" className="inline-flex shrink-0 [&>svg]:size-[1.15em]">
      {children}
    </span>
  );
}
