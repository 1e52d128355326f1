import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { EventData } from '#contract/platform/events/event';
import { emit } from '../../../platform/api/connection.ts';
import { firstWord } from '../../../platform/format/format.ts';

/** Somebody who was typing has stopped when nothing came for this long. */
const TYPING_TTL_MS = 6_000;
/** While the user types, the other side is notified this often. */
const NOTIFY_INTERVAL_MS = 2_500;
/** The user has stopped typing after this long without a key. */
const STOPPED_AFTER_MS = 4_000;

/** Who types: the name of whoever does so for a farm, or empty, and when it is over. */
const typing = new Map<string, { name: string; end: ReturnType<typeof setTimeout> }>();
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Records that someone is typing to the user, or has stopped. */
export function setTyping({ from, isTyping, name = '' }: EventData<'typing'>): void {
  const before = typing.get(from);
  if (before === undefined && !isTyping) return;
  clearTimeout(before?.end);
  if (isTyping) {
    const end = setTimeout(() => setTyping({ from, isTyping: false }), TYPING_TTL_MS);
    typing.set(from, { name, end });
  } else typing.delete(from);
  notify();
}

/** Returns who is typing to the user for this farm, empty where it is the person; undefined while nobody is. */
export function useTyping(userId: string): string | undefined {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => typing.get(userId)?.name, [userId]),
  );
}

/** 'Ann is typing…', or 'is typing…' where it is the person of the conversation. */
export const typingInWords = (typist: string): string =>
  `${firstWord(typist)} is typing…`.trimStart();

/** Notifies someone that the user is typing to them: call `typed` with every key, `stopped` when done. */
export function useNotifyTyping(to: string): { typed: () => void; stopped: () => void } {
  const notifier = useMemo(() => {
    let notifiedAt = 0;
    let stopTimer: ReturnType<typeof setTimeout> | undefined;
    const stopped = () => {
      clearTimeout(stopTimer);
      if (notifiedAt === 0) return;
      notifiedAt = 0;
      emit('typing', { to, isTyping: false });
    };
    const typed = () => {
      clearTimeout(stopTimer);
      stopTimer = setTimeout(stopped, STOPPED_AFTER_MS);
      const now = Date.now();
      if (now - notifiedAt < NOTIFY_INTERVAL_MS) return;
      notifiedAt = now;
      emit('typing', { to, isTyping: true });
    };
    return { typed, stopped };
  }, [to]);
  useEffect(() => notifier.stopped, [notifier]);
  return notifier;
}
