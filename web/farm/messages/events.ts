import { refetch } from '../../platform/realtime/in-flight.ts';
import { type FeatureReducers, refetchAbout } from '../../platform/realtime/reducer.ts';
import { senderIdOf, store, userAtom } from '../../platform/session/session.ts';
import { mergeMessage, mergeRead, messagesKeys } from './merge.ts';
import { setTyping } from './thread/typing.ts';

/** Calls `merge` with the id as which the signed-in user writes; does nothing for a visitor. */
function asSignedInUser(merge: (me: string) => void): void {
  const me = senderIdOf(store.get(userAtom));
  if (me !== undefined) merge(me);
}

/** Keeps conversations and threads current, and shows who is typing. */
export const messageReducers = {
  'message.created': (cache, event) =>
    asSignedInUser((me) => {
      mergeMessage(cache, event.data, me);
      // The sender has stopped typing.
      setTyping({ from: event.data.sender._id, isTyping: false });
    }),
  'messages.read': (cache, event) => asSignedInUser((me) => mergeRead(cache, event.data, me)),
  typing: (_, event) => setTyping(event.data),
  // Conversations show 'Deleted user' for deleted accounts and are read-only.
  'user.deleted': (cache) => refetch(cache, messagesKeys.all),
  'farmer.deleted': (cache, event) => refetchAbout(cache, messagesKeys.all, event.data._id),
  // Off the market, a farm writes only with whom has ordered there.
  'farmer.listingChanged': (cache, event) => refetchAbout(cache, messagesKeys.all, event.data._id),
} satisfies FeatureReducers;
