import { LoaderCircle } from 'lucide-react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import { cn } from '../cn.ts';

// Forced colours draw each border, the transparent ones too, and no background.
/** The emphasis of a button: one `primary` per view, `secondary` beside it, `quiet` in rows. */
const variants = {
  primary: 'border-transparent bg-leaf text-on-leaf hover:bg-leaf-strong',
  secondary: 'border-outline bg-surface text-ink hover:bg-sunken',
  quiet: 'border-transparent text-leaf hover:bg-leaf-soft hover:text-leaf-ink',
  danger: 'border-transparent bg-tomato text-on-tomato hover:bg-tomato-strong',
  'danger-quiet': 'border-transparent text-tomato hover:bg-tomato-soft hover:text-tomato-ink',
};

/** `sm` in tables, `md` by default, `lg` for the main action of a page, `icon` for a square. */
const sizes = {
  sm: 'min-h-8 px-3 py-1 text-sm gap-1.5',
  md: 'min-h-10 px-4 py-2 text-sm gap-2',
  lg: 'min-h-12 px-6 py-3 text-base gap-2.5',
  icon: 'size-10 gap-0',
};

type Look = {
  variant?: keyof typeof variants | undefined;
  size?: keyof typeof sizes | undefined;
  /** A lucide icon before the label. */
  icon?: ReactNode;
};

/** Returns the classes of a button, for other elements that must look like one. */
function buttonClass({ variant = 'primary', size = 'md' }: Look): string {
  return cn(
    'relative inline-flex select-none items-center justify-center rounded border text-center font-medium',
    'transition-colors duration-150 disabled:cursor-not-allowed disabled:opacity-55',
    'aria-disabled:cursor-not-allowed pointer-coarse:min-h-11 pointer-coarse:min-w-11',
    variants[variant],
    sizes[size],
  );
}

export type ButtonProps = ComponentProps<'button'> &
  Look & {
    /** Shows a spinner, keeps the focus and ignores clicks. */
    pending?: boolean | undefined;
    /** The label while pending, for example 'Signing in...'; by default the normal label. */
    pendingLabel?: ReactNode;
  };

/** A button, of type `button` by default so that it never submits a form by accident. */
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
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    // Not `disabled` while pending, because a disabled button loses the focus.
    if (pending) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type}
      onClick={handleClick}
      aria-busy={pending || undefined}
      aria-disabled={pending || rest['aria-disabled'] || undefined}
      className={cn(buttonClass({ variant, size }), pending && 'opacity-80', className)}
    >
      {pending ? <Spinner className="size-4" /> : <ButtonIcon>{icon}</ButtonIcon>}
      {pending && pendingLabel !== undefined ? pendingLabel : children}
    </button>
  );
}

export type LinkButtonProps = Omit<ComponentProps<'a'>, 'href'> & Look & { href: string };

/** A link to another page that looks like a button. */
export function LinkButton({ variant, size, icon, className, children, ...rest }: LinkButtonProps) {
  return (
    <Link {...rest} className={cn(buttonClass({ variant, size }), className)}>
      <ButtonIcon>{icon}</ButtonIcon>
      {children}
    </Link>
  );
}

/** A link out of the client, to another site or program, that looks like a button. */
export function OutsideLinkButton({
  variant,
  icon,
  children,
  ...rest
}: Omit<LinkButtonProps, 'size' | 'className'>) {
  return (
    <a {...rest} className={buttonClass({ variant })}>
      <ButtonIcon>{icon}</ButtonIcon>
      {children}
    </a>
  );
}

function ButtonIcon({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <span aria-hidden="true" className="inline-flex shrink-0 [&>svg]:size-[1.15em]">
      {children}
    </span>
  );
}

/** A decorative spinner; a text nearby must say what is loading. */
export function Spinner({ className }: { className?: string }) {
  return (
    <LoaderCircle
      aria-hidden="true"
      className={cn('size-5 shrink-0 animate-spin motion-reduce:animate-none', className)}
    />
  );
}
