import { use, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { t } from '#contract/platform/text/constants/texts';
import { interceptHistoryNavigation } from '../../hooks/history-guard.ts';
import { listen, stopAll } from '../../hooks/listen.ts';
import { DiscardContext } from '../form/draft.tsx';
import { ConfirmDialog } from './Dialog.tsx';

/** Returns whether the click opens the link in another tab or on another site. */
function opensElsewhere(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const isPlain =
    event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  return !isPlain || link.target !== '' || link.origin !== window.location.origin;
}

/**
 * Asks for confirmation before the user leaves a form with unsaved changes: by a link, by browser history, or by
 * closing the page. Navigation from code is not blocked. Leaving discards the draft of the form around it.
 */
export function LeaveGuard({ when }: { when: boolean }) {
  const [, navigate] = useLocation();
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const isAllowed = useRef(false);
  const discard = use(DiscardContext);

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
    const stopIntercepting = interceptHistoryNavigation(() => {
      if (isAllowed.current || window.location.href === here) return false;
      // The URL has changed already, so it is restored.
      window.history.pushState(null, '', here);
      setLeave(() => () => window.history.back());
      return true;
    });
    return stopAll(
      stopIntercepting,
      listen(document, ['click'], onClick, true),
      listen(window, ['beforeunload'], (event) => event.preventDefault()),
    );
  }, [when, navigate]);

  return (
    <ConfirmDialog
      open={leave !== null}
      onOpenChange={() => setLeave(null)}
      title={t('Leave without saving?')}
      description={t('What you have changed here will be lost.')}
      confirmLabel={t('Leave')}
      cancelLabel={t('Keep editing')}
      danger
      onConfirm={() => {
        setLeave(null);
        isAllowed.current = true;
        discard();
        leave?.();
      }}
    />
  );
}
