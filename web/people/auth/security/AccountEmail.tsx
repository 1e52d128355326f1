import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { NO_EMAIL_ENDING } from '#contract/people/auth/constants';
import { lazyWithRetry } from '../../../platform/ui/lazy-with-retry.tsx';
import { Badge } from '../../../platform/ui/primitives/Badge.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { emailQuery } from './email-queries.ts';

// Loaded when it is opened: few people ever do.
const ChangeEmailDialog = lazyWithRetry(() => import('./ChangeEmailDialog.tsx'));

/** Opens the dialog to change one's email. */
export function ChangeEmailButton({ size }: { size?: 'sm' }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button type="button" variant="secondary" size={size} onClick={() => setOpen(true)}>
        Change email
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ChangeEmailDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The email that the user signs in with, and a new one that waits for its confirmation. */
export function AccountEmail({ email }: { email: string }) {
  const { data } = useQuery(emailQuery());
  const shown = data?.email ?? email;
  return (
    <section aria-labelledby="account-email" className="grid gap-3">
      <h3 id="account-email" className="font-semibold">
        Email
      </h3>
      <p className="flex flex-wrap items-center gap-2 wrap-anywhere">
        <span>{shown.endsWith(NO_EMAIL_ENDING) ? 'None. Give yours.' : shown}</span>
        {data?.isVerified && <Badge tone="leaf">Confirmed</Badge>}
      </p>
      {data?.pending && (
        <p role="status" className="text-sm text-ink-soft wrap-anywhere">
          We sent a link to {data.pending.email}. It replaces this one as soon as you open the link,
          until <Time value={data.pending.until} inSentence />.
        </p>
      )}
      <div>
        <ChangeEmailButton />
      </div>
    </section>
  );
}
