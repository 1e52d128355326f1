/** The name of the kept work in localStorage. */
export const KEPT_WORK_KEY = 'kept-pick-work';

/** Returns whether this browser keeps work of a pick list that is not sent yet, without loading what sends it. */
export function isWorkKept(): boolean {
  try {
    return (localStorage.getItem(KEPT_WORK_KEY) ?? '[]') !== '[]';
  } catch {
    // Storage is forbidden: nothing can be kept.
    return false;
  }
}
