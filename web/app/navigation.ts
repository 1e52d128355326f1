import {
  ClipboardList,
  LayoutDashboard,
  type LucideIcon,
  MessageCircle,
  Package,
  ShoppingBasket,
  UserRound,
} from 'lucide-react';
import type { Role } from '#contract/platform';

/** A place in the navigation. */
export type NavItem = { href: string; label: string; icon?: LucideIcon };

/** The numbers on places, by their address. */
export type Counts = Readonly<Record<string, number>>;

/** What everybody finds in the bar. */
export const mainItems: readonly NavItem[] = [
  { href: '/', label: 'Home' },
  { href: '/products', label: 'Products' },
  { href: '/farmers', label: 'Farmers' },
  { href: '/about', label: 'About' },
];

/** What the user menu offers to each role, above Logout. */
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

/** A farmer's bar at the thumb, on a phone. */
export const farmerBarItems: readonly (NavItem & { icon: LucideIcon })[] = [
  { href: '/farmer/orders', label: 'Orders', icon: ShoppingBasket },
  { href: '/farmer/products', label: 'Products', icon: Package },
  { href: '/messages', label: 'Messages', icon: MessageCircle },
  { href: '/farmer/dashboard', label: 'Dashboard', icon: LayoutDashboard },
];

/** Whether a place is where one is, or above it. */
export function isHere(href: string, path: string): boolean {
  return href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
}
