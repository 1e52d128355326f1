import { isRecordOf, isText } from '../../platform/api/check.ts';
import { ownedAtom } from '../../platform/session/owned.ts';
import { store } from '../../platform/session/session.ts';

/** The maximum number of drafts; the oldest are dropped. */
const MAX_DRAFTS = 50;

type Drafts = Readonly<Record<string, string>>;

/** What a person has written and not sent, by the id of whom they write to. */
const draftsAtom = ownedAtom<Drafts>('message-drafts', isRecordOf(isText), {});

/** Returns the draft of a person to `receiver`, or an empty string. */
export function readDraft(owner: string, receiver: string): string {
  return store.get(draftsAtom.of(owner))[receiver] ?? '';
}

/** Stores the draft of a person to `receiver`; blank text removes it. */
export function saveDraft(owner: string, receiver: string, text: string): void {
  store.set(draftsAtom.of(owner), (drafts) => {
    const others = Object.entries(drafts).filter(([other]) => other !== receiver);
    const kept = text.trim() === '' ? others : [...others, [receiver, text] as const];
    return Object.fromEntries(kept.slice(-MAX_DRAFTS));
  });
}
