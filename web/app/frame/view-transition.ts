import { flushSync } from 'react-dom';
import type { AroundNavHandler, Parser } from 'wouter';
import { withoutLanguage } from '../../platform/format/address.ts';
import { PHONE } from '../../platform/hooks/use-media.ts';
import { findRoute } from '../routes.tsx';

/** The last click; its phase says whether it is still being handled. */
let lastClick: MouseEvent | undefined;
// The server renders the pages with this file, too.
if (typeof document !== 'undefined') {
  document.addEventListener(
    'click',
    (event) => {
      lastClick = event;
    },
    true,
  );
}

/** Returns whether the navigation is that of a link. What code navigates to, it may rely on being there at once. */
const isFromLink = (): boolean =>
  lastClick !== undefined &&
  lastClick.eventPhase !== Event.NONE &&
  lastClick.target instanceof Element &&
  lastClick.target.closest('a[href]') !== null;

/**
 * Returns what fades from one page to the next where the browser can, if the reader wants motion and the page is there:
 * nobody waits for an animation, and none blocks clicks (`::view-transition` in frame.css). Nor does it fade on phones:
 * before a fade the browser styles every element of the old page again, which takes a slow one half the time of a tap.
 */
export const viewTransitions =
  (parser: Parser): AroundNavHandler =>
  (navigate, to, options) => {
    const path = to.replace(/[?#].*$/s, '');
    const canFade =
      'startViewTransition' in document &&
      path !== withoutLanguage(location.pathname) &&
      isFromLink() &&
      !document.hidden &&
      !matchMedia('(prefers-reduced-motion: reduce)').matches &&
      !matchMedia(PHONE).matches &&
      findRoute(parser, path)?.route.isLoaded();
    if (!canFade) {
      navigate(to, options);
      return;
    }
    const { ready } = document.startViewTransition(() => flushSync(() => navigate(to, options)));
    // Rejects when the next navigation skips the animation.
    ready.catch(() => undefined);
  };
