import type { PlaceOrder } from '#contract/orders';
import { isObjectOf, isText } from '../lib/check.ts';
import { newId } from '../lib/new-id.ts';

const STORAGE_KEY = 'order-attempt';

/** An order that is being placed: what the buyer said, the order made of it as JSON, and its idempotency key. */
type Attempt = { said: string; order: string; key: string };

const isAttempt = isObjectOf<Attempt>({ said: isText, order: isText, key: isText });

// Used where storage is forbidden.
let current: Attempt | undefined;

function read(): Attempt | undefined {
  if (current) return current;
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null');
    return isAttempt(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns what to send for what the buyer has said, and under which idempotency key. The same words are the same order
 * under the same key until `clearAttempt`, also after a reload and whatever the market has learned since, such as how
 * the buyer wished it last time: an order whose answer was lost is placed once.
 */
export function attemptFor(said: unknown, order: PlaceOrder): { order: PlaceOrder; key: string } {
  const words = JSON.stringify(said);
  const before = read();
  current =
    before?.said === words ? before : { said: words, order: JSON.stringify(order), key: newId() };
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(current));
  } catch {
    // The attempt is kept in memory.
  }
  return { order: JSON.parse(current.order), key: current.key };
}

/** Returns whether an order is being placed under this key. */
export const isAttemptedBy = (key: string): boolean => read()?.key === key;

/** Call when the order is placed: the same words are a new order from then on. */
export function clearAttempt(): void {
  current = undefined;
  try {
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // Storage is forbidden: there is nothing to remove.
  }
}
