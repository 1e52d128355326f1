import { useEffect } from 'react';
import { useMarket } from '../format/market.ts';

/**
 * Sets the document title: '<title> · Farmgate' by the market's name, or the name alone for an empty one. A page may
 * call it to replace the title of its route.
 */
export function useTitle(title: string | undefined): void {
  const { name } = useMarket();
  useEffect(() => {
    if (title !== undefined) document.title = title === '' ? name : `${title} · ${name}`;
  }, [title, name]);
}
