import type { ComponentProps } from 'react';
import { useAuth } from '../auth/use-auth.ts';
import { hasConversations } from '../lib/farm-work.ts';
import { RoleNav } from './RoleNav.tsx';
import { type WorkRole, workNavigations } from './work-navigation.ts';

/** The navigation of a farmer or an admin. Loaded only for them, because of its pictures. */
export default function WorkNav({
  role,
  ...props
}: { role: WorkRole } & Omit<ComponentProps<typeof RoleNav>, 'navigation'>) {
  const { user } = useAuth();
  const navigation = workNavigations[role];
  if (hasConversations(user)) return <RoleNav navigation={navigation} {...props} />;
  const items = navigation.items.filter(({ href }) => href !== '/messages');
  return <RoleNav navigation={{ ...navigation, items }} {...props} />;
}
