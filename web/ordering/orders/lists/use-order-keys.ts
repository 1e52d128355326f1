import { useEffect, useRef } from 'react';
import { isBoolean } from '../../../platform/api/check.ts';
import { storedAtom } from '../../../platform/session/stored-atom.ts';

/** Whether keyboard shortcuts are enabled; users of speech input may need them off. */
export const orderKeysAtom = storedAtom<boolean>('order-keys', isBoolean, true);

/** The keys and what they do, in the order in which they are shown. */
export const ORDER_KEYS = {
  j: 'next',
  k: 'previous',
  a: 'accept',
  r: 'reject',
  x: 'select',
  u: 'undo',
} as const;

/** The actions of the keys. */
export type OrderKeys = Record<keyof typeof ORDER_KEYS, () => void>;

const isOrderKey = (key: string): key is keyof OrderKeys => Object.hasOwn(ORDER_KEYS, key);

const TYPING =
  'input:not([type=checkbox]), textarea, select, [contenteditable], [role="menu"], [role="menuitem"]';

/** Listens for the keys, except while typing or while a dialog is open. */
export function useOrderKeys(keys: OrderKeys, enabled: boolean): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    if (!enabled) return;
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const target = event.target as Element | null;
      if (target?.closest(TYPING)) return;
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      const key = event.key.toLowerCase();
      if (!isOrderKey(key)) return;
      event.preventDefault();
      latest.current[key]();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [enabled]);
}
