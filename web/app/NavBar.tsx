import { useAtomValue } from 'jotai';
import { ChevronDown, LogOut, Menu as MenuIcon, ShoppingBasket, X } from 'lucide-react';
import {
  type ComponentProps,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import { Link, useLocation } from 'wouter';
import type { User } from '#contract/users';
import { useLogout } from '../auth/queries.ts';
import { useAuth } from '../auth/use-auth.ts';
import { cartCountAtom } from '../cart/atoms.ts';
import type { Connection } from '../lib/connection.ts';
import { firstWord } from '../lib/format.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { CountBadge } from '../ui/Badge.tsx';
import { Button, LinkButton } from '../ui/Button.tsx';
import { ConnectionBadge } from '../ui/ConnectionBadge.tsx';
import { cn } from '../ui/cn.ts';
import { Logo } from './Logo.tsx';
import { isHere, mainItems, type NavItem, userItems } from './navigation.ts';
import { ThemeSwitch } from './ThemeSwitch.tsx';

const UserMenu = lazy(() => import('./UserMenu.tsx'));

type Counts = Readonly<Record<string, number>>;

/** The bar at the top of every page. */
export function NavBar({
  connection,
  bell,
  counts,
}: {
  connection: Connection;
  bell: ReactNode;
  counts: Counts;
}) {
  const [path] = useLocation();
  const { user } = useAuth();
  const [openAt, setOpenAt] = useState<string | null>(null);
  // Going somewhere closes the menu.
  const isOpen = openAt === path;
  const toggle = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpenAt(null);
      toggle.current?.focus();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [isOpen]);

  return (
    <header
      data-print="hide"
      className="sticky top-0 z-30 border-b border-hairline bg-paper/95 backdrop-blur-xs"
    >
      <div className="wrap flex h-16 items-center gap-2 md:gap-6">
        <Link href="/" className="-ml-1 flex items-center gap-2 rounded px-1 py-2">
          <Logo className="size-8" />
          <span className="font-display text-lg font-semibold tracking-tight">Farmgate</span>
        </Link>

        <nav aria-label="Main" className="hidden grow md:block">
          <ul className="flex items-center gap-1">
            {mainItems.map((item) => (
              <li key={item.href}>
                <Link
                  href={item.href}
                  aria-current={isHere(item.href, path) ? 'page' : undefined}
                  className={cn(
                    'relative inline-flex min-h-10 items-center rounded px-3 text-sm font-medium text-ink-soft hover:text-ink',
                    'aria-[current=page]:text-ink',
                    'after:absolute after:inset-x-3 after:bottom-1 after:h-0.5 after:rounded-full aria-[current=page]:after:bg-straw',
                  )}
                >
                  {item.label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>

        <div className="ml-auto flex items-center gap-1 sm:gap-2">
          {(user || connection.state === 'offline') && (
            <ConnectionBadge connection={connection} className="hidden lg:inline-flex" />
          )}
          {user?.role === 'consumer' && <CartLink />}
          {user && bell}
          {user ? (
            <div className="hidden md:block">
              <Suspense fallback={<UserButton user={user} />}>
                <UserMenu user={user} counts={counts} />
              </Suspense>
            </div>
          ) : (
            <div className="hidden items-center gap-2 md:flex">
              <LinkButton href="/login" variant="quiet">
                Login
              </LinkButton>
              <LinkButton href="/register">Register</LinkButton>
            </div>
          )}
          <Button
            ref={toggle}
            variant="quiet"
            size="icon"
            aria-label={isOpen ? 'Close menu' : 'Open menu'}
            aria-expanded={isOpen}
            aria-controls="small-menu"
            className="text-ink md:hidden"
            onClick={() => setOpenAt(isOpen ? null : path)}
          >
            {isOpen ? <X aria-hidden="true" /> : <MenuIcon aria-hidden="true" />}
          </Button>
        </div>
      </div>
      {/* Where the bar has no room for it, a lost connection still gets its line. */}
      {connection.state !== 'live' && connection.state !== 'connecting' && (
        <div className="wrap flex justify-center pb-2 lg:hidden">
          <ConnectionBadge connection={connection} />
        </div>
      )}
      <div id="small-menu" hidden={!isOpen} className="md:hidden">
        {isOpen && <SmallMenu path={path} user={user} counts={counts} />}
      </div>
    </header>
  );
}

/** The button of the user menu: the first word of the name. */
export function UserButton({ user, ...rest }: { user: User } & ComponentProps<'button'>) {
  return (
    <Button
      {...rest}
      variant="quiet"
      className="gap-2 px-2 text-ink hover:bg-sunken hover:text-ink"
    >
      <Avatar name={user.name} className="size-8 text-sm" />
      <span className="max-w-32 truncate">{firstWord(user.name)}</span>
      <ChevronDown aria-hidden="true" className="size-4 text-ink-soft" />
    </Button>
  );
}

function CartLink() {
  const count = useAtomValue(cartCountAtom);
  return (
    <Link
      href="/checkout"
      aria-label={`Cart (${count})`}
      className="relative grid size-11 place-items-center rounded text-ink hover:bg-sunken"
    >
      <ShoppingBasket aria-hidden="true" className="size-6" />
      <CountBadge value={count} className="absolute right-0 top-0.5" />
    </Link>
  );
}

function SmallMenu({ path, user, counts }: { path: string; user: User | null; counts: Counts }) {
  return (
    <div className="wrap grid gap-3 border-t border-hairline pb-6 pt-3 animate-fade-in">
      <nav aria-label="Menu">
        <ul className="grid">
          {mainItems.map((item) => (
            <SmallLink key={item.href} item={item} path={path} />
          ))}
          {user ? (
            <SignedInItems path={path} user={user} counts={counts} />
          ) : (
            <li className="mt-3 grid grid-cols-2 gap-3 border-t border-hairline pt-4">
              <LinkButton href="/login" variant="secondary">
                Login
              </LinkButton>
              <LinkButton href="/register">Register</LinkButton>
            </li>
          )}
        </ul>
      </nav>
      <ThemeSwitch />
    </div>
  );
}

function SignedInItems({ path, user, counts }: { path: string; user: User; counts: Counts }) {
  const logout = useLogout();
  const cartCount = useAtomValue(cartCountAtom);
  return (
    <>
      <li aria-hidden="true" className="my-2 h-px bg-hairline" />
      {user.role === 'consumer' && (
        <SmallLink
          item={{ href: '/checkout', label: `Cart (${cartCount})`, icon: ShoppingBasket }}
          path={path}
        />
      )}
      {userItems[user.role].map((item) => (
        <SmallLink key={item.href} item={item} path={path} count={counts[item.href] ?? 0} />
      ))}
      <li>
        <button type="button" onClick={logout} className={smallClass}>
          <LogOut aria-hidden="true" className="size-5 text-ink-soft" />
          Logout
        </button>
      </li>
    </>
  );
}

const smallClass =
  'flex min-h-12 w-full items-center gap-3 rounded px-2 text-left text-base font-medium hover:bg-sunken aria-[current=page]:text-leaf';

function SmallLink({ item, path, count = 0 }: { item: NavItem; path: string; count?: number }) {
  return (
    <li>
      <Link
        href={item.href}
        aria-current={isHere(item.href, path) ? 'page' : undefined}
        className={smallClass}
      >
        {item.icon && <item.icon aria-hidden="true" className="size-5 text-ink-soft" />}
        {item.label}
        <CountBadge value={count} />
      </Link>
    </li>
  );
}
