import { isListAt } from '../../platform/queries/list-at.ts';
import { ownedKey, readOwner } from '../../platform/session/owned.ts';

/** Returns whether a list of this name is kept for the signed-in person and not empty, without loading what knows it. */
export const isListKept = (name: string): boolean => isListAt(ownedKey(readOwner(), name));

/** Calls `listener` if such a list is kept, and whenever another tab keeps one. Returns a function that stops. */
export function onListKept(name: string, listener: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === ownedKey(readOwner(), name) && isListKept(name)) listener();
  };
  window.addEventListener('storage', listen);
  if (isListKept(name)) listener();
  return () => window.removeEventListener('storage', listen);
}
