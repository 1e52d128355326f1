import { atom, useAtomValue } from 'jotai';
import { useEffect, useMemo } from 'react';
import type { EventData } from '#contract/platform/events/event';
import { t } from '#contract/platform/text/constants/texts';
import { emit } from '../../../platform/api/connection.ts';
import { firstWord } from '../../../platform/format/format.ts';
import { store } from '../../../platform/session/session.ts';

/** Somebody who was typing has stopped when nothing came for this long. */
const TYPING_TTL_MS = 6_000;
/** While the user types, the other side is notified this often. */
const NOTIFY_INTERVAL_MS = 2_500;
/** The user has stopped typing after this long without a key. */
const STOPPED_AFTER_MS = 4_000;

/** The name of who is typing for a farm, or empty where it is the person, by the id of the conversation. */
const typistsAtom = atom<Readonly<Record<string, string>>>({});
const ends = new Map<string, ReturnType<typeof setTimeout>>();

/** Records that someone is typing to the user, or has stopped. */
export function setTyping({ from, isTyping, name = '' }: EventData<'typing'>): void {
  if (!isTyping && !(from in store.get(typistsAtom))) return;
  clearTimeout(ends.get(from));
  if (isTyping)
    ends.set(
      from,
      setTimeout(() => setTyping({ from, isTyping: false }), TYPING_TTL_MS),
    );
  store.set(typistsAtom, ({ [from]: _, ...others }) =>
    isTyping ? { ...others, [from]: name } : others,
  );
}

/** Returns who is typing to the user for this farm, empty where it is the person; undefined while nobody is. */
export const useTyping = (userId: string): string | undefined =>
  useAtomValue(typistsAtom, { store })[userId];

/** 'Ann is typing…', or 'is typing…' where it is the person of the conversation. */
export const describeTyping = (typist: string): string =>
  typist === '' ? t('is typing…') : t('{name} is typing…', { name: firstWord(typist) });

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
