import { useEffect } from 'react';

/**
 * Sets the document title: '<title> · Farmgate', or 'Farmgate' for an empty one. A page may call it
 * to replace the title of its route.
 */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = title === '' ? 'Farmgate' : `${title} · Farmgate`;
  }, [title]);
}
