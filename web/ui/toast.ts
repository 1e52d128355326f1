import type { ExternalToast } from 'sonner';
import { errorMessage } from '../lib/api-error.ts';

type Kind = 'success' | 'error' | 'info' | 'warning';
type Toaster = Record<Kind, (message: string, options?: ExternalToast) => unknown>;
type QueuedToast = { kind: Kind; message: string; options: ExternalToast | undefined };

const queue: QueuedToast[] = [];
let toaster: Toaster | undefined;
let isRequested = false;
const listeners = new Set<() => void>();

function show(kind: Kind, message: string, options?: ExternalToast): void {
  if (toaster) {
    toaster[kind](message, options);
    return;
  }
  queue.push({ kind, message, options });
  isRequested = true;
  for (const listener of listeners) listener();
}

/**
 * Shows a short message at the top right for 3 s. The toaster is loaded with the first message.
 */
export const toast = {
  success: (message: string, options?: ExternalToast) => show('success', message, options),
  error: (message: string, options?: ExternalToast) => show('error', message, options),
  info: (message: string, options?: ExternalToast) => show('info', message, options),
  warning: (message: string, options?: ExternalToast) => show('warning', message, options),
};

/** Shows an error's message in a toast. Can be used as a mutation's `onError`. */
export function toastError(error: unknown): void {
  toast.error(errorMessage(error));
}

/** For `ToasterHost`: whether the toaster must be loaded. */
export const toasterRequest = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: () => isRequested,
};

/** Registers the loaded toaster, which shows the queued messages and all further ones. */
export function registerToaster(loaded: Toaster): void {
  toaster = loaded;
  for (const { kind, message, options } of queue.splice(0)) loaded[kind](message, options);
}
