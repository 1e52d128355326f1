import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { t } from '#contract/platform/text/constants/texts';
import { useTitle } from '../../platform/format/market.ts';
import { type HeldSession, takeRefused, whenReleased } from '../../platform/session/session.ts';
import { toast } from '../../platform/ui/feedback/toast.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { SignInForm } from './SignInForm.tsx';
import { endSession } from './session.ts';

/** What the page beneath must not notice: its dialogs would close on a press or Escape, or take the focus back. */
const OWN_EVENTS = [
  'pointerdown',
  'mousedown',
  'touchstart',
  'click',
  'focusin',
  'focusout',
  'keydown',
  'keyup',
] as const;

/**
 * The sign-in over a page whose session has ended. The page stays as it is beneath, hidden and inert, with all that was
 * typed into it, and its person goes on with it.
 */
export default function SignInAgain({ user, focused }: Pick<HeldSession, 'user' | 'focused'>) {
  const client = useQueryClient();
  const titleId = useId();
  const textId = useId();
  const [isCode, setIsCode] = useState(false);
  // Made here and not rendered, because what is within it is to bubble no further.
  const [dialog] = useState(() => document.createElement('dialog'));
  useTitle(t('Sign in'));
  useLayoutEffect(() => hidePageBehind(dialog, focused), [dialog, focused]);
  useEffect(() => {
    void whenReleased().then((goesOn) => {
      if (goesOn) goOn(client);
    });
  }, [client]);
  dialog.setAttribute('aria-labelledby', titleId);
  dialog.setAttribute('aria-describedby', textId);
  return createPortal(
    <div className="wrap grid min-h-full place-items-center py-8 sm:py-14">
      <div className="grid w-full max-w-md gap-6 rounded border border-hairline bg-surface px-5 py-8 sm:px-10">
        <div className="grid gap-2">
          <h1 id={titleId} className="text-2xl">
            {t('Your session has ended')}
          </h1>
          <p id={textId} className="text-ink-soft">
            {isCode
              ? t('One more step: enter the code that your authenticator app shows.')
              : t(
                  'Sign in again to go on where you were: what you typed is still there. Nobody else gets to see it.',
                )}
          </p>
        </div>
        <SignInForm
          email={user.email}
          onStep={setIsCode}
          forgotten={
            // In another tab: this one keeps what was typed, and goes on when somebody signs in there.
            <a
              href="/forgot-password"
              target="_blank"
              rel="noreferrer"
              className="link inline-flex min-h-9 items-center text-sm pointer-coarse:min-h-11"
            >
              {t('Forgot your password?')}
            </a>
          }
        />
        <Button variant="quiet" onClick={() => endSession(client, { isLeft: false })}>
          {t('Leave without signing in')}
        </Button>
      </div>
    </div>,
    dialog,
  );
}

/** What follows where the person of the page has signed in again, here or in another tab. */
function goOn(client: QueryClient): void {
  // What one may see can be something else by now.
  void client.invalidateQueries(undefined, { cancelRefetch: false });
  if (!takeRefused()) return;
  toast.warning(t('What you did last was not saved, because your session had ended. Do it again.'));
}

/**
 * Opens the dialog over all that is there, and hides that. Returns how to show it again, with the focus where it was.
 */
function hidePageBehind(dialog: HTMLDialogElement, focused: Element | null): () => void {
  const { title } = document;
  dialog.className =
    'held-page fixed inset-0 z-50 m-0 size-full max-h-none max-w-none overflow-y-auto overscroll-contain bg-paper text-ink pointer-events-auto';
  const keepOpen = (event: Event) => event.preventDefault();
  const stop = (event: Event) => event.stopPropagation();
  // The page's dialogs listen for Escape on the document, before anything within.
  const stopEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.body.append(dialog);
  // Missing in browsers older than 2022, where the page is hidden all the same.
  if (typeof dialog.showModal === 'function') dialog.showModal();
  else dialog.setAttribute('open', '');
  const fields = [...dialog.querySelectorAll<HTMLInputElement>('input:not([type="checkbox"])')];
  fields.find(({ value }) => value === '')?.focus();
  dialog.addEventListener('cancel', keepOpen);
  for (const name of OWN_EVENTS) dialog.addEventListener(name, stop);
  window.addEventListener('keydown', stopEscape, true);
  return () => {
    window.removeEventListener('keydown', stopEscape, true);
    for (const name of OWN_EVENTS) dialog.removeEventListener(name, stop);
    document.title = title;
    dialog.close?.();
    dialog.remove();
    if (focused instanceof HTMLElement && focused.isConnected)
      focused.focus({ preventScroll: true });
  };
}
