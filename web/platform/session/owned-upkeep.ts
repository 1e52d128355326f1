import { ownedKey, ownerOf, readOwner, SEEN_AT, VISITOR } from './owned.ts';
import { tryStorage } from './stored-atom.ts';

/** How long what is kept for a person waits for them to come back, in milliseconds. */
const KEPT_MS = 30 * 86_400_000;
/** How often it is noted that a person was here, in milliseconds. */
const NOTED_EVERY_MS = 3_600_000;
const AREAS = ['localStorage', 'sessionStorage'] as const;

/** Notes that the signed-in person is here, and removes what is kept for people who were not for too long. */
export function pruneOwned(now = Date.now()): void {
  tryStorage(() => {
    const present = readOwner();
    const owners = new Set(Object.keys(localStorage).flatMap((key) => ownerOf(key) ?? []));
    for (const owner of owners.add(present)) {
      const key = ownedKey(owner, SEEN_AT);
      const seenAt = Number(localStorage.getItem(key));
      const isNoted = seenAt > 0 && seenAt <= now;
      const isPresent = owner === present && owner !== VISITOR;
      if (!isNoted || (isPresent && now - seenAt >= NOTED_EVERY_MS)) {
        localStorage.setItem(key, String(now));
      } else if (!isPresent && now - seenAt >= KEPT_MS) removeOwned(owner);
    }
  });
}

/** Removes all that is kept for a person. */
export function removeOwned(owner: string): void {
  for (const area of AREAS) {
    tryStorage(() => {
      for (const key of Object.keys(globalThis[area])) {
        if (ownerOf(key) === owner) globalThis[area].removeItem(key);
      }
    });
  }
}
