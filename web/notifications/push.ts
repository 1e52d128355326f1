import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SubscribePush } from '#contract/notifications';
import { type Answer, api } from '../lib/api.ts';
import { ApiError } from '../lib/api-error.ts';
import { toast, toastError } from '../ui/toast.ts';

const WORKER = '/sw.js';
const KEY = ['push-in-this-browser'] as const;

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
async function turnOn(): Promise<PushState> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off';
  const { data } = await api.get<Answer<{ publicKey: string }>>('/notifications/push-key');
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  // One made with another key, by someone else perhaps, cannot be used.
  await (await pushManager.getSubscription())?.unsubscribe();
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

/** For whoever has signed out: this browser shows their push messages no more. */
export async function endPush(): Promise<void> {
  if (!isSupported()) return;
  // The push service tells the market by itself that the subscription is over.
  await (await currentSubscription())?.unsubscribe();
}

/** Push messages in this browser: how it stands, and how to switch them. */
export function usePush() {
  const cache = useQueryClient();
  const state = useQuery({ queryKey: KEY, queryFn: readState, staleTime: 0 });
  const change = useMutation({
    mutationFn: (isOn: boolean) => (isOn ? turnOn() : turnOff()),
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
