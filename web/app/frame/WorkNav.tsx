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
import type { ComponentProps } from 'react';
import { msg } from '#contract/platform/text/constants/texts';
import { marketTabs } from '../../admin/admin/AdminFrame.tsx';
import { farmIdOf, hasConversations, useAuth } from '../../platform/session/session.ts';
import type { RoleItem, RoleNavigation } from './navigation.ts';
import { RoleNav } from './RoleNav.tsx';

/** Those who have a rail. */
type WorkRole = 'farmer' | 'admin';

const dashboard: RoleItem = {
  href: '/farmer/dashboard',
  label: msg('Dashboard'),
  icon: LayoutDashboard,
};

/** What is left for farmers who work for no farm. */
const farmlessItems: readonly RoleItem[] = [
  dashboard,
  { href: '/profile', label: msg('Profile'), icon: UserRound },
];

/** The navigation of those who work, loaded for them alone. */
export const workNavigations: Record<WorkRole, RoleNavigation> = {
  farmer: {
    label: msg('Farm'),
    hasRail: true,
    items: [
      dashboard,
      {
        href: '/farmer/orders',
        label: msg('Orders'),
        icon: ClipboardList,
        alsoAt: ['/orders', '/farmer/slots'],
      },
      { href: '/farmer/picklist', label: msg('Pick list'), icon: ListChecks },
      { href: '/farmer/products', label: msg('Products'), icon: Package },
      { href: '/messages', label: msg('Messages'), icon: MessageCircle },
      {
        href: '/farmer/settings',
        label: msg('Farm'),
        icon: House,
        alsoAt: ['/farmer/profile', '/profile'],
      },
    ],
  },
  admin: {
    label: msg('Admin'),
    hasRail: true,
    items: [
      { href: '/admin/dashboard', label: msg('Dashboard'), icon: LayoutDashboard },
      { href: '/admin/orders', label: msg('Orders'), icon: ClipboardList },
      { href: '/admin/users', label: msg('Users'), icon: Users },
      { href: '/admin/categories', label: msg('Categories'), icon: Tags },
      { href: '/admin/messages', label: msg('Messages'), icon: MessageCircle },
      {
        href: '/admin/market',
        label: msg('Market'),
        icon: Store,
        alsoAt: marketTabs.map(({ href }) => href),
      },
    ],
  },
};

/** The navigation of a farmer or an admin. Loaded only for them, because of its pictures. */
export default function WorkNav({
  role,
  ...props
}: { role: WorkRole } & Omit<ComponentProps<typeof RoleNav>, 'navigation'>) {
  const { user } = useAuth();
  const navigation = workNavigations[role];
  const isFarmless = role === 'farmer' && farmIdOf(user) === undefined;
  const items = isFarmless ? farmlessItems : navigation.items;
  const shown = hasConversations(user) ? items : items.filter(({ href }) => href !== '/messages');
  return <RoleNav navigation={{ ...navigation, items: shown }} {...props} />;
}
