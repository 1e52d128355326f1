import type { ComponentProps } from 'react';
import { RoleNav } from './RoleNav.tsx';
import { type WorkRole, workNavigations } from './work-navigation.ts';

/** The navigation of a farmer or an admin. Loaded only for them, because of its pictures. */
export default function WorkNav({
  role,
  ...props
}: { role: WorkRole } & Omit<ComponentProps<typeof RoleNav>, 'navigation'>) {
  return <RoleNav navigation={workNavigations[role]} {...props} />;
}
