import { isListKept } from '../lib/is-list-kept.ts';

/** The name of the kept work in localStorage. */
export const KEPT_WORK_KEY = 'kept-pick-work';

/** Returns whether this browser keeps work of a pick list that is not sent yet, without loading what sends it. */
export const isWorkKept = (): boolean => isListKept(KEPT_WORK_KEY);
