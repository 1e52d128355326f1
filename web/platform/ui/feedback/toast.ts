import type { ExternalToast } from 'sonner';
import { t } from '#contract/platform/text/constants/texts';
import { ApiError, errorMessage, isVersionConflict, SESSION_ENDED } from '../../api/api-error.ts';
import { createListeners } from '../../hooks/listen.ts';

type Kind = 'success' | 'error' | 'info' | 'warning';
type Toaster = Record<Kind, (message: string, options?: ExternalToast) => unknown> & {
  dismiss: (id: string) => unknown;
};
type QueuedToast = { kind: Kind; message: string; options: ExternalToast | undefined };

/** The id of the one toast about missing answers. */
const NETWORK_TOAST_ID = 'no-answer';
/** Long enough for somebody who is busy finding out why the connection is lost. */
const NETWORK_TOAST_MS = 8_000;

let queue: QueuedToast[] = [];
let toaster: Toaster | undefined;
let isRequested = false;
const requests = createListeners();

const show =
  (kind: Kind) =>
  (message: string, options?: ExternalToast): void => {
    if (toaster) return void toaster[kind](message, options);
    queue.push({ kind, message, options });
    requestToaster();
  };

/** Loads the toaster before the first message, which may be that there is no network. */
export function requestToaster(): void {
  if (isRequested) return;
  isRequested = true;
  requests.notify();
}

function dismiss(id: string): void {
  queue = queue.filter(({ options }) => options?.id !== id);
  toaster?.dismiss(id);
}

/**
 * Shows a short message for 3 s: at the top of the end side, on phones at the bottom. `dismiss` takes back the one with this id.
 */
export const toast = {
  success: show('success'),
  error: show('error'),
  info: show('info'),
  warning: show('warning'),
  dismiss,
};

/**
 * Shows an error's message in a toast. Can be used as a mutation's `onError`. However many calls get no
 * answer, there is one toast about it. What the end of the session refused is said once there is a session again.
 */
export function toastError(error: unknown): void {
  if (error instanceof ApiError && error.code === SESSION_ENDED) return;
  const isUnanswered = error instanceof ApiError && error.isOffline;
  toast.error(
    errorMessage(error),
    isUnanswered ? { id: NETWORK_TOAST_ID, duration: NETWORK_TOAST_MS } : undefined,
  );
}

/** Says that what was just done is sent when the connection is back. */
export function toastKept(): void {
  toast.info(
    navigator.onLine
      ? t("No answer from the market. We'll send this again in a moment.")
      : t("You're offline. We'll send this when you're back."),
    { id: NETWORK_TOAST_ID, duration: NETWORK_TOAST_MS },
  );
}

/**
 * Shows an error of saving an edit in a toast, as {@link toastError}, but no conflict of versions: the form
 * settles it, or shows it at its fields.
 */
export function toastErrorOfEdit(error: unknown): void {
  if (!isVersionConflict(error)) toastError(error);
}

/** Takes back the toast about missing answers, which is out of date once the connection is there. */
export const dismissNetworkToast = (): void => dismiss(NETWORK_TOAST_ID);

/** For `ToasterHost`: whether the toaster must be loaded. */
export const toasterRequest = { subscribe: requests.add, get: () => isRequested };

/** Registers the loaded toaster, which shows the queued messages and all further ones. */
export function registerToaster(loaded: Toaster): void {
  toaster = loaded;
  const queued = queue;
  queue = [];
  for (const { kind, message, options } of queued) loaded[kind](message, options);
}
