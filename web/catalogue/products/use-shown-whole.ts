import { useDeferredValue } from 'react';
import { useIsServerRendered } from '../../platform/hooks/hydration.ts';
import { isTraversal } from '../../platform/hooks/scroll-memory.ts';
import { PHONE } from '../../platform/hooks/use-media.ts';

/**
 * Returns whether to show a page with all of its parts. False at first on a phone after a tap, which shows what fits its
 * screen sooner without the others. All is there at once where it was rendered already, and where the reader comes back
 * to a place further down.
 */
export function useShownWhole(): boolean {
  const isServerRendered = useIsServerRendered();
  return useDeferredValue(
    true,
    isServerRendered || isTraversal() || !window.matchMedia(PHONE).matches,
  );
}
