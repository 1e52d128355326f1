import { atom } from 'jotai';
import type { Order, PlaceOrder } from '#contract/ordering/orders/orders';
import { newId } from '../../../platform/api/api.ts';
import { isListOf, isObjectOf, isText, isUndefinedOr } from '../../../platform/api/check.ts';
import type { FeatureReducers } from '../../../platform/realtime/reducer.ts';
import { ownedAtom, readOwner } from '../../../platform/session/owned.ts';
import { store } from '../../../platform/session/session.ts';
import type { Checked } from '../../model/queued-lists.ts';

/** More that got no answer are not sent again word by word. */
const SENT_MAX = 5;

/**
 * How a person's cart becomes an order. The key is the cart's, not that of a tab or of what is said in the form: under
 * one key the server places one order, whatever is sent how often and from where.
 */
const isAttempt = isObjectOf({
  key: isText,
  /** The farm of the cart. */
  farmerId: isText,
  /**
   * What was sent under the key and has no answer, the latest last: the consumer's words, and the order made of them,
   * both as JSON.
   */
  sent: isListOf(isObjectOf({ said: isText, order: isText })),
  /** The order of the cart before this one, and its key. */
  placed: isUndefinedOr(isObjectOf({ key: isText, orderId: isText })),
});
export type Attempt = Checked<typeof isAttempt>;

const attemptAtom = ownedAtom<Attempt | null>('order-attempt', isAttempt, null);

/** Returns the attempt of a person's cart as it is at this moment: another tab may have written just now. */
export const readAttempt = (owner: string): Attempt | null => attemptAtom.of(owner).readStored();
const write = (owner: string, attempt: Attempt): void => store.set(attemptAtom.of(owner), attempt);

/**
 * Returns the attempt of a person's cart, which is begun if there is none. Called when the cart is shown: all tabs that
 * show it then know its key, long before two of them are pressed at the same time.
 */
export function attemptOf(owner: string, farmerId: string): Attempt {
  const known = readAttempt(owner);
  if (known?.farmerId === farmerId) return known;
  const begun: Attempt = { key: newId(), farmerId, sent: [], placed: undefined };
  write(owner, begun);
  return begun;
}

/**
 * Notes that the consumer's words are sent, and returns the order that was made of them. The same words are the same
 * order as the first time, whatever the market has learned since, such as how the consumer wished it last time.
 */
export function noteSent(owner: string, attempt: Attempt, said: unknown, order: PlaceOrder) {
  const words = JSON.stringify(said);
  const sent = attempt.sent.find((each) => each.said === words) ?? {
    said: words,
    order: JSON.stringify(order),
  };
  const others = attempt.sent.filter((each) => each !== sent);
  write(owner, { ...attempt, sent: [...others, sent].slice(-SENT_MAX) });
  return JSON.parse(sent.order) as PlaceOrder;
}

/** Call when what was sent is refused, so that nothing waits for its answer. */
export function noteRefusal(owner: string, key: string): void {
  const known = readAttempt(owner);
  if (known?.key === key) write(owner, { ...known, sent: [] });
}

/** Call when the order of the cart is placed: what is sent from then on is another one. */
export function noteOrder(owner: string, { key, farmerId }: Attempt, orderId: string): void {
  if (readAttempt(owner)?.key === key)
    write(owner, { key: newId(), farmerId, sent: [], placed: { key, orderId } });
}

/** Returns whether an order of the signed-in person's cart was sent under this key, and has no answer yet. */
export function isAttemptedBy(key: string): boolean {
  const known = readAttempt(readOwner());
  return known?.key === key && known.sent.length > 0;
}

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
