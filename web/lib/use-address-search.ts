import { useEffect, useRef, useState } from 'react';
import { useAddressText } from './use-address.ts';
import { useDebounced } from './use-debounced.ts';

/**
 * A search box whose words are kept in the address as `?search=`: what stands in the box, how to
 * change it, and the words as they were when one last paused for `pause` milliseconds.
 */
export function useAddressSearch(pause = 300) {
  const [inAddress, setInAddress] = useAddressText('search');
  const [text, setText] = useState(inAddress);
  const search = useDebounced(text.trim(), pause);

  const [seen, setSeen] = useState(inAddress);
  if (seen !== inAddress) {
    setSeen(inAddress);
    // Not our own doing: a link led to this page's other address.
    if (inAddress !== search) setText(inAddress);
  }

  const latest = useRef({ inAddress, setInAddress });
  useEffect(() => {
    latest.current = { inAddress, setInAddress };
  });
  useEffect(() => {
    if (latest.current.inAddress !== search) latest.current.setInAddress(search);
  }, [search]);

  return { text, setText, search };
}
