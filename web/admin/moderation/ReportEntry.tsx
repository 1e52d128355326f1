import { Flag } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import type { ReportKind } from '#contract/admin/moderation/constants';
import { writeMessage } from '#contract/platform/text/constants/texts';
import { useSearchParam } from '../../platform/hooks/use-search-param.ts';
import { signInHref, useSignIn } from '../../platform/session/return-path.ts';
import { farmIdOf, useAuth } from '../../platform/session/session.ts';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.tsx';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { REPORT_TITLES } from './report-words.ts';

// Loaded when it is opened: few people ever do.
const ReportDialog = lazyWithRetry(() => import('./ReportDialog.tsx'));

const look = {
  variant: 'quiet',
  size: 'sm',
  icon: <Flag />,
  className: 'justify-self-start text-ink-soft',
} as const;

/**
 * A quiet button that opens the dialog to report something. Visitors are led to the sign-in, after which it is open
 * (`?report=open`). Nothing for admins, who get the reports, and for those whose own it is.
 */
export function ReportEntry({
  kind,
  id,
  aboutId,
}: {
  kind: ReportKind;
  id: string;
  /** The person or farm that it is about. */
  aboutId: string;
}) {
  const { user } = useAuth();
  const [path] = useLocation();
  const signIn = useSignIn();
  const [asked, setAsked] = useSearchParam('report');
  const [isOpen, setOpen] = useState(asked === 'open');
  if (user?.role === 'admin' || user?._id === aboutId || farmIdOf(user) === aboutId) return null;
  const label = writeMessage(REPORT_TITLES[kind]);
  if (!user) {
    const withDialog = `${path}?report=open`;
    return (
      <LinkButton
        {...look}
        // The address is for a new tab; in this one the history entry says where to return.
        href={signInHref('/login', withDialog)}
        onClick={(event) => {
          event.preventDefault();
          signIn(withDialog);
        }}
      >
        {label}
      </LinkButton>
    );
  }
  return (
    <>
      <Button {...look} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ReportDialog
            kind={kind}
            id={id}
            onClose={() => {
              setOpen(false);
              if (asked !== '') setAsked('');
            }}
          />
        </Suspense>
      )}
    </>
  );
}
