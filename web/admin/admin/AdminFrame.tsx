import { UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../../platform/ui/cn.ts';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { useOpenQueues } from './queries.ts';

/** The layout of every admin page: its title, its actions, and the ways to the job queues and to the admin's own account. */
export function AdminFrame({
  title,
  actions,
  aside,
  wide = false,
  children,
}: {
  title: ReactNode;
  /** Actions of the page. */
  actions?: ReactNode;
  /** A way to elsewhere, beside those that every page has. */
  aside?: ReactNode;
  /** Uses the whole width of a desktop. */
  wide?: boolean;
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
            aside !== undefined && 'max-sm:-mr-1 max-sm:gap-0',
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
            Queues
          </Button>
          <LinkButton
            href="/admin/security"
            variant="quiet"
            size="icon"
            aria-label="Your account"
            icon={<UserRound />}
            // With forced colours both buttons have a border.
            className="-ml-3 size-9 text-ink-soft forced-colors:ml-0 hover:bg-sunken hover:text-ink"
          />
        </div>
      </header>
      {children}
    </div>
  );
}
