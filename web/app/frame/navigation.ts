import { atom } from 'jotai';
import {
  ClipboardList,
  type LucideIcon,
  MessageCircle,
  ShoppingBasket,
  Sprout,
  Store,
  UserRound,
} from 'lucide-react';
import { type Message, msg } from '#contract/platform/text/constants/texts';

/** An item of the navigation. */
export type NavItem = { href: string; label: Message; icon?: LucideIcon };

/** The badge numbers of navigation items, by path. */
export type Counts = Readonly<Record<string, number>>;

/** The items that everybody sees in the navigation bar. */
export const mainItems: readonly NavItem[] = [
  { href: '/', label: msg('Home') },
  { href: '/products', label: msg('Products') },
  { href: '/farmers', label: msg('Farmers') },
  { href: '/about', label: msg('About') },
];

/** An item of a role's own navigation. */
export type RoleItem = NavItem & {
  icon: LucideIcon;
  /** Other paths on which the item is the current one. */
  alsoAt?: readonly string[];
  /** Shows the count in the label, `Cart (2)`, which is the name that the specification gives it. */
  countsInName?: true;
};

/**
 * The navigation of a role: a bar at the bottom on phones and, where `hasRail`, a rail at the left on
 * wider screens. A visitor's role is null.
 */
export type RoleNavigation = {
  /** The accessible name. */
  label: Message;
  hasRail: boolean;
  items: readonly RoleItem[];
};

const consumerItems: readonly RoleItem[] = [
  { href: '/products', label: msg('Shop'), icon: Store },
  { href: '/farmers', label: msg('Farms'), icon: Sprout },
];

/** The navigation of those who buy; `WorkNav.tsx` has that of those who work. */
export const consumerNavigations: Record<'consumer' | 'visitor', RoleNavigation> = {
  visitor: {
    label: msg('Shortcuts'),
    hasRail: false,
    items: [...consumerItems, { href: '/login', label: msg('Sign in'), icon: UserRound }],
  },
  consumer: {
    label: msg('Shortcuts'),
    hasRail: false,
    items: [
      ...consumerItems,
      { href: '/checkout', label: msg('Cart'), icon: ShoppingBasket, countsInName: true },
      { href: '/orders', label: msg('Orders'), icon: ClipboardList },
      { href: '/messages', label: msg('Messages'), icon: MessageCircle },
    ],
  },
};

/** Returns whether `href` is the current path or a parent of it. */
export function isCurrentPath(href: string, path: string): boolean {
  return href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
}

/** Returns whether a role's item is the current one, by its path or one of the others it stands for. */
export const isCurrentItem = ({ href, alsoAt = [] }: RoleItem, path: string): boolean =>
  [href, ...alsoAt].some((each) => isCurrentPath(each, path));

/** The badge numbers of the navigation items, by path, and the number of a farmer's pending orders. */
export type NavigationCounts = { places: Counts; pendingOrders: number };

/** The counts of anyone who is not signed in. */
export const NO_COUNTS: NavigationCounts = { places: {}, pendingOrders: 0 };

/** The counts that are shown. `SignedIn.tsx` fetches them, for people who are signed in. */
export const countsAtom = atom(NO_COUNTS);
