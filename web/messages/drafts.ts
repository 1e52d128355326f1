import { store } from '../lib/store.ts';
import { storedAtom } from '../lib/stored-atom.ts';

/** How many drafts are kept; the oldest go first. */
const DRAFTS_MAX = 50;

type Drafts = Readonly<Record<string, string>>;

const draftsAtom = storedAtom<Drafts>(
  'message-drafts',
  {
    safeParse: (value) =>
      typeof value === 'object' &&
      value !== null &&
      Object.values(value).every((text) => typeof text === 'string')
        ? { success: true, data: value as Drafts }
        : { success: false },
  },
  {},
);

/** Several people may use one browser: a draft is of its writer. */
const nameOf = (owner: string, receiver: string) => `${owner} ${receiver}`;

/** What `owner` had begun to write to `receiver`. */
export function readDraft(owner: string, receiver: string): string {
  return store.get(draftsAtom)[nameOf(owner, receiver)] ?? '';
}

/** Keeps what `owner` has begun to write to `receiver`; nothing is kept of blank text. */
export function keepDraft(owner: string, receiver: string, text: string): void {
  store.set(draftsAtom, (drafts) => {
    const name = nameOf(owner, receiver);
    const others = Object.entries(drafts).filter(([other]) => other !== name);
    const kept = text.trim() === '' ? others : [...others, [name, text] as const];
    return Object.fromEntries(kept.slice(-DRAFTS_MAX));
  });
}
