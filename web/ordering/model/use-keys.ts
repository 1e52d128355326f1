import { useEffect, useEffectEvent } from 'react';
import { isBoolean } from '../../platform/api/check.ts';
import { storedAtom } from '../../platform/session/stored-atom.ts';

/** Whether keyboard shortcuts are enabled; users of speech input may need them off. */
export const orderKeysAtom = storedAtom<boolean>('order-keys', isBoolean, true);

const TYPING = 'input:not([type=checkbox]),textarea,select,[contenteditable],[role="menu"]';

/** Returns whether what is pressed in an element is text, or chooses among items. */
export const isTyping = (target: EventTarget | null): boolean =>
  (target as Element | null)?.closest(TYPING) != null;

/** Calls what belongs to a pressed key, except while typing or while a dialog is open. */
export function useKeys(keys: Readonly<Record<string, () => void>>, isEnabled: boolean): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const key = event.key.toLowerCase();
    if (!Object.hasOwn(keys, key) || isTyping(event.target)) return;
    if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
    event.preventDefault();
    keys[key]?.();
  });
  useEffect(() => {
    if (!isEnabled) return;
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [isEnabled]);
}
