import { useAtomValue } from 'jotai';
import { announcementAtom } from './announce.ts';

/** The one polite live region of the app, filled by `announce`. It is in the page before its first message. */
export function Announcer() {
  const text = useAtomValue(announcementAtom);
  return (
    <div aria-live="polite" aria-atomic="true" data-announcer="" className="sr-only">
      {text}
    </div>
  );
}
