import { partyTo } from '#contract/orders';
import type { SessionUser } from '../platform/sessions.ts';

/** Its consumer, its farmer and admins read an order. */
export const canReadOrder = (
  user: Pick<SessionUser, 'id' | 'role'>,
  order: { consumerId: string; farmerId: string },
): boolean => partyTo(order, user) !== undefined;
