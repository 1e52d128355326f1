import { canActFor, type FarmPermission } from '#contract/constants/farm';
import { forbidden } from './errors.ts';
import type { SessionUser } from './sessions.ts';

/** Refuses a member of a farm whose role does not go that far. */
export const withoutPermission = () =>
  forbidden('Your role on this farm does not include this. Ask an owner of the farm.');

/**
 * Returns the id of the farm for which the caller acts.
 * @throws 403 who works for no farm, or may not do this there
 */
export function actingFarm({ membership }: SessionUser, permission: FarmPermission): string {
  if (!membership) throw forbidden('You do not work for a farm at the moment.');
  if (!canActFor({ membership }, membership.farmId, permission)) throw withoutPermission();
  return membership.farmId;
}
