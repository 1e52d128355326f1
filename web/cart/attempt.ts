import { newId } from '../lib/new-id.ts';

const PLACE = 'order-attempt';

type Attempt = { body: string; key: string };

function isAttempt(value: unknown): value is Attempt {
  const attempt = value as Partial<Attempt> | null;
  return typeof attempt?.body === 'string' && typeof attempt.key === 'string';
}

// Where storage is forbidden the attempt is forgotten with the page.
let kept: Attempt | undefined;

function read(): Attempt | undefined {
  if (kept) return kept;
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null');
    return isAttempt(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The name of the attempt to place this order. The same content keeps its name until the attempt
 * is over, through reloads too, so that an order whose answer was lost is not placed twice.
 */
export function attemptKey(body: string): string {
  const before = read();
  kept = before?.body === body ? before : { body, key: newId() };
  try {
    sessionStorage.setItem(PLACE, JSON.stringify(kept));
  } catch {
    // Kept above.
  }
  return kept.key;
}

/** The order is placed: the same content again is another order. */
export function attemptOver(): void {
  kept = undefined;
  try {
    sessionStorage.removeItem(PLACE);
  } catch {
    // There was nothing to remove.
  }
}
