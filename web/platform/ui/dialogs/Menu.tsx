import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { cn } from '../cn.ts';
import { useDirection } from '../direction.ts';

/**
 * A dropdown menu of links and actions. `trigger` is one element that takes a ref, such as a `Button`.
 */
export function Menu({
  trigger,
  label,
  align = 'end',
  children,
  defaultOpen = false,
}: {
  trigger: ReactNode;
  /** The accessible name. */
  label: string;
  align?: 'start' | 'end';
  children: ReactNode;
  defaultOpen?: boolean;
}) {
  return (
    // Not modal, because Radix would block scrolling with a <style> element, which the policy forbids.
    <DropdownMenu.Root dir={useDirection()} modal={false} defaultOpen={defaultOpen}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={12}
          className="z-50 min-w-48 rounded border border-hairline bg-raised p-1.5 text-ink shadow-float animate-pop-in outline-none"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const itemClass = cn(
  'flex w-full cursor-pointer select-none items-center gap-2.5 rounded-xs px-3 py-2 text-start text-sm outline-none',
  'data-highlighted:bg-leaf-soft data-highlighted:text-leaf-ink',
  'pointer-coarse:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0',
);

/** A link in a menu. */
export function MenuLink({
  href,
  icon,
  children,
}: {
  href: string;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <DropdownMenu.Item asChild>
      <Link href={href} className={itemClass}>
        {icon}
        {children}
      </Link>
    </DropdownMenu.Item>
  );
}

/** An action in a menu. */
export function MenuItem({
  onSelect,
  icon,
  children,
}: {
  onSelect: () => void;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <DropdownMenu.Item onSelect={onSelect} className={itemClass}>
      {icon}
      {children}
    </DropdownMenu.Item>
  );
}

/** A line between groups of menu items. */
export function MenuSeparator() {
  return <DropdownMenu.Separator className="my-1.5 h-px bg-hairline" />;
}
