/** The name under which a browser keeps the sessions that are still to be ended on the server. */
export const LOGOUTS_KEY = 'logouts';

/** Returns whether localStorage has a list under this key that is not empty, without loading what knows the list. */
export function isListAt(key: string): boolean {
  try {
    return (localStorage.getItem(key) ?? '[]') !== '[]';
  } catch {
    // Storage is forbidden: nothing can be kept.
    return false;
  }
}
