import { permissionFor } from '#contract/ordering/orders/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import type { User } from '#contract/people/users/users';
import { mayForFarm } from '../../../platform/session/farm-work.ts';
import { useAuth } from '../../../platform/session/use-auth.ts';

/** Whether somebody's role on their farm lets them give an order this status. */
export const mayGive = (user: User | null, to: OrderStatus): boolean =>
  mayForFarm(user, permissionFor(to));

/** Whether the signed-in person's role on their farm lets them give an order this status. */
export const useMayGive = (to: OrderStatus): boolean => mayGive(useAuth().user, to);

/**
 * Returns why an order cannot get a status now although it may: the farm asked the buyer to change it. Rejecting and
 * cancelling are possible all the same.
 */
export const whyNotNow = ({ openChange, consumer }: Order, to: OrderStatus): string | undefined =>
  openChange && (to === 'accepted' || to === 'completed')
    ? `Waits for ${consumer.name}'s answer`
    : undefined;
