import { atom } from 'jotai';
import { store } from '../../session/session.ts';

/** News within this time are read out together: a new text would cut off the one before. */
const JOIN_MS = 150;
/** The text is taken away after this, so that nobody finds it later, and the same can be said again. */
const CLEAR_MS = 6_000;

/** What the live region of the app says; rendered by `Announcer`. */
export const announcementAtom = atom('');

let waiting: string[] = [];
let joining: ReturnType<typeof setTimeout> | undefined;
let clearing: ReturnType<typeof setTimeout> | undefined;

/**
 * Has screen readers read a short sentence when they are done with the current one. For what changes on
 * the screen away from the focus. Not for what a toast says: toasts are read out by themselves.
 */
export function announce(text: string): void {
  if (!waiting.includes(text)) waiting.push(text);
  clearTimeout(joining);
  joining = setTimeout(() => {
    store.set(announcementAtom, waiting.join(' '));
    waiting = [];
    clearTimeout(clearing);
    clearing = setTimeout(() => store.set(announcementAtom, ''), CLEAR_MS);
  }, JOIN_MS);
}
