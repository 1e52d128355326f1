import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { listen } from './listen.ts';

/**
 * Returns whether the page is being printed, for what only paper shows. The browser lays the paper out right after it
 * says that it will print, so that the page has changed by then; a media query is answered too late.
 */
export function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    return listen(window, ['beforeprint', 'afterprint'], ({ type }) =>
      flushSync(() => setPrinting(type === 'beforeprint')),
    );
  }, []);
  return isPrinting;
}
