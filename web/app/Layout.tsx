import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useAuth } from '../auth/use-auth.ts';
import type { Connection } from '../lib/connection.ts';
import { useTheme } from '../lib/theme.ts';
import { cn } from '../ui/cn.ts';
import { CountBadge } from '../ui/primitives/Badge.tsx';
import { ToasterHost } from '../ui/primitives/ToasterHost.tsx';
import { Footer } from './Footer.tsx';
import { NavBar } from './NavBar.tsx';
import { type Counts, farmerBarItems, isCurrentPath } from './navigation.ts';

/**
 * The layout of every page: navigation bar, page, footer, and a bottom bar for farmers on phones.
 * `bell` shows the notifications; `counts` are the badge numbers of navigation items by path.
 */
export function Layout({
  connection,
  bell,
  counts = {},
  children,
}: {
  connection: Connection;
  bell?: ReactNode;
  counts?: Counts;
  children: ReactNode;
}) {
  const { user } = useAuth();
  useTheme();
  const isFarmer = user?.role === 'farmer';
  return (
    <div className={cn('flex min-h-dvh flex-col', isFarmer && 'pb-16 sm:pb-0')}>
      <a
        href="#main"
        data-print="hide"
        className="fixed left-2 top-2 z-50 -translate-y-20 inline-flex min-h-11 items-center rounded bg-leaf px-4 text-sm font-medium text-on-leaf focus:translate-y-0"
      >
        Skip to content
      </a>
      <NavBar connection={connection} bell={bell} counts={counts} />
      <main id="main" tabIndex={-1} className="grow">
        {children}
      </main>
      <Footer />
      {isFarmer && <FarmerBar counts={counts} />}
      <ToasterHost />
    </div>
  );
}

function FarmerBar({ counts }: { counts: Counts }) {
  const [path] = useLocation();
  return (
    <nav
      aria-label="Farm"
      data-print="hide"
      className="fixed inset-x-0 bottom-0 z-30 border-t border-hairline bg-raised pb-[env(safe-area-inset-bottom)] sm:hidden"
    >
      <ul className="grid grid-cols-4">
        {farmerBarItems.map(({ href, label, icon: Icon }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={isCurrentPath(href, path) ? 'page' : undefined}
              className="grid min-h-16 place-content-center justify-items-center gap-1 text-xs font-medium text-ink-soft focus-visible:outline-offset-[-3px] aria-[current=page]:text-leaf"
            >
              <span className="relative">
                <Icon aria-hidden="true" className="size-6" />
                <CountBadge value={counts[href] ?? 0} className="absolute -right-3 -top-2" />
              </span>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
