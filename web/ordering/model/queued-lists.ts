import type { Check } from '../../platform/api/check.ts';
import { ownedKey, readOwner } from '../../platform/session/owned.ts';
import { isListAt } from '../../platform/session/stored-atom.ts';

/** The names under which outboxes of this wing are stored: known here without loading what sends them. */
export const ANSWERS_KEY = 'kept-answers';
export const PICK_WORK_KEY = 'kept-pick-work';

/** Returns whether a list of this name is stored for the signed-in person and not empty. */
export const isListQueued = (name: string): boolean => isListAt(ownedKey(readOwner(), name));

/** Calls `listener` if such a list is stored, and whenever another tab stores one. Returns a function that stops. */
export function onListQueued(name: string, listener: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === ownedKey(readOwner(), name) && isListQueued(name)) listener();
  };
  window.addEventListener('storage', listen);
  if (isListQueued(name)) listener();
  return () => window.removeEventListener('storage', listen);
}

/** The type of what a check accepts, for what is declared by its check alone. */
export type Checked<Guard> = Guard extends Check<infer Value> ? Value : never;
