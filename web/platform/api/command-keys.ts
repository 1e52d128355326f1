import { noteCommand } from '../queries/own-changes.ts';
import { ApiError } from './api-error.ts';
import { newId } from './new-id.ts';

/**
 * How long a write without an answer keeps its key, in milliseconds. The same request much later
 * is a new command.
 */
const KEEP_MS = 10 * 60_000;
/** Writes without an answer whose keys are kept. */
const KEPT_MAX = 50;

/** Keys of writes that had no answer, the oldest first. */
const kept = new Map<string, { key: string; until: number }>();

/**
 * Sends a write with an `Idempotency-Key`. A write that has no answer keeps its key, so that the same write
 * again, by a retry or by hand, takes effect once.
 * @param write all that distinguishes it from another one
 * @param own the key, where the caller remembers it
 * @throws whatever `send` throws
 */
export async function withCommandKey<Answer>(
  write: string,
  send: (key: string) => Promise<Answer>,
  own?: string,
): Promise<Answer> {
  const key = own ?? keyOf(write);
  noteCommand(key);
  try {
    const answer = await send(key);
    kept.delete(write);
    return answer;
  } catch (error) {
    // Refused, it had no effect. Aborted or without an answer, it may have had one.
    if (error instanceof ApiError && !error.isTemporary) kept.delete(write);
    else keep(write, key);
    throw error;
  }
}

function keyOf(write: string): string {
  const known = kept.get(write);
  return known && Date.now() < known.until ? known.key : newId();
}

function keep(write: string, key: string): void {
  if (kept.get(write)?.key === key) return;
  kept.delete(write);
  kept.set(write, { key, until: Date.now() + KEEP_MS });
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
}
