import { useAtomValue } from 'jotai';
import {
  ChevronDown,
  History,
  Menu as MenuIcon,
  Radio,
  RefreshCw,
  ShoppingBasket,
  WifiOff,
  X,
} from 'lucide-react';
import { type ComponentProps, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { User } from '#contract/people/users/users';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { cartCountAtom } from '../../ordering/cart/rules.ts';
import {
  type Connection,
  connectionAtom,
  hasConnectionLine,
  isUpToDate,
} from '../../platform/api/connection.ts';
import { firstWord, formatInstant, formatTime, localToday } from '../../platform/format/format.ts';
import { useMarket } from '../../platform/format/market.ts';
import { listen } from '../../platform/hooks/listen.ts';
import { asOfAtom } from '../../platform/offline/kept-reads.ts';
import { useAuth } from '../../platform/session/session.ts';
import { Logo } from '../../platform/ui/art/Drawing.tsx';
import { cn } from '../../platform/ui/cn.ts';
import { lazyWithRetry, optional } from '../../platform/ui/lazy-with-retry.tsx';
import { Button, CountBadge, LinkButton, toneClass } from '../../platform/ui/primitives/Button.tsx';
import { Avatar } from '../../platform/ui/primitives/Picture.tsx';
import { isCurrentPath, mainItems } from './navigation.ts';
import { SmallMenu } from './SmallMenu.tsx';

const Bell = optional(() => import('./Bell.tsx'), <span className="size-11" />);
const UserMenu = lazyWithRetry(() => import('./UserMenu.tsx'));
const SignedInItems = lazyWithRetry(() => import('./SignedInItems.tsx'));

/** The navigation bar at the top of every page. */
export function NavBar({
  hasRail,
}: {
  /** Uses the whole width, so that the bar begins where the rail below it does. */
  hasRail: boolean;
}) {
  const [path] = useLocation();
  const { user } = useAuth();
  const connection = useAtomValue(connectionAtom);
  const hasLine = hasConnectionLine(connection, user !== null);
  const market = useMarket();
  const [openAt, setOpenAt] = useState<string | null>(null);
  // The menu belongs to the path it was opened on, so navigation closes it.
  const isOpen = openAt === path;
  const toggle = useRef<HTMLButtonElement>(null);
  // What is pressed before the menu's file is there opens it then.
  const [isMenuWanted, setMenuWanted] = useState(false);

  useEffect(() => {
    if (!isOpen) return;
    return listen<KeyboardEvent>(document, ['keydown'], ({ key }) => {
      if (key !== 'Escape') return;
      setOpenAt(null);
      toggle.current?.focus();
    });
  }, [isOpen]);

  const isSignedIn = user !== null;
  useEffect(() => {
    if (isSignedIn) void SignedInItems.preload();
  }, [isSignedIn]);

  return (
    <header
      data-print="hide"
      className="sticky top-0 z-30 border-b border-hairline bg-paper/95 backdrop-blur-xs"
    >
      <div
        className={cn(
          'first-bar wrap flex h-[calc(4rem-1px)] items-center gap-2 md:gap-6',
          hasRail && 'sm:max-w-none sm:px-5',
        )}
      >
        <Link href="/" className="-ms-1 flex min-w-0 items-center gap-2 rounded px-1 py-2">
          <Logo className="size-8" />
          <span dir="auto" className="truncate font-display text-lg font-semibold tracking-tight">
            {market.name}
          </span>
        </Link>

        <nav aria-label={t('Main')} className="hidden grow md:block">
          <ul className="flex items-center gap-1">
            {mainItems.map((item) => (
              <li key={item.href}>
                <Link
                  href={item.href}
                  aria-current={isCurrentPath(item.href, path) ? 'page' : undefined}
                  className={cn(
                    'relative inline-flex min-h-10 items-center rounded px-3 text-sm font-medium text-ink-soft hover:text-ink',
                    'aria-[current=page]:text-ink',
                    'after:absolute after:inset-x-3 after:bottom-1 after:h-0.5 after:rounded-full aria-[current=page]:after:bg-straw',
                  )}
                >
                  {writeMessage(item.label)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>

        <div className="ms-auto flex shrink-0 items-center gap-1 sm:gap-2">
          {(user || connection.state === 'offline') && (
            <ConnectionBadge connection={connection} className="hidden lg:inline-flex" />
          )}
          {user?.role === 'consumer' && <CartLink />}
          {user && <Bell />}
          {user ? (
            <div className="hidden md:block">
              <Suspense
                fallback={
                  <UserButton
                    user={user}
                    aria-haspopup="menu"
                    onClick={() => setMenuWanted(true)}
                  />
                }
              >
                <UserMenu
                  user={user}
                  trigger={<UserButton user={user} />}
                  defaultOpen={isMenuWanted}
                />
              </Suspense>
            </div>
          ) : (
            <div className="first-for-visitors hidden items-center gap-2 md:flex">
              <LinkButton href="/login" variant="quiet">
                {t('Login')}
              </LinkButton>
              <LinkButton href="/register">{t('Register')}</LinkButton>
            </div>
          )}
          <Button
            ref={toggle}
            variant="quiet"
            size="icon"
            aria-label={isOpen ? t('Close menu') : t('Open menu')}
            aria-expanded={isOpen}
            aria-controls="small-menu"
            // Without scripts the links in the footer lead to the same pages.
            className="needs-scripts text-ink md:hidden"
            onClick={() => setOpenAt(isOpen ? null : path)}
          >
            {isOpen ? <X /> : <MenuIcon />}
          </Button>
        </div>
      </div>
      {/* Small screens show it below the bar, which has no room for it. */}
      {hasLine && (
        <div className="wrap flex h-8 items-start justify-center gap-1.5 lg:hidden">
          <ConnectionBadge connection={connection} />
          <AsOf />
        </div>
      )}
      <div id="small-menu" hidden={!isOpen} className="md:hidden">
        {isOpen && (
          <SmallMenu path={path}>
            {user && (
              <Suspense fallback={null}>
                <SignedInItems path={path} user={user} />
              </Suspense>
            )}
          </SmallMenu>
        )}
      </div>
      {/* Floats, so that nothing moves when it comes and goes. */}
      <div
        className={cn(
          'pointer-events-none absolute inset-x-0 top-full flex justify-center pt-1.5',
          hasLine && 'max-lg:hidden',
        )}
      >
        <AsOf />
      </div>
    </header>
  );
}

function CartLink() {
  const count = useAtomValue(cartCountAtom);
  return (
    <Link
      href="/checkout"
      // On phones the bar at the bottom has it.
      className="relative inline-flex size-11 items-center justify-center rounded text-ink hover:bg-sunken max-sm:hidden"
    >
      <ShoppingBasket className="size-6" />
      <span className="sr-only">{t('Cart ({count})', { count })}</span>
      <span aria-hidden="true">
        <CountBadge value={count} className="absolute inset-e-0 top-0.5" />
      </span>
    </Link>
  );
}

/** The button that opens the user menu, labelled with the first word of the name. */
export function UserButton({ user, ...rest }: { user: User } & ComponentProps<'button'>) {
  return (
    <Button
      {...rest}
      variant="quiet"
      className="gap-2 px-2 text-ink hover:bg-sunken hover:text-ink"
    >
      <Avatar name={user.name} className="size-8 text-sm" />
      <span dir="auto" className="max-w-32 truncate">
        {firstWord(user.name)}
      </span>
      <ChevronDown className="size-4 text-ink-soft" />
    </Button>
  );
}

const styles = {
  live: { tone: 'leaf', icon: Radio, label: msg('Up to date') },
  polling: { tone: 'leaf', icon: RefreshCw, label: msg('Updates every few seconds') },
  reconnecting: { tone: 'straw', icon: RefreshCw, label: msg('Reconnecting') },
  offline: { tone: 'tomato', icon: WifiOff, label: msg('Offline') },
} as const;

/**
 * Shows whether the page is updated live, and if not, since when. Shows nothing while connecting for
 * the first time.
 */
function ConnectionBadge({
  connection,
  className,
}: {
  connection: Connection;
  className?: string;
}) {
  const style = connection.state === 'connecting' ? undefined : styles[connection.state];
  return (
    <span role="status" className={cn('inline-flex', className)}>
      {style && (
        <span
          title={
            isUpToDate(connection)
              ? t('What you see updates by itself')
              : t('What you see is from {time}', { time: formatTime(new Date(connection.since)) })
          }
          className={cn(
            'inline-flex items-center gap-1.5 whitespace-nowrap rounded-full px-2.5 py-0.5 text-xs font-medium',
            toneClass[style.tone],
          )}
        >
          <style.icon
            className={cn(
              'size-3.5',
              connection.state === 'reconnecting' && 'animate-spin motion-reduce:animate-none',
            )}
          />
          {isUpToDate(connection)
            ? writeMessage(style.label)
            : t('{state} since {time}', {
                state: style.label,
                time: formatTime(new Date(connection.since)),
              })}
        </span>
      )}
    </span>
  );
}

/**
 * Says of when the page is while some of what it shows was read at an earlier visit and is not confirmed yet. Shows
 * nothing otherwise.
 */
function AsOf({ className }: { className?: string }) {
  const asOf = useAtomValue(asOfAtom);
  if (asOf === null) return null;
  return (
    <span role="status" className={cn('inline-flex', className)}>
      <span className="inline-flex animate-late items-center gap-1.5 whitespace-nowrap rounded-full border border-hairline bg-surface px-2.5 py-px text-xs font-medium text-ink-soft">
        <History aria-hidden="true" className="size-3.5" />
        {t('As of {moment}', { moment: formatMoment(new Date(asOf)) })}
      </span>
    </span>
  );
}

/** Returns the time of a moment of today, and the date too of any other. */
function formatMoment(moment: Date): string {
  const isToday = localToday(moment) === localToday();
  return isToday ? formatTime(moment) : formatInstant(moment.toISOString());
}
