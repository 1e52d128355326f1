import { useAtomValue } from 'jotai';
import {
  ClipboardList,
  Eye,
  LayoutDashboard,
  LogOut,
  MessageCircle,
  ShoppingBasket,
  UserRound,
} from 'lucide-react';
import type { User } from '#contract/people/users/users';
import type { Role } from '#contract/platform/http/http';
import { formatCount } from '#contract/platform/text/constants/formats';
import { msg, t } from '#contract/platform/text/constants/texts';
import { cartCountAtom } from '../../ordering/cart/rules.ts';
import { farmIdOf, hasConversations } from '../../platform/session/session.ts';
import { useLogout } from '../use-logout.ts';
import { countsAtom, type NavItem } from './navigation.ts';
import { menuItemClass, SmallLink } from './SmallMenu.tsx';

/** The items of the user menu for each role, above Logout. */
const userItems: Record<Role, readonly NavItem[]> = {
  admin: [
    { href: '/admin/dashboard', label: msg('Admin Dashboard'), icon: LayoutDashboard },
    { href: '/admin/messages', label: msg('Messages'), icon: MessageCircle },
  ],
  farmer: [
    { href: '/farmer/dashboard', label: msg('Farmer Dashboard'), icon: LayoutDashboard },
    { href: '/profile', label: msg('Profile'), icon: UserRound },
    { href: '/farmer/orders', label: msg('Orders'), icon: ClipboardList },
    { href: '/messages', label: msg('Messages'), icon: MessageCircle },
  ],
  consumer: [
    { href: '/profile', label: msg('Profile'), icon: UserRound },
    { href: '/orders', label: msg('Orders'), icon: ClipboardList },
    { href: '/messages', label: msg('Messages'), icon: MessageCircle },
  ],
};

/** Returns the items of somebody's user menu: of a farm's people not all write its messages. */
export function menuItemsOf(user: User): readonly NavItem[] {
  const items = (userItems[user.role] ?? []).filter(
    ({ href }) => href !== '/messages' || hasConversations(user),
  );
  const farmId = user.role === 'farmer' ? farmIdOf(user) : undefined;
  return farmId === undefined
    ? items
    : [...items, { href: `/farmers/${farmId}`, label: msg('View as customer'), icon: Eye }];
}

/** What the mobile menu holds for anyone who is signed in. */
export default function SignedInItems({ path, user }: { path: string; user: User }) {
  const counts = useAtomValue(countsAtom).places;
  const logout = useLogout();
  const cartCount = useAtomValue(cartCountAtom);
  return (
    <>
      <li aria-hidden="true" className="my-2 h-px bg-hairline" />
      {user.role === 'consumer' && (
        <SmallLink
          item={{
            href: '/checkout',
            label: msg('Cart ({count})', { count: formatCount(cartCount) }),
            icon: ShoppingBasket,
          }}
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
