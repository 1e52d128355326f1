import { isRecordOf, isText } from '../../platform/api/check.ts';
import { draftOfText, readDraft, saveDraft, textOfDraft } from '../../platform/offline/drafts.ts';
import { ownedAtom } from '../../platform/session/owned.ts';
import { store } from '../../platform/session/session.ts';

/** What an earlier release kept, by the id of the receiver. */
const earlierAtom = ownedAtom<Record<string, string> | null>(
  'message-drafts',
  isRecordOf(isText),
  null,
);

/** Returns what a person has written to `receiver` and not sent, or an empty string. */
export function readMessageDraft(owner: string, receiver: string): string {
  const earlier = earlierAtom.of(owner).readStored();
  if (earlier) {
    for (const [other, text] of Object.entries(earlier)) saveMessageDraft(owner, other, text);
    store.set(earlierAtom.of(owner), null);
  }
  return textOfDraft(readDraft(keyOf(receiver), owner));
}

/** Stores what a person has written to `receiver`; blank text removes it. */
export const saveMessageDraft = (owner: string, receiver: string, text: string): void =>
  saveDraft(keyOf(receiver), draftOfText(text), owner);

const keyOf = (receiver: string): string => `message:${receiver}`;
