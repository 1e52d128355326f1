import { Ban, CircleCheck, CircleX, Clock, LoaderCircle, PackageCheck } from 'lucide-react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import { type Message, msg, writeMessage } from '#contract/platform/text/constants/texts';
import { capitalized } from '../../format/format.ts';
import { useChangeCount } from '../../queries/use-changes.ts';
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
      className={cn('size-5 shrink-0 animate-spin motion-reduce:animate-none', className)}
    />
  );
}

/** The background and text classes of each tone. */
export const toneClass = {
  neutral: 'bg-sunken text-ink-soft',
  leaf: 'bg-leaf-soft text-leaf-ink',
  tomato: 'bg-tomato-soft text-tomato-ink',
  straw: 'bg-straw-soft text-straw-ink',
  orange: 'bg-orange-soft text-orange-ink',
  sky: 'bg-sky-soft text-sky-ink',
};
/** The colour of a badge. Its text must convey the same meaning. */
export type Tone = keyof typeof toneClass;

/** A short label. */
export function Badge({
  tone = 'neutral',
  icon,
  className,
  children,
}: {
  tone?: Tone;
  /** A lucide icon, so that the meaning does not depend on colour alone. */
  icon?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <span
      className={cn(
        // The baseline of the text, not of the icon, aligns with the text beside the badge.
        'inline-flex items-baseline gap-1 whitespace-nowrap rounded-full border border-transparent px-2.5 py-px text-xs font-medium',
        '[&>svg]:size-[1.15em] [&>svg]:shrink-0 [&>svg]:self-center',
        toneClass[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  );
}

/** The count on an icon, at most '99+'. Renders nothing for 0. */
export function CountBadge({ value, className }: { value: number; className?: string }) {
  if (value <= 0) return null;
  return (
    <span
      className={cn(
        'tabular inline-grid h-5 min-w-5 place-items-center rounded-full border border-transparent bg-tomato px-[3px] text-xs font-semibold text-on-tomato',
        className,
      )}
    >
      <span key={value} className="animate-tick">
        {value > 99 ? '99+' : value}
      </span>
    </span>
  );
}

/** The tone and icon of each order status. */
export const statusStyle = {
  pending: { tone: 'sky', icon: Clock },
  accepted: { tone: 'leaf', icon: CircleCheck },
  completed: { tone: 'leaf', icon: PackageCheck },
  rejected: { tone: 'tomato', icon: CircleX },
  cancelled: { tone: 'tomato', icon: Ban },
} as const;

/** The statuses an order can have. */
export type OrderStatus = keyof typeof statusStyle;

/** Returns the tone and icon of a status, also of one that only a newer release knows. */
export const styleOf = (status: OrderStatus) =>
  statusStyle[status] ?? ({ tone: 'neutral', icon: Clock } as const);

const STATUS_NAMES: Readonly<Record<OrderStatus, Message>> = {
  pending: msg('Pending'),
  accepted: msg('Accepted'),
  completed: msg('Completed'),
  rejected: msg('Rejected'),
  cancelled: msg('Cancelled'),
};

/** Returns the name of a status: 'Pending'. */
export const statusName = (status: OrderStatus): string =>
  writeMessage(STATUS_NAMES[status] ?? capitalized(status));

/** An order's status as colour, icon and word, animated when it changes. */
export function StatusBadge({ status, className }: { status: OrderStatus; className?: string }) {
  const changes = useChangeCount(status);
  const { tone, icon: Icon } = styleOf(status);
  return (
    <span key={changes} className={cn('inline-block', changes > 0 && 'animate-turn')}>
      <Badge tone={tone} icon={<Icon />} className={className}>
        {statusName(status)}
      </Badge>
    </span>
  );
}
