import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { EventData } from '#contract/realtime';
import { say } from '../realtime/line.ts';

/** Milliseconds after which someone who was typing and says nothing more is taken to have stopped. */
const FADES = 6_000;
/** Milliseconds between two tellings that one is typing. */
const AGAIN = 2_500;
/** Milliseconds without a key after which one has stopped typing. */
const PAUSE = 4_000;

const typing = new Map<string, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes in that someone is typing to us, or has stopped. */
export function setTyping({ from, isTyping }: EventData<'typing'>): void {
  const before = typing.get(from);
  if (before === undefined && !isTyping) return;
  clearTimeout(before);
  if (isTyping)
    typing.set(
      from,
      setTimeout(() => setTyping({ from, isTyping: false }), FADES),
    );
  else typing.delete(from);
  changed();
}

/** Whether this person is typing to us at this moment. */
export function useIsTyping(userId: string): boolean {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => typing.has(userId), [userId]),
  );
}

/** Tells someone that we are typing to them: `typed` with every key, `stopped` when done. */
export function useTellTyping(to: string): { typed: () => void; stopped: () => void } {
  const teller = useMemo(() => {
    let toldAt = 0;
    let pause: ReturnType<typeof setTimeout> | undefined;
    const stopped = () => {
      clearTimeout(pause);
      if (toldAt === 0) return;
      toldAt = 0;
      say('typing', { to, isTyping: false });
    };
    const typed = () => {
      clearTimeout(pause);
      pause = setTimeout(stopped, PAUSE);
      const now = Date.now();
      if (now - toldAt < AGAIN) return;
      toldAt = now;
      say('typing', { to, isTyping: true });
    };
    return { typed, stopped };
  }, [to]);
  useEffect(() => teller.stopped, [teller]);
  return teller;
}
