import type { ComponentProps } from 'react';
import { farmIdOf, hasConversations } from '../../platform/session/farm-work.ts';
import { useAuth } from '../../platform/session/use-auth.ts';
import { RoleNav } from './RoleNav.tsx';
import { farmlessItems, type WorkRole, workNavigations } from './work-navigation.ts';

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
