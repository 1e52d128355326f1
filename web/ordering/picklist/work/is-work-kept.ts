import { isListQueued } from '../../model/queued-lists.ts';

/** The name under which a person's work is kept. */
export const KEPT_WORK_KEY = 'kept-pick-work';

/** Returns whether work of the signed-in person is kept that is not sent yet, without loading what sends it. */
export const isWorkKept = (): boolean => isListQueued(KEPT_WORK_KEY);
