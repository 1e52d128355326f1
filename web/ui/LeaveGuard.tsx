import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { holdWayBack } from '../lib/way-back.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';

/** A press that opens something else than the next page here. */
function opensElsewhere(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const isPlain =
    event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  return !isPlain || link.target !== '' || link.origin !== window.location.origin;
}

/**
 * Asks before one leaves a half-filled form: by a link, by the browser's way back, or by closing the
 * page. Navigation from code is let through, since whoever wrote it knows.
 */
export function LeaveGuard({ when }: { when: boolean }) {
  const [, navigate] = useLocation();
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const isAllowed = useRef(false);

  useEffect(() => {
    if (!when) return;
    const here = window.location.href;
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest?.('a[href]');
      if (!(link instanceof HTMLAnchorElement) || opensElsewhere(event, link)) return;
      const target = `${link.pathname}${link.search}${link.hash}`;
      if (link.pathname === window.location.pathname) return;
      event.preventDefault();
      event.stopPropagation();
      setLeave(() => () => navigate(target));
    };
    const letGo = holdWayBack(() => {
      if (isAllowed.current || window.location.href === here) return false;
      // The address has changed already: it is put back.
      window.history.pushState(null, '', here);
      setLeave(() => () => window.history.back());
      return true;
    });
    const onClose = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener('click', onClick, true);
    window.addEventListener('beforeunload', onClose);
    return () => {
      document.removeEventListener('click', onClick, true);
      letGo();
      window.removeEventListener('beforeunload', onClose);
    };
  }, [when, navigate]);

  return (
    <ConfirmDialog
      open={leave !== null}
      onOpenChange={() => setLeave(null)}
      title="Leave without saving?"
      description="What you have changed here will be lost."
      confirmLabel="Leave"
      cancelLabel="Keep editing"
      danger
      onConfirm={() => {
        setLeave(null);
        isAllowed.current = true;
        leave?.();
      }}
    />
  );
}
