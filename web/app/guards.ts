import type { Guard } from '#contract/edge/constants';
import type { User } from '#contract/people/users/users';
import type { Role } from '#contract/platform/http/http';
import { mayForFarm, workPathOf } from '../platform/session/session.ts';

/** Returns the path of a role's home page. */
export function homePathOf(role: Role): string {
  if (role === 'admin') return '/admin/dashboard';
  return role === 'farmer' ? '/farmer/dashboard' : '/';
}

/** Returns the path that the guard redirects to, or null if access is allowed. A visitor's role is null. */
export function guardTarget(guard: Guard, role: Role | null): string | null {
  switch (guard) {
    case 'public':
      return null;
    case 'guest':
      return role === null ? null : homePathOf(role);
    case 'signed-in':
      return role === null ? '/login' : null;
    case 'member':
      if (role === null) return '/login';
      return role === 'admin' ? '/admin/dashboard' : null;
    default:
      return role === guard ? null : '/login';
  }
}

/**
 * Returns the path to which farmers who work for no farm are led from a farm's pages: their dashboard, which says why.
 * Null for other pages, and for everybody else.
 */
export function pathWithoutFarm(route: { guard: Guard; path: string }, hasFarm: boolean) {
  const home = homePathOf('farmer');
  return route.guard === 'farmer' && route.path !== home && !hasFarm ? home : null;
}

/**
 * Returns the path to which those of a farm who may not change its products are led from the forms for it; else null.
 */
export const pathWithoutForms = (route: { path: string }, user: User | null): string | null =>
  /^\/farmer\/products\/./.test(route.path) && !mayForFarm(user, 'changeProducts')
    ? '/farmer/products'
    : null;

/** Returns where somebody begins who has just signed in. */
export const startPathOf = (user: User): string =>
  user.role === 'farmer' ? workPathOf(user) : homePathOf(user.role);

/**
 * Returns the path that a sign-in leads to: where the person wanted to go, if there is such a page and
 * their role may see it, and `home` otherwise.
 */
export function landingPath(
  role: Role,
  next: string | null,
  /** Returns the guard of a path; undefined if there is no such page. */
  guardOf: (path: string) => Guard | undefined,
  home = homePathOf(role),
): string {
  const guard = next === null ? undefined : guardOf(next.replace(/[?#].*$/s, ''));
  const maySee = guard !== undefined && guard !== 'guest' && guardTarget(guard, role) === null;
  return next !== null && maySee ? next : home;
}
