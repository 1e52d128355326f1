import {
  ClipboardList,
  LayoutDashboard,
  type LucideIcon,
  MessageCircle,
  Package,
  ShoppingBasket,
  UserRound,
} from 'lucide-react';
import type { Role } from '#contract/http';

/** An item of the navigation. */
export type NavItem = { href: string; label: string; icon?: LucideIcon };

/** The badge numbers of navigation items, by path. */
export type Counts = Readonly<Record<string, number>>;

/** The items that everybody sees in the navigation bar. */
export const mainItems: readonly NavItem[] = [
  { href: '/', label: 'Home' },
  { href: '/products', label: 'Products' },
  { href: '/farmers', label: 'Farmers' },
  { href: '/about', label: 'About' },
];

/** The items of the user menu for each role, above Logout. */
export const userItems: Record<Role, readonly NavItem[]> = {
  admin: [
    { href: '/admin/dashboard', label: 'Admin Dashboard', icon: LayoutDashboard },
    { href: '/admin/messages', label: 'Messages', icon: MessageCircle },
  ],
  farmer: [
    { href: '/farmer/dashboard', label: 'Farmer Dashboard', icon: LayoutDashboard },
    { href: '/profile', label: 'Profile', icon: UserRound },
    { href: '/orders', label: 'Orders', icon: ClipboardList },
    { href: '/messages', label: 'Messages', icon: MessageCircle },
  ],
  consumer: [
    { href: '/profile', label: 'Profile', icon: UserRound },
    { href: '/orders', label: 'Orders', icon: ClipboardList },
    { href: '/messages', label: 'Messages', icon: MessageCircle },
  ],
};

/** The items of the farmer's bottom bar on phones. */
export const farmerBarItems: readonly (NavItem & { icon: LucideIcon })[] = [
  { href: '/farmer/orders', label: 'Orders', icon: ShoppingBasket },
  { href: '/farmer/products', label: 'Products', icon: Package },
  { href: '/messages', label: 'Messages', icon: MessageCircle },
  { href: '/farmer/dashboard', label: 'Dashboard', icon: LayoutDashboard },
];

/** Returns whether `href` is the current path or a parent of it. */
export function isCurrentPath(href: string, path: string): boolean {
  return href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
}
