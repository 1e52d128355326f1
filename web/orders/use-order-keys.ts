import { useEffect, useRef } from 'react';
import { isBoolean } from '../lib/check.ts';
import { storedAtom } from '../lib/stored-atom.ts';

/** Whether keyboard shortcuts are enabled; users of speech input may need them off. */
export const orderKeysAtom = storedAtom<boolean>('order-keys', isBoolean, true);

/** The actions of the keys. */
export type OrderKeys = {
  j: () => void;
  k: () => void;
  a: () => void;
  r: () => void;
};

/** Listens for j, k, a and r, except while typing or while a dialog is open. */
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
      if (target?.closest('input, textarea, select, [contenteditable], [role="menu"]')) return;
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      const key = event.key.toLowerCase();
      if (key === 'j' || key === 'k' || key === 'a' || key === 'r') {
        event.preventDefault();
        latest.current[key]();
      }
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [enabled]);
}
