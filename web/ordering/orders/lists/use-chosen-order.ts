import { useEffect, useRef, useState } from 'react';
import { useSearchParam } from '../../../platform/hooks/use-search-param.ts';

/** Pages follow each change of the URL, which takes longer than a key press may. */
const URL_DELAY_MS = 300;

/**
 * Returns the id of the chosen order, empty for none, and its setter. It is kept in the URL as
 * `?order=`, where it is written once the choice rests.
 */
export function useChosenOrder(): [string, (id: string) => void] {
  const [inUrl, setInUrl] = useSearchParam('order');
  const [chosen, setChosen] = useState(inUrl);
  const [seen, setSeen] = useState(inUrl);
  if (seen !== inUrl) {
    setSeen(inUrl);
    setChosen(inUrl);
  }
  const latest = useRef({ inUrl, setInUrl });
  useEffect(() => {
    latest.current = { inUrl, setInUrl };
  });
  useEffect(() => {
    if (latest.current.inUrl === chosen) return;
    const timer = setTimeout(() => latest.current.setInUrl(chosen), URL_DELAY_MS);
    return () => clearTimeout(timer);
  }, [chosen]);
  return [chosen, setChosen];
}
