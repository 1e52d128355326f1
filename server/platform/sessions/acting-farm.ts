import { canActFor, type FarmPermission } from '#contract/platform/session/constants';
import { forbidden } from '../http/errors.ts';
import type { SessionUser } from './sessions.ts';

/** Refuses a member of a farm whose role does not go that far. */
export const withoutPermission = () =>
  forbidden('Your role on this farm does not include this. Ask an owner of the farm.');

/** Returns the id of the farm for which the caller acts. @throws 403 who works for no farm */
export function actingFarm({ membership }: SessionUser): string {
  if (!membership) throw forbidden('You do not work for a farm at the moment.');
  return membership.farmId;
}

/** Requires what an endpoint declares in its `farmPermission`. @throws 403 */
export function requirePermission(user: SessionUser, permission: FarmPermission): void {
  if (!canActFor(user, actingFarm(user), permission)) throw withoutPermission();
}
