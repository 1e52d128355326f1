// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import {
  aToken,
  aUser,
  type Call,
  type Reply,
  refusal,
  stubNetwork,
} from '../../platform/testing/network.ts';
import { toast } from '../../platform/ui/feedback/toast.ts';
import {
  isWaitingAtom,
  removeUnsent,
  retryUnsent,
  sendThroughOutbox,
  type Unsent,
  unsentAtom,
  watchOutbox,
} from './outbox.ts';

const me = aUser('consumer');
const farmer = aUser('farmer');
const cache = new QueryClient();

const unsent = (number: number, owner = me._id): Unsent => ({
  _id: `0000000${number}-0000-4000-8000-000000000000`,
  owner,
  receiver: farmer._id,
  content: `Message ${number}`,
  createdAt: `2026-11-22T10:0${number}:00.000Z`,
});
const accept = ({ body }: Call): Reply => ({
  status: 201,
  body: {
    success: true,
    data: { ...(body as object), sender: me, receiver: farmer, isRead: false, createdAt: '' },
  },
});
const sent = (calls: readonly Call[]) =>
  calls.map(({ body }) => (body as { content: string }).content);
const left = () => store.get(unsentAtom).map(({ content }) => content);

let stop: (() => void) | undefined;
beforeEach(() => {
  vi.useFakeTimers();
  store.set(tokenAtom, aToken);
  store.set(userAtom, me);
});
afterEach(() => {
  stop?.();
  stop = undefined;
  store.set(unsentAtom, []);
  store.set(isWaitingAtom, false);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('waits without an answer, and sends in order when the connection is back', async () => {
  let isAway = true;
  const calls = stubNetwork({
    'POST /messages': (call) => (isAway ? 'no answer' : accept(call)),
  });
  stop = watchOutbox(cache);
  sendThroughOutbox(cache, unsent(1));
  sendThroughOutbox(cache, unsent(2));
  await vi.advanceTimersByTimeAsync(0);
  expect(store.get(isWaitingAtom)).toBe(true);
  expect(left()).toEqual(['Message 1', 'Message 2']);
  isAway = false;
  calls.length = 0;
  window.dispatchEvent(new Event('online'));
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent(calls)).toEqual(['Message 1', 'Message 2']);
  expect(left()).toEqual([]);
  expect(store.get(isWaitingAtom)).toBe(false);
});

it('keeps a refused message with its reason, says it in a toast, sends the others, and repeats it on request', async () => {
  const toasted = vi.spyOn(toast, 'error');
  let isRude = true;
  const calls = stubNetwork({
    'POST /messages': (call) =>
      isRude && sent([call])[0] === 'Message 1' ? refusal(400, 'Too rude.') : accept(call),
  });
  sendThroughOutbox(cache, unsent(1));
  sendThroughOutbox(cache, unsent(2));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent(calls)).toEqual(['Message 1', 'Message 2']);
  expect(store.get(unsentAtom)).toEqual([{ ...unsent(1), refusal: 'Too rude.' }]);
  expect(toasted.mock.calls.map(([text]) => text)).toEqual(['Too rude.']);
  isRude = false;
  retryUnsent(cache, unsent(1)._id);
  await vi.advanceTimersByTimeAsync(0);
  expect(left()).toEqual([]);
});

it('does not send what was discarded while it waited', async () => {
  const calls = stubNetwork({ 'POST /messages': 'no answer' });
  sendThroughOutbox(cache, unsent(1));
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toHaveLength(1);
  removeUnsent(unsent(1)._id);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls).toHaveLength(1);
});

it("sends in a farm's name only what was written for that farm", async () => {
  const seller = (farmId: string) => ({
    ...aUser('farmer'),
    membership: { farmId, role: 'seller' as const },
  });
  store.set(unsentAtom, [
    { ...unsent(1), identity: 'old farm' },
    { ...unsent(2), identity: 'new farm' },
  ]);
  const calls = stubNetwork({ 'POST /messages': accept });
  store.set(userAtom, { ...seller('new farm'), _id: me._id });
  stop = watchOutbox(cache);
  await vi.advanceTimersByTimeAsync(0);
  expect(sent(calls)).toEqual(['Message 2']);
  expect(left()).toEqual(['Message 1']);
});
