import type { Role } from '#contract/platform';

/** Nobody deletes an admin, which keeps admins from deleting themselves and each other. */
export const canDeleteUser = (user: { role: Role }, target: { role: Role }): boolean =>
  user.role === 'admin' && target.role !== 'admin';
