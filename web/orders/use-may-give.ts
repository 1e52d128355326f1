import { permissionFor } from '#contract/constants/orders';
import type { OrderStatus } from '#contract/orders';
import { useAuth } from '../auth/use-auth.ts';
import { mayForFarm } from '../lib/farm-work.ts';

/** Whether the signed-in person's role on their farm lets them give an order this status. */
export const useMayGive = (to: OrderStatus): boolean =>
  mayForFarm(useAuth().user, permissionFor(to));
