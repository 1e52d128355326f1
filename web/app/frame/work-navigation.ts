import {
  ClipboardList,
  House,
  LayoutDashboard,
  ListChecks,
  MessageCircle,
  Package,
  Store,
  Tags,
  UserRound,
  Users,
} from 'lucide-react';
import { marketTabs } from '../../admin/admin/AdminFrame.tsx';
import type { RoleItem, RoleNavigation } from './navigation.ts';

/** Those who have a rail. */
export type WorkRole = 'farmer' | 'admin';

const dashboard: RoleItem = {
  href: '/farmer/dashboard',
  label: 'Dashboard',
  icon: LayoutDashboard,
};

/** What is left for farmers who work for no farm. */
export const farmlessItems: readonly RoleItem[] = [
  dashboard,
  { href: '/profile', label: 'Profile', icon: UserRound },
];

/** The navigation of those who work, loaded for them alone. */
export const workNavigations: Record<WorkRole, RoleNavigation> = {
  farmer: {
    label: 'Farm',
    hasRail: true,
    items: [
      dashboard,
      {
        href: '/farmer/orders',
        label: 'Orders',
        icon: ClipboardList,
        alsoAt: ['/orders', '/farmer/slots'],
      },
      { href: '/farmer/picklist', label: 'Pick list', icon: ListChecks },
      { href: '/farmer/products', label: 'Products', icon: Package },
      { href: '/messages', label: 'Messages', icon: MessageCircle },
      {
        href: '/farmer/settings',
        label: 'Farm',
        icon: House,
        alsoAt: ['/farmer/profile', '/profile'],
      },
    ],
  },
  admin: {
    label: 'Admin',
    hasRail: true,
    items: [
      { href: '/admin/dashboard', label: 'Dashboard', icon: LayoutDashboard },
      { href: '/admin/orders', label: 'Orders', icon: ClipboardList },
      { href: '/admin/users', label: 'Users', icon: Users },
      { href: '/admin/categories', label: 'Categories', icon: Tags },
      { href: '/admin/messages', label: 'Messages', icon: MessageCircle },
      {
        href: '/admin/market',
        label: 'Market',
        icon: Store,
        alsoAt: marketTabs.map(({ href }) => href),
      },
    ],
  },
};
