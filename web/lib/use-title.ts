import { useEffect } from 'react';

/**
 * The title of the browser's tab: '<title> · Farmgate', or 'Farmgate' alone. A page may call it
 * with the name of what it shows, which then stands instead of the route's own title.
 */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = title === '' ? 'Farmgate' : `${title} · Farmgate`;
  }, [title]);
}
