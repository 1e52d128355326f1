import { createContext, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { t } from '#contract/platform/text/constants/texts';
import {
  type DraftValues,
  discardDraft,
  draftOfText,
  readDraft,
  saveDraftSoon,
  textOfDraft,
} from '../../offline/drafts.ts';
import { readOwner } from '../../session/owned.ts';
import { farmIdOf, store, userAtom } from '../../session/session.ts';
import { Button } from '../primitives/Button.tsx';

/** Discards what was typed into the form around it. */
export const DiscardContext = createContext<() => void>(() => undefined);

const isNested = (value: unknown): value is DraftValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Compares two values of a field, which is empty without one. */
const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(one ?? '') === JSON.stringify(other ?? '');

/** Whether a field holds uploads: those that nothing shows are removed after a day, before a draft is. */
const isUpload = (value: unknown) => JSON.stringify(value)?.includes('"/uploads/') ?? false;

/** Returns the values of the fields that differ, by their paths; a list is one field, and uploads are left out. */
function changedFields(values: DraftValues, saved: DraftValues, prefix = ''): [string, unknown][] {
  return Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    const [path, before] = [`${prefix}${name}`, saved[name]];
    if (isNested(value) && isNested(before)) return changedFields(value, before, `${path}.`);
    return isSame(value, before) || isUpload(value) ? [] : [[path, value]];
  });
}

/** Returns whether a field can have a value: another release may have stored one of another kind. */
const canHave = (present: unknown, value: unknown): boolean =>
  (present ?? null) === null ||
  value === null ||
  (typeof present === typeof value && Array.isArray(present) === Array.isArray(value));

/** The draft of a form, kept for the person who opened it and the farm that they work for. */
function useDraft(key: string | undefined) {
  const [owner] = useState(readOwner);
  const [farm] = useState(() => farmIdOf(store.get(userAtom)) ?? '');
  const name = key === undefined ? undefined : `${key} ${farm}`.trim();
  const read = (): DraftValues => (name !== undefined && readDraft(name, owner)) || {};
  const save = (values: DraftValues): void => {
    if (name !== undefined) saveDraftSoon(name, values, owner);
  };
  const discard = (): void => {
    if (name !== undefined) discardDraft(name, owner);
  };
  return { owner, name, read, save, discard };
}

/** Discards the draft of a dialog that is closed. It stays when the dialog goes because the session has ended. */
function useDiscardOnClose(
  { owner, discard }: ReturnType<typeof useDraft>,
  isDialog: () => boolean,
) {
  const isOpen = useRef(false);
  const watch = useEffectEvent(() => (isDialog() ? discard : undefined));
  useEffect(() => {
    isOpen.current = true;
    const close = watch();
    return () => {
      isOpen.current = false;
      // A moment later, since in development every effect is run twice.
      queueMicrotask(() => {
        if (!isOpen.current && readOwner() === owner) close?.();
      });
    };
  }, [owner]);
}

/**
 * Keeps what is typed into a form until it is saved or discarded, and restores it over what is saved by now. Nothing is
 * kept of a form without a key, and of the fields at the paths `without`.
 */
export function useFormDraft<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  element: RefObject<HTMLFormElement | null>,
  key: string | undefined,
  without: readonly string[],
) {
  const draft = useDraft(key);
  const [isMounted, setMounted] = useState(false);
  const [isRestored, setRestored] = useState(false);
  const isKept = (path: string) =>
    without.every((each) => path !== each && !path.startsWith(`${each}.`));

  const restore = useEffectEvent(() => {
    const typed = Object.entries(draft.read()).filter(([path, value]) => {
      const present = form.getValues(path as FieldPath<Input>);
      return isKept(path) && canHave(present, value) && !isSame(present, value);
    });
    for (const [path, value] of typed) {
      form.setValue(path as FieldPath<Input>, value as never, { shouldDirty: true });
    }
    setRestored(typed.length > 0);
  });
  const keep = useEffectEvent((values: DraftValues, saved: DraftValues) => {
    const changed = changedFields(values, saved).filter(([path]) => isKept(path));
    draft.save(Object.fromEntries(changed));
  });

  useEffect(() => setMounted(true), []);
  // After the effects of the first render, in which forms follow what is shown live.
  useEffect(() => {
    if (!isMounted || draft.name === undefined) return;
    restore();
    let last = JSON.stringify(form.getValues());
    return form.subscribe({
      formState: { values: true },
      callback: ({ values, defaultValues = {} }) => {
        // Also called when the form is submitted, without a change.
        const text = JSON.stringify(values);
        if (text === last) return;
        last = text;
        keep(values, defaultValues);
      },
    });
  }, [isMounted, draft.name, form.subscribe, form.getValues]);
  useDiscardOnClose(draft, () => element.current?.closest('[role=dialog]') != null);

  const discard = () => {
    draft.discard();
    setRestored(false);
  };
  return {
    isRestored,
    discard,
    /** Call when it is saved. Where the form shows what was saved, what was typed since it was sent is kept. */
    finish: (isShown: boolean) => {
      if (isShown) setRestored(false);
      else discard();
    },
  };
}

/** Says that what was typed before is in the form again. */
export function RestoredNote({ onDiscard }: { onDiscard: () => void }) {
  return (
    <p
      role="status"
      className="col-span-full flex flex-wrap items-center gap-x-2 text-sm text-ink-soft"
    >
      {t('Restored what you had typed.')}
      <Button size="sm" variant="quiet" onClick={onDiscard}>
        {t('Discard')}
      </Button>
    </p>
  );
}

function useText(key: string, initial: string) {
  const draft = useDraft(key);
  const [restored] = useState(() => textOfDraft(draft.read()));
  const [text, setText] = useState(restored || initial);
  const [isRestored, setRestored] = useState(restored !== '');
  const write = (next: string) => {
    setText(next);
    draft.save(next === initial ? {} : draftOfText(next));
    if (next === initial) setRestored(false);
  };
  const note = isRestored && <RestoredNote onDiscard={() => write(initial)} />;
  return { draft, field: [text, write, note] as const };
}

/** Returns a text that is kept as a draft until it is blank, how to change it, and what says that it was restored. */
export const useDraftText = (key: string, initial = '') => useText(key, initial).field;

/** Like {@link useDraftText}, for a text of a dialog: it is discarded when the dialog is closed. */
export function useDialogText(key: string, initial = '') {
  const { draft, field } = useText(key, initial);
  useDiscardOnClose(draft, () => true);
  return field;
}
