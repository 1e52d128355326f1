import { isRecordOf, isText } from '../lib/check.ts';
import { store } from '../lib/store.ts';
import { storedAtom } from '../lib/stored-atom.ts';

/** The maximum number of drafts; the oldest are dropped. */
const MAX_DRAFTS = 50;

type Drafts = Readonly<Record<string, string>>;

const draftsAtom = storedAtom<Drafts>('message-drafts', isRecordOf(isText), {});

/** Returns the key of a draft. It contains the owner because several people may use one browser. */
const draftKey = (owner: string, receiver: string) => `${owner} ${receiver}`;

/** Returns the draft of `owner` to `receiver`, or an empty string. */
export function readDraft(owner: string, receiver: string): string {
  return store.get(draftsAtom)[draftKey(owner, receiver)] ?? '';
}

/** Stores the draft of `owner` to `receiver`; blank text removes it. */
export function saveDraft(owner: string, receiver: string, text: string): void {
  store.set(draftsAtom, (drafts) => {
    const name = draftKey(owner, receiver);
    const others = Object.entries(drafts).filter(([other]) => other !== name);
    const kept = text.trim() === '' ? others : [...others, [name, text] as const];
    return Object.fromEntries(kept.slice(-MAX_DRAFTS));
  });
}
