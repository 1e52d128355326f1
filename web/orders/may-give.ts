import { permissionFor } from '#contract/constants/orders';
import type { OrderStatus } from '#contract/orders';
import type { User } from '#contract/users';
import { useAuth } from '../auth/use-auth.ts';
import { mayForFarm } from '../lib/farm-work.ts';

/** Whether somebody's role on their farm lets them give an order this status. */
export const mayGive = (user: User | null, to: OrderStatus): boolean =>
  mayForFarm(user, permissionFor(to));

/** Whether the signed-in person's role on their farm lets them give an order this status. */
export const useMayGive = (to: OrderStatus): boolean => mayGive(useAuth().user, to);
