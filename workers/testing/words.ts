import { type Worded, wordsOf } from '#contract/people/notifications/constants/words';
import type { Notification } from '#contract/people/notifications/notifications';
import { type Names, toNames, withNames } from '../../server/people/notifications/present.ts';
import type { Effect } from '../notifications/engine/definition.ts';

/** What people are called, by their ids. */
export const named = (names: Readonly<Record<string, string>>): Names =>
  toNames(
    Object.entries(names).map(([id, name]) => ({ id, name, farmName: null, isDeleted: false })),
  );

/** Returns effects with what their notifications say to the present reader. */
export const withWords = (effects: readonly Effect[], names: Names = new Map()) =>
  effects.map((effect) => {
    if (effect.do !== 'notify') return effect;
    const params = withNames(effect, names) ?? undefined;
    return { ...effect, ...wordsOf({ kind: effect.kind, params }) };
  });

/** Returns notifications, as the API lists them, with what they say to the present reader. */
export const worded = (notifications: unknown) =>
  (notifications as Notification[]).map((each) => ({ ...each, ...wordsOf(each as Worded) }));
