import { use, useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { theReader } from '#contract/platform/text/constants/reader';
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

/** A form with unsaved changes. */
type Guard = {
  /** Asks whether to leave, and goes on with `leave` if so. */
  ask: (leave: () => void) => void;
  discard: () => void;
};

/** The forms of the page that have unsaved changes: one of them asks for all. */
const guards = new Set<Guard>();
let stopWatching = (): void => undefined;
/** Where the forms are. */
let here = '';
let isLeaving = false;

const ask = (leave: () => void): void => [...guards][0]?.ask(leave);

/** Watches for attempts to leave the page. */
function watch(navigate: (path: string) => void): () => void {
  const onClick = (event: MouseEvent) => {
    const link = (event.target as Element | null)?.closest?.('a[href]');
    if (!(link instanceof HTMLAnchorElement) || opensElsewhere(event, link)) return;
    const target = `${link.pathname}${link.search}${link.hash}`;
    if (link.pathname === window.location.pathname) return;
    event.preventDefault();
    event.stopPropagation();
    ask(() => navigate(target));
  };
  const stopIntercepting = interceptHistoryNavigation(() => {
    if (isLeaving || window.location.href === here) return false;
    // The URL has changed already, so it is restored.
    window.history.pushState(null, '', here);
    ask(() => window.history.back());
    return true;
  });
  return stopAll(
    stopIntercepting,
    listen(document, ['click'], onClick, true),
    listen(window, ['beforeunload'], (event) => event.preventDefault()),
  );
}

/**
 * Asks for confirmation before the user leaves a form with unsaved changes: by a link, by browser history, or by
 * closing the page. Navigation from code is not blocked. Leaving discards the draft of the form around it, and of all
 * others of the page, for which it asks too.
 */
export function LeaveGuard({ when }: { when: boolean }) {
  const [, navigate] = useLocation();
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const discard = useEffectEvent(use(DiscardContext));
  // Another language has the page at another address.
  const { language } = theReader();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the address follows the language
  useEffect(() => {
    if (!when) return;
    const guard: Guard = { ask: (go) => setLeave(() => go), discard: () => discard() };
    here = window.location.href;
    isLeaving = false;
    if (guards.size === 0) stopWatching = watch(navigate);
    guards.add(guard);
    return () => {
      guards.delete(guard);
      if (guards.size === 0) stopWatching();
    };
  }, [when, navigate, language]);

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
        isLeaving = true;
        for (const guard of guards) guard.discard();
        leave?.();
      }}
    />
  );
}
