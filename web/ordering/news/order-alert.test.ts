// @vitest-environment happy-dom

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ownedKey } from '../../platform/session/owned.ts';
import { store, userAtom } from '../../platform/session/session.ts';
import { aUser } from '../../platform/testing/network.ts';
import { anOrder } from '../../platform/testing/orders.ts';
import {
  playOrderSound,
  repeatOrderSound,
  SOUND_REPEAT_MS,
} from '../../platform/ui/feedback/sound.ts';
import { registerToaster } from '../../platform/ui/feedback/toast.ts';
import {
  announceOrder,
  clearAlerts,
  followOtherTabs,
  orderChanged,
  orderSeen,
} from './order-alert.ts';

vi.mock('../../platform/ui/feedback/sound.ts', () => ({
  SOUND_REPEAT_MS: 30_000,
  playOrderSound: vi.fn(async () => undefined),
  repeatOrderSound: vi.fn(async () => undefined),
}));

const SEEN_KEY = ownedKey(anOrder(1).farmer._id, 'orders-seen');
const toasts: string[] = [];
const dismiss = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  toasts.length = 0;
  const show = (message: string) => toasts.push(message);
  registerToaster({ success: show, error: show, info: show, warning: show, dismiss });
  store.set(userAtom, { ...aUser('farmer'), _id: anOrder(1).farmer._id });
});
afterEach(() => {
  clearAlerts();
  vi.useRealTimers();
});

it('rings again until every new order was seen or answered', async () => {
  announceOrder(anOrder(1));
  announceOrder(anOrder(2));
  expect(playOrderSound).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(SOUND_REPEAT_MS * 2);
  expect(repeatOrderSound).toHaveBeenCalledTimes(2);
  orderSeen(anOrder(1)._id);
  await vi.advanceTimersByTimeAsync(SOUND_REPEAT_MS);
  expect(repeatOrderSound).toHaveBeenCalledTimes(3);
  orderChanged({ ...anOrder(2), status: 'accepted' });
  await vi.advanceTimersByTimeAsync(SOUND_REPEAT_MS * 3);
  expect(repeatOrderSound).toHaveBeenCalledTimes(3);
  expect(dismiss).toHaveBeenCalledWith('new-orders');
});

it('is quiet about what was seen in another tab', async () => {
  const stopFollowing = followOtherTabs();
  announceOrder(anOrder(1));
  announceOrder(anOrder(2));
  const seenElsewhere = (id: string) =>
    window.dispatchEvent(new StorageEvent('storage', { key: SEEN_KEY, newValue: `${id} 1` }));
  seenElsewhere(anOrder(2)._id);
  expect(toasts.at(-1)).toMatch(/^New order from /);
  seenElsewhere('all');
  await vi.advanceTimersByTimeAsync(SOUND_REPEAT_MS * 2);
  expect(repeatOrderSound).not.toHaveBeenCalled();
  expect(dismiss).toHaveBeenCalledWith('new-orders');
  stopFollowing();
});

it('notifies the other tabs of what was seen here', () => {
  localStorage.removeItem(SEEN_KEY);
  orderSeen(anOrder(1)._id);
  expect(localStorage.getItem(SEEN_KEY)).toBeNull();
  announceOrder(anOrder(1));
  orderSeen(anOrder(1)._id);
  expect(localStorage.getItem(SEEN_KEY)).toContain(anOrder(1)._id);
});
