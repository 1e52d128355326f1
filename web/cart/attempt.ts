import { isObjectOf, isText } from '../lib/check.ts';
import { newId } from '../lib/new-id.ts';

const STORAGE_KEY = 'order-attempt';

type Attempt = { body: string; key: string };

const isAttempt = isObjectOf<Attempt>({ body: isText, key: isText });

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
 * Returns the idempotency key of the attempt to place this order. The same body has the same key
 * until `clearAttempt`, also after a reload, so that an order whose response was lost is placed once.
 */
export function attemptKey(body: string): string {
  const before = read();
  current = before?.body === body ? before : { body, key: newId() };
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(current));
  } catch {
    // The attempt is kept in memory.
  }
  return current.key;
}

/** Call when the order is placed: the same body is a new order from then on. */
export function clearAttempt(): void {
  current = undefined;
  try {
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // Storage is forbidden: there is nothing to remove.
  }
}
