import type { QueryClient } from '@tanstack/react-query';
import { userAtom } from '../auth/atoms.ts';
import { store } from '../lib/store.ts';
import { refetch } from '../realtime/in-flight.ts';
import type { FeatureReducers } from '../realtime/reducer.ts';
import { mergeMessage, mergeRead } from './merge.ts';
import { setTyping } from './typing.ts';

/** Calls `merge` as the one who is signed in; news of nobody's messages is no news. */
function asReader(merge: (me: string) => void): void {
  const me = store.get(userAtom)?._id;
  if (me !== undefined) merge(me);
}

function readAgain(cache: QueryClient): void {
  refetch(cache, ['messages']);
}

/** Keeps conversations and threads true, and shows who is typing. */
export const messageReducers = {
  'message.created': (cache, event) =>
    asReader((me) => {
      mergeMessage(cache, event.data, me);
      // Whoever has said it is no longer typing it.
      setTyping({ from: event.data.sender._id, isTyping: false });
    }),
  'messages.read': (cache, event) => asReader((me) => mergeRead(cache, event.data, me)),
  typing: (_, event) => setTyping(event.data),
  // Whoever is gone is called 'Deleted user', and can no longer be written to.
  'user.deleted': readAgain,
} satisfies FeatureReducers;
