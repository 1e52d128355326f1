import { isNumberIn, isObjectOf, isRecordOf, isText } from '../api/check.ts';
import { ownedAtom, ownedKey, readOwner } from '../session/owned.ts';
import { store } from '../session/session.ts';

const DRAFT_MAX_AGE_MS = 7 * 86_400_000;
/** The maximum number of drafts of a person; the oldest are dropped. */
const MAX_DRAFTS = 50;
const SAVE_DELAY_MS = 500;

/** What somebody typed into a form and has not saved: the values of the fields they changed, by their paths. */
export type DraftValues = Readonly<Record<string, unknown>>;
type Draft = { values: DraftValues; savedAt: number };

const isDraft = isObjectOf<Draft>({
  values: isRecordOf((value): value is unknown => value !== undefined),
  savedAt: isNumberIn(0, Number.MAX_SAFE_INTEGER),
});

/** The drafts of a person, by the keys of their forms, the one that was changed last at the end. */
const draftsAtom = ownedAtom<Readonly<Record<string, Draft>>>('drafts', isRecordOf(isDraft), {});

/** What is stored a moment later, so that no key press waits for it. */
const pending = new Map<string, { timer: ReturnType<typeof setTimeout>; save: () => void }>();

function cancel(id: string): void {
  clearTimeout(pending.get(id)?.timer);
  pending.delete(id);
}

const currentDrafts = (owner: string): [string, Draft][] =>
  Object.entries(draftsAtom.of(owner).readStored()).filter(
    ([, { savedAt }]) => Date.now() - savedAt < DRAFT_MAX_AGE_MS,
  );

/** Returns what was typed into a form; undefined for nothing. */
export function readDraft(key: string, owner = readOwner()): DraftValues | undefined {
  flushDrafts();
  return Object.fromEntries(currentDrafts(owner))[key]?.values;
}

/** Stores what is typed into a form; no values remove it. */
export function saveDraft(key: string, values: DraftValues, owner = readOwner()): void {
  cancel(ownedKey(owner, key));
  // Also drops what is too old.
  const others = currentDrafts(owner).filter(([other]) => other !== key);
  const draft = { values, savedAt: Date.now() };
  const all: [string, Draft][] =
    Object.keys(values).length === 0 ? others : [...others, [key, draft]];
  store.set(draftsAtom.of(owner), Object.fromEntries(all.slice(-MAX_DRAFTS)));
}

/** Stores what is typed into a form a moment later, or when the page is hidden or left. */
export function saveDraftSoon(key: string, values: DraftValues, owner: string): void {
  const id = ownedKey(owner, key);
  cancel(id);
  const save = () => saveDraft(key, values, owner);
  pending.set(id, { timer: setTimeout(save, SAVE_DELAY_MS), save });
}

/** Removes what was typed into a form, once it is saved or not wanted. */
export const discardDraft = (key: string, owner = readOwner()): void => saveDraft(key, {}, owner);

/** Returns the text of a draft that is one text; empty for none. */
export const textOfDraft = ({ text }: DraftValues = {}): string => (isText(text) ? text : '');

/** Returns the values of a draft that is one text; blank text is none. */
export const draftOfText = (text: string): DraftValues => (text.trim() === '' ? {} : { text });

/** Stores now what waits to be stored. */
function flushDrafts(): void {
  for (const { save } of [...pending.values()]) save();
}

if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', flushDrafts);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') flushDrafts();
  });
}
