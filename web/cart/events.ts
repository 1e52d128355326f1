import { atom } from 'jotai';
import type { Order } from '#contract/orders';
import { store } from '../lib/store.ts';
import type { FeatureReducers } from '../realtime/reducer.ts';
import { isAttemptedBy } from './attempt.ts';

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
