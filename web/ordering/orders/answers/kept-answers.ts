import { atom } from 'jotai';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order, UpdateOrderStatus } from '#contract/ordering/orders/orders';
import type { User } from '#contract/people/users/users';
import { ORDER_STATUSES } from '#contract/platform/orders/constants';
import {
  isBoolean,
  isListOf,
  isNullOr,
  isNumberIn,
  isObjectOf,
  isOneOf,
  isText,
  isUndefinedOr,
} from '../../../platform/api/check.ts';
import { userAtom } from '../../../platform/session/atoms.ts';
import { farmIdOf } from '../../../platform/session/farm-work.ts';
import { ownedAtom } from '../../../platform/session/owned.ts';
import { store } from '../../../platform/session/store.ts';
import { KEPT_ANSWERS_KEY } from './kept-answers-key.ts';

/** What an answer keeps of an order, to name it in messages. */
export type HeldOrder = Pick<Order, '_id'> & { consumer: Pick<Order['consumer'], 'name'> };

/**
 * Orders that one press gives a status. `held` until it is sent, `unsent` once there was no answer: it
 * is sent again by itself, and stays `unsent` meanwhile.
 */
export type HeldAnswer = Pick<UpdateOrderStatus, 'status' | 'reason' | 'usesEstimates'> & {
  /** A UUID, by which a repeat is the same command. */
  id: string;
  /** Who decided it, and the farm they did it for. */
  owner: string;
  farm: string | null;
  orders: readonly HeldOrder[];
  state: 'held' | 'sending' | 'unsent';
  /** It goes with others in one call, as acceptances do that can be undone. */
  isTogether: boolean;
  /** A tab sends it. Left behind by one that was closed meanwhile. */
  isSending: boolean;
  /** When it is sent, or again, in milliseconds. */
  sendAt: number;
};

const isHeld = isObjectOf<HeldAnswer>({
  id: isText,
  owner: isText,
  farm: isNullOr(isText),
  orders: isListOf(
    isObjectOf<HeldOrder>({
      _id: isText,
      consumer: isObjectOf<HeldOrder['consumer']>({ name: isText }),
    }),
  ),
  status: isOneOf(ORDER_STATUSES),
  reason: isUndefinedOr(isText),
  usesEstimates: isUndefinedOr(isBoolean),
  state: isOneOf(['held', 'sending', 'unsent']),
  isTogether: isBoolean,
  isSending: isBoolean,
  sendAt: isNumberIn(0, Number.MAX_SAFE_INTEGER),
});

/**
 * What the signed-in person decided and has no answer to yet, oldest first. Kept in localStorage, so that it outlives
 * the page.
 */
export const keptAnswersAtom = ownedAtom<readonly HeldAnswer[]>(
  KEPT_ANSWERS_KEY,
  isListOf(isHeld),
  [],
);

/** What the signed-in person decided for their farm, or as a buyer. */
export const heldAnswersAtom = atom((get) => answersOf(get(keptAnswersAtom), get(userAtom)));

/** Returns the answers of a person, of those for the farm that they work for. */
export const answersOf = (all: readonly HeldAnswer[], user: User | null): readonly HeldAnswer[] =>
  all.filter(({ owner, farm }) => owner === user?._id && farm === (farmIdOf(user) ?? null));

/** Changes a person's kept answers as they are at this moment: another tab may have changed them just now. */
export const updateAnswers = (
  owner: string,
  change: (all: readonly HeldAnswer[]) => readonly HeldAnswer[],
): void => {
  const kept = keptAnswersAtom.of(owner);
  store.set(kept, change(kept.readStored()));
};

/** Changes one kept answer. One without orders is no longer kept. */
export const changeAnswer = (
  { id, owner }: Pick<HeldAnswer, 'id' | 'owner'>,
  values: Partial<Pick<HeldAnswer, 'orders' | 'state' | 'isSending' | 'sendAt'>>,
): void =>
  updateAnswers(owner, (all) =>
    all
      .map((held) => (held.id === id ? { ...held, ...values } : held))
      .filter(({ orders }) => orders.length > 0),
  );

/** Returns the statuses that these answers give, by the ids of their orders. */
export function heldStatuses(answers: readonly HeldAnswer[]): Map<string, OrderStatus> {
  return new Map(
    answers.flatMap(({ orders, status }) => orders.map(({ _id }) => [_id, status] as const)),
  );
}
