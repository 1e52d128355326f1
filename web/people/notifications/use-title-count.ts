import { useEffect } from 'react';

const COUNT_PREFIX = /^\(\d+\) /;

/** Shows a count before the document's title, `(2) Orders · Farmgate`, for who looks at another tab. None for 0. */
export function useTitleCount(count: number): void {
  useEffect(() => {
    if (count === 0) return;
    const updateTitle = () => {
      const wanted = `(${count}) ${document.title.replace(COUNT_PREFIX, '')}`;
      if (document.title !== wanted) document.title = wanted;
    };
    updateTitle();
    // Pages overwrite the title.
    const observer = new MutationObserver(updateTitle);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      document.title = document.title.replace(COUNT_PREFIX, '');
    };
  }, [count]);
}
