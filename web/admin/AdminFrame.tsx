import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { cn } from '../ui/cn.ts';
import { Button } from '../ui/primitives/Button.tsx';
import { useOpenQueues } from './queries.ts';

const adminPages = [
  { href: '/admin/dashboard', label: 'Dashboard' },
  { href: '/admin/orders', label: 'Orders' },
  { href: '/admin/users', label: 'Users' },
  { href: '/admin/categories', label: 'Categories' },
] as const;

/** The layout of every admin page with the admin navigation. */
export function AdminFrame({
  title,
  actions,
  wide = false,
  children,
}: {
  title: string;
  /** Actions of the page. */
  actions?: ReactNode;
  /** Uses the whole width of a desktop. */
  wide?: boolean;
  children: ReactNode;
}) {
  const [path] = useLocation();
  const queues = useOpenQueues();
  return (
    <div className={cn('wrap py-3', wide && 'max-w-[100rem]')}>
      <header className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h1 className="text-xl">{title}</h1>
        <div className="flex min-w-0 flex-wrap items-center gap-3">
          {actions}
          <nav aria-label="Admin" className="min-w-0">
            <ul className="-mx-1 flex items-center gap-1 overflow-x-auto px-1 py-1">
              {adminPages.map(({ href, label }) => (
                <li key={href}>
                  <Link
                    href={href}
                    aria-current={path === href ? 'page' : undefined}
                    className="inline-flex min-h-9 items-center rounded px-3 text-sm font-medium text-ink-soft hover:bg-sunken hover:text-ink aria-[current=page]:bg-leaf-soft aria-[current=page]:text-leaf-ink pointer-coarse:min-h-11"
                  >
                    {label}
                  </Link>
                </li>
              ))}
              <li>
                <Button
                  variant="quiet"
                  pending={queues.isPending}
                  onClick={() => queues.mutate()}
                  className="min-h-9 px-3 text-ink-soft hover:bg-sunken hover:text-ink"
                >
                  Queues
                </Button>
              </li>
            </ul>
          </nav>
        </div>
      </header>
      {children}
    </div>
  );
}
