import type { ExternalToast } from 'sonner';
import { errorSentence } from '../lib/api-error.ts';

type Kind = 'success' | 'error' | 'info' | 'warning';
type Toaster = Record<Kind, (message: string, options?: ExternalToast) => unknown>;
type Waiting = { kind: Kind; message: string; options: ExternalToast | undefined };

const waiting: Waiting[] = [];
let toaster: Toaster | undefined;
let wanted = false;
const listeners = new Set<() => void>();

function say(kind: Kind, message: string, options?: ExternalToast): void {
  if (toaster) {
    toaster[kind](message, options);
    return;
  }
  waiting.push({ kind, message, options });
  wanted = true;
  for (const listener of listeners) listener();
}

/**
 * Short words at the top right that leave by themselves after 3 s. What shows them is loaded with
 * the first one.
 */
export const toast = {
  success: (message: string, options?: ExternalToast) => say('success', message, options),
  error: (message: string, options?: ExternalToast) => say('error', message, options),
  info: (message: string, options?: ExternalToast) => say('info', message, options),
  warning: (message: string, options?: ExternalToast) => say('warning', message, options),
};

/** Says what went wrong, in the words of the error. Fits a mutation's `onError`. */
export function toastError(error: unknown): void {
  toast.error(errorSentence(error));
}

/** For the host of the toaster: whether anything has been said yet. */
export const toasterWanted = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: () => wanted,
};

/** For the toaster, once it is there: takes what was said before, and all that follows. */
export function toasterReady(here: Toaster): void {
  toaster = here;
  for (const { kind, message, options } of waiting.splice(0)) here[kind](message, options);
}
