import type { Role } from '#contract/platform';

/**
 * Who may see a route: everybody; only those not signed in (`guest`); whoever is signed in
 * (`signed-in`); consumers and farmers (`member`); or one role alone.
 */
export type Guard = 'public' | 'guest' | 'signed-in' | 'member' | Role;

/** Where someone of a role begins. */
export function homeOf(role: Role): string {
  if (role === 'admin') return '/admin/dashboard';
  return role === 'farmer' ? '/farmer/dashboard' : '/';
}

/** Where the guard sends someone instead (`role` is null for a visitor); null when they may stay. */
export function guardTarget(guard: Guard, role: Role | null): string | null {
  switch (guard) {
    case 'public':
      return null;
    case 'guest':
      return role === null ? null : homeOf(role);
    case 'signed-in':
      return role === null ? '/login' : null;
    case 'member':
      if (role === null) return '/login';
      return role === 'admin' ? '/admin/dashboard' : null;
    default:
      return role === guard ? null : '/login';
  }
}
