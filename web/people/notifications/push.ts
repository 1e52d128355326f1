import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { notificationsApi } from '#contract/people/notifications/constants';
import type { SubscribePush } from '#contract/people/notifications/notifications';
import { t } from '#contract/platform/text/constants/texts';
import { call } from '../../platform/api/api.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { isText } from '../../platform/api/check.ts';
import { onSessionEnded, readToken, store, useAuth } from '../../platform/session/session.ts';
import { storedAtom } from '../../platform/session/stored-atom.ts';
import { toast, toastError } from '../../platform/ui/feedback/toast.ts';
import { notificationsKeys } from './events.ts';

const SERVICE_WORKER_PATH = '/sw.js';

/** The id of the user whose push messages this browser shows. */
const ownerAtom = storedAtom<string | null>('push-owner', isText, null);
/** For which session and role the server was asked last whether this browser still gets push messages. */
const askedAtom = storedAtom<string | null>('push-asked', isText, null);

/** The state of push messages in this browser; `denied` means that the user blocked them. */
export type PushState = 'unsupported' | 'denied' | 'on' | 'off';

function isSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && t('Notification') in window;
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(SERVICE_WORKER_PATH);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

async function readState(): Promise<PushState> {
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return (await currentSubscription()) ? 'on' : 'off';
}

/** Must be called in a click handler, or browsers do not ask for permission. */
async function turnOn(userId: string): Promise<PushState> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off';
  const { data } = await call(notificationsApi.pushKey);
  await navigator.serviceWorker.register(SERVICE_WORKER_PATH);
  const { pushManager } = await navigator.serviceWorker.ready;
  // An existing subscription may have been created with another key.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: data.publicKey,
  });
  try {
    await call(notificationsApi.subscribePush, {
      body: subscription.toJSON() as SubscribePush,
    });
  } catch (error) {
    await subscription.unsubscribe();
    throw error;
  }
  // Only now: `useOwnPush` ends a subscription of its owner that the server does not know.
  store.set(ownerAtom, userId);
  return 'on';
}

async function turnOff(): Promise<PushState> {
  const subscription = await currentSubscription();
  if (!subscription) return 'off';
  await call(notificationsApi.unsubscribePush, { body: { endpoint: subscription.endpoint } });
  await subscription.unsubscribe();
  return 'off';
}

/** Ends the push subscription of this browser. */
async function endPush(cache: QueryClient): Promise<void> {
  // The push service reports the end of the subscription to our server.
  const hasEnded = await (await currentSubscription())?.unsubscribe();
  if (hasEnded) await cache.invalidateQueries({ queryKey: notificationsKeys.pushState() });
}

/** Goes on with the push messages of the session before, unless the server ended them with it. */
async function renewPush(cache: QueryClient): Promise<void> {
  const subscription = await currentSubscription();
  if (!subscription) return;
  const body = { endpoint: subscription.endpoint };
  const { data } = await call(notificationsApi.renewPush, { body });
  if (!data.isSubscribed) await endPush(cache);
}

/**
 * Ends the push subscription of this browser on sign-out, or when another user signs in. After a session that has run
 * out, or was ended elsewhere, the server says at the next sign-in whether it goes on.
 */
export function useOwnPush(): void {
  const cache = useQueryClient();
  const { user, token } = useAuth();
  const id = user?._id;
  const owner = useAtomValue(ownerAtom);
  const isOtherUsers = id !== undefined && owner !== id;
  useEffect(() => {
    if (isOtherUsers && isSupported()) endPush(cache).catch(() => undefined);
  }, [isOtherUsers, cache]);
  const session = token && `${token.slice(-24)} ${user.membership?.role ?? user.role}`;
  useEffect(() => {
    if (session === null || isOtherUsers || !isSupported()) return;
    if (store.get(askedAtom) === session) return;
    renewPush(cache).then(
      () => store.set(askedAtom, session),
      () => undefined,
    );
  }, [session, isOtherUsers, cache]);
  useEffect(() => {
    let isRejected = false;
    const stop = onSessionEnded(() => {
      isRejected = true;
    });
    return () => {
      stop();
      if (readToken() === null && !isRejected && isSupported()) {
        endPush(cache).catch(() => undefined);
      }
    };
  }, [cache]);
}

/** Returns the state of push messages in this browser and a function to change it. */
export function usePush() {
  const cache = useQueryClient();
  const { user } = useAuth();
  const state = useQuery({
    queryKey: notificationsKeys.pushState(),
    queryFn: readState,
    staleTime: 0,
  });
  const change = useMutation({
    mutationFn: (isOn: boolean) => (isOn && user ? turnOn(user._id) : turnOff()),
    onSuccess: (next) => {
      cache.setQueryData(notificationsKeys.pushState(), next);
      if (next === 'denied')
        toast.info(t('Notifications are blocked in this browser. Allow them for this site first.'));
    },
    onError: (error) => {
      if (error instanceof ApiError) toastError(error);
      else toast.error(t("Push messages couldn't be turned on in this browser."));
    },
  });
  return {
    state: state.data,
    isChanging: change.isPending,
    change: (isOn: boolean) => change.mutate(isOn),
  };
}
