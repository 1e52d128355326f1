import { UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { Role } from '#contract/platform/http/http';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { cn } from '../../platform/ui/cn.ts';
import { useShownChoice } from '../../platform/ui/lists/FilterBar.tsx';
import { Button, LinkButton, type Tone } from '../../platform/ui/primitives/Button.tsx';
import { useOpenQueues } from './queries.ts';

/** Returns the address of the case of an order: all that admins know of it. */
export const adminOrderHref = ({ _id }: { _id: string }): string => `/admin/orders/${_id}`;

/** Returns the address of a person's page for admins. */
export const adminUserHref = ({ _id }: { _id: string }): string => `/admin/users/${_id}`;

/** Returns the address where admins edit and hide a product. */
export const adminProductHref = ({ _id }: { _id: string }): string => `/admin/products/${_id}`;

/** The colour of each role's badge. */
export const roleTone: Record<Role, Tone> = { consumer: 'leaf', farmer: 'straw', admin: 'sky' };

/** The pages about the market as a whole, in the order in which they are shown: one line for each. */
export const marketTabs: readonly { href: string; label: Message }[] = [
  { href: '/admin/market', label: msg('Settings') },
  { href: '/admin/pages', label: msg('Pages') },
  { href: '/admin/farms', label: msg('Farms') },
  { href: '/admin/reports', label: msg('Reports') },
  { href: '/admin/health', label: msg('Health') },
  { href: '/admin/audit', label: msg('Audit') },
];

/**
 * The layout of every admin page: its title, its actions, and the ways to the job queues and to the admin's own
 * account.
 */
export function AdminFrame({
  title,
  actions,
  aside,
  wide = false,
  isOfMarket = false,
  children,
}: {
  title: ReactNode;
  /** Actions of the page. */
  actions?: ReactNode;
  /** A way to elsewhere, beside those that every page has. */
  aside?: ReactNode;
  /** Uses the whole width of a desktop. */
  wide?: boolean;
  /** Is one of the pages about the market as a whole, which have links to each other. */
  isOfMarket?: boolean;
  children: ReactNode;
}) {
  const queues = useOpenQueues();
  return (
    <div className={cn('wrap py-3', wide && 'wrap-wide')}>
      <header
        className={cn(
          'mb-3 flex items-center justify-between gap-x-4 gap-y-2',
          // A name that takes the place of the title while loading moves nothing to another line.
          actions !== undefined && 'flex-wrap',
        )}
      >
        <h1 className="min-w-0 text-xl wrap-anywhere">{title}</h1>
        <div
          className={cn(
            'flex items-center gap-3',
            aside !== undefined && 'max-sm:-me-1 max-sm:gap-0',
            actions !== undefined && 'min-w-0 flex-wrap',
          )}
        >
          {actions}
          {aside}
          <Button
            variant="quiet"
            pending={queues.isPending}
            onClick={() => queues.mutate()}
            className="min-h-9 px-3 text-ink-soft hover:bg-sunken hover:text-ink"
          >
            {t('Queues')}
          </Button>
          <LinkButton
            href="/admin/security"
            variant="quiet"
            size="icon"
            aria-label={t('Your account')}
            icon={<UserRound />}
            // With forced colours both buttons have a border.
            className="-ms-3 size-9 text-ink-soft forced-colors:ms-0 hover:bg-sunken hover:text-ink"
          />
        </div>
      </header>
      {isOfMarket && <MarketTabs />}
      {children}
    </div>
  );
}

/**
 * The links between the pages about the market as a whole. Where they do not fit the row scrolls to the current one.
 */
function MarketTabs() {
  const [path] = useLocation();
  const row = useShownChoice('[aria-current="page"]', path);
  return (
    <nav aria-label={t('Market pages')} className="mb-5">
      <div ref={row} className="overflow-x-auto border-b border-hairline [scrollbar-width:none]">
        <ul className="flex gap-1">
          {marketTabs.map(({ href, label }) => (
            <li key={href}>
              <Link
                href={href}
                aria-current={path === href || path.startsWith(`${href}/`) ? 'page' : undefined}
                className="-mb-px inline-flex min-h-11 items-center whitespace-nowrap rounded-t border-b-2 border-transparent px-4 py-2 text-sm font-medium text-ink-soft hover:text-ink focus-visible:outline-offset-[-2px] aria-[current=page]:border-leaf aria-[current=page]:text-leaf"
              >
                {writeMessage(label)}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}
