// @vitest-environment happy-dom

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { store, userAtom } from '../../platform/session/session.ts';
import { aUser } from '../../platform/testing/network.ts';
import { anOrder } from '../../platform/testing/orders.ts';
import { registerToaster } from '../../platform/ui/feedback/toast.ts';
import {
  announceOrder,
  clearAlerts,
  leaveToSheet,
  orderChanged,
  orderSeen,
} from './order-alert.ts';

const toasts: string[] = [];
const dismiss = vi.fn();

beforeEach(() => {
  vi.clearAllMocks();
  toasts.length = 0;
  const show = (message: string) => toasts.push(message);
  registerToaster({ success: show, error: show, info: show, warning: show, dismiss });
  store.set(userAtom, { ...aUser('farmer'), _id: anOrder(1).farmer._id });
});
afterEach(() => {
  clearAlerts();
  leaveToSheet([]);
});

it('shows new orders until each was seen or answered', () => {
  announceOrder(anOrder(1));
  announceOrder(anOrder(2));
  expect(toasts.at(-1)).toBe('2 new orders');
  orderSeen(anOrder(1)._id);
  expect(toasts.at(-1)).toMatch(/^New order from /);
  expect(dismiss).not.toHaveBeenCalled();
  orderChanged({ ...anOrder(2), status: 'accepted' });
  expect(dismiss).toHaveBeenCalledWith('new-orders');
});

it.each(['before', 'after'])('leaves an order to the sheet that rings %s it came', (when) => {
  if (when === 'after') announceOrder(anOrder(1));
  leaveToSheet([anOrder(1)._id]);
  if (when === 'before') announceOrder(anOrder(1));
  expect(dismiss.mock.calls.length).toBe(when === 'after' ? 1 : 0);
  toasts.length = 0;
  announceOrder(anOrder(2));
  expect(toasts).toEqual([expect.stringMatching(/^New order from /)]);
});

it('shows nothing of other farms, or of what is answered already', () => {
  announceOrder({ ...anOrder(1), status: 'accepted' });
  store.set(userAtom, aUser('consumer'));
  announceOrder(anOrder(1));
  expect(toasts).toEqual([]);
});
