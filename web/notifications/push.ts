import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import type { SubscribePush } from '#contract/notifications';
import { useAuth } from '../auth/use-auth.ts';
import { type Answer, api } from '../lib/api.ts';
import { ApiError } from '../lib/api-error.ts';
import { readToken } from '../lib/session.ts';
import { store } from '../lib/store.ts';
import { storedAtom } from '../lib/stored-atom.ts';
import { toast, toastError } from '../ui/toast.ts';

const WORKER = '/sw.js';
const KEY = ['push-in-this-browser'] as const;

/** Whose push messages this browser shows, by their id. */
const ownerAtom = storedAtom<string | null>(
  'push-owner',
  {
    safeParse: (value) =>
      typeof value === 'string' ? { success: true, data: value } : { success: false },
  },
  null,
);

/** Whether this browser shows push messages: it cannot, it was forbidden to, or it is on or off. */
export type PushState = 'unsupported' | 'denied' | 'on' | 'off';

function isSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

async function readState(): Promise<PushState> {
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return (await currentSubscription()) ? 'on' : 'off';
}

/** Must be called by a press: browsers ask for permission only then. */
async function turnOn(userId: string): Promise<PushState> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off';
  const { data } = await api.get<Answer<{ publicKey: string }>>('/notifications/push-key');
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  // One made with another key, by someone else perhaps, cannot be used.
  await (await pushManager.getSubscription())?.unsubscribe();
  store.set(ownerAtom, userId);
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: data.publicKey,
  });
  try {
    await api.post('/notifications/push-subscriptions', subscription.toJSON() as SubscribePush);
  } catch (error) {
    await subscription.unsubscribe();
    throw error;
  }
  return 'on';
}

async function turnOff(): Promise<PushState> {
  const subscription = await currentSubscription();
  if (!subscription) return 'off';
  await api.del('/notifications/push-subscriptions', { body: { endpoint: subscription.endpoint } });
  await subscription.unsubscribe();
  return 'off';
}

/** This browser shows push messages no more. */
async function endPush(cache: QueryClient): Promise<void> {
  // The push service tells the market by itself that the subscription is over.
  const hasEnded = await (await currentSubscription())?.unsubscribe();
  if (hasEnded) await cache.invalidateQueries({ queryKey: KEY });
}

/**
 * Sees to it that this browser shows nobody's push messages but those of who is signed in: they end
 * with a sign-out and, where a session ended unseen, when somebody else signs in.
 */
export function useOwnPush(): void {
  const cache = useQueryClient();
  const id = useAuth().user?._id;
  const owner = useAtomValue(ownerAtom);
  const isAnothers = id !== undefined && owner !== id;
  useEffect(() => {
    if (isAnothers && isSupported()) endPush(cache).catch(() => undefined);
  }, [isAnothers, cache]);
  useEffect(
    () => () => {
      if (readToken() === null && isSupported()) endPush(cache).catch(() => undefined);
    },
    [cache],
  );
}

/** Push messages in this browser: how it stands, and how to switch them. */
export function usePush() {
  const cache = useQueryClient();
  const { user } = useAuth();
  const state = useQuery({ queryKey: KEY, queryFn: readState, staleTime: 0 });
  const change = useMutation({
    mutationFn: (isOn: boolean) => (isOn && user ? turnOn(user._id) : turnOff()),
    onSuccess: (next) => {
      cache.setQueryData(KEY, next);
      if (next === 'denied') toast.info('Your browser does not allow notifications for this site.');
    },
    onError: (error) => {
      if (error instanceof ApiError) toastError(error);
      else toast.error('Push messages could not be switched on in this browser.');
    },
  });
  return {
    state: state.data,
    isChanging: change.isPending,
    change: (isOn: boolean) => change.mutate(isOn),
  };
}
