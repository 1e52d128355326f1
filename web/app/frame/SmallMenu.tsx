import { useAtomValue } from 'jotai';
import { LogOut, ShoppingBasket } from 'lucide-react';
import { Link } from 'wouter';
import type { User } from '#contract/people/users/users';
import { t } from '#contract/platform/text/constants/texts';
import { cartCountAtom } from '../../ordering/cart/rules.ts';
import { CountBadge, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { useLogout } from '../use-logout.ts';
import { countsAtom, isCurrentPath, mainItems, menuItemsOf, type NavItem } from './navigation.ts';
import { ThemeSwitch } from './ThemeSwitch.tsx';

/** The mobile menu: everything that the navigation bar holds on large screens. */
export function SmallMenu({ path, user }: { path: string; user: User | null }) {
  return (
    <div className="wrap grid gap-3 border-t border-hairline pb-6 pt-3 animate-fade-in">
      <nav aria-label={t('Menu')}>
        <ul className="grid">
          {mainItems.map((item) => (
            <SmallLink key={item.href} item={item} path={path} />
          ))}
          {user ? (
            <SignedInItems path={path} user={user} />
          ) : (
            <li className="mt-3 grid grid-cols-2 gap-3 border-t border-hairline pt-4">
              <LinkButton href="/login" variant="secondary">
                {t('Login')}
              </LinkButton>
              <LinkButton href="/register">{t('Register')}</LinkButton>
            </li>
          )}
        </ul>
      </nav>
      <ThemeSwitch />
    </div>
  );
}

function SignedInItems({ path, user }: { path: string; user: User }) {
  const counts = useAtomValue(countsAtom).places;
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
      {menuItemsOf(user).map((item) => (
        <SmallLink key={item.href} item={item} path={path} count={counts[item.href] ?? 0} />
      ))}
      <li>
        <button type="button" onClick={logout} className={menuItemClass}>
          <LogOut className="size-5 text-ink-soft" />
          {t('Logout')}
        </button>
      </li>
    </>
  );
}

const menuItemClass =
  'flex min-h-12 w-full items-center gap-3 rounded px-2 text-start text-base font-medium hover:bg-sunken aria-[current=page]:text-leaf';

function SmallLink({ item, path, count = 0 }: { item: NavItem; path: string; count?: number }) {
  return (
    <li>
      <Link
        href={item.href}
        aria-current={isCurrentPath(item.href, path) ? 'page' : undefined}
        className={menuItemClass}
      >
        {item.icon && <item.icon className="size-5 text-ink-soft" />}
        {item.label}
        <CountBadge value={count} />
      </Link>
    </li>
  );
}
