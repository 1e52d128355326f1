import { atom } from 'jotai';
import type { Order } from '#contract/ordering/orders/orders';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';
import { store } from '../../platform/session/session.ts';
import { isAttemptedBy } from './checkout/attempt.ts';

/** An order of this person's cart that came live, and the key under which it was asked for. */
export const arrivedOrderAtom = atom<{ order: Order; key: string } | null>(null);

/** Notes an order of this person's cart that comes live: its answer may be lost. */
export const cartReducers = {
  'order.created': (_, { commandId, data }) => {
    if (commandId !== undefined && isAttemptedBy(commandId)) {
      store.set(arrivedOrderAtom, { order: data, key: commandId });
    }
  },
} satisfies FeatureReducers;
