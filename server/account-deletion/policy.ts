import type { Role } from '#contract/http';

/** Returns whether `user` may delete `target`: admins may, except admins (themselves included). */
export const canDeleteUser = (user: { role: Role }, target: { role: Role }): boolean =>
  user.role === 'admin' && target.role !== 'admin';
