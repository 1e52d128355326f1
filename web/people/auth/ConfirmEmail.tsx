import type { ReactNode } from 'react';
import { NO_EMAIL_ENDING } from '#contract/people/auth/constants';
import { Alert } from '../../platform/ui/feedback/Alert.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { ChangeEmailButton } from './security/AccountEmail.tsx';
import { useSendVerification } from './security/account-commands.ts';

/** Asks somebody to confirm their email, and offers another link, or another email where it was mistyped. `children` say what for. */
export function ConfirmEmail({
  email,
  kind = 'warning',
  children,
}: {
  email: string;
  kind?: 'warning' | 'info';
  children?: ReactNode;
}) {
  const send = useSendVerification();
  if (email.endsWith(NO_EMAIL_ENDING)) {
    return (
      <Alert kind={kind}>
        <p className="font-medium">Your account has no email</p>
        <p className="mt-0.5">The one it had belongs to somebody else. {children}</p>
        <Buttons>
          <ChangeEmailButton size="sm" />
        </Buttons>
      </Alert>
    );
  }
  return (
    <Alert kind={kind}>
      <p className="font-medium">Confirm your email</p>
      <p className="mt-0.5 break-words">
        {send.isSuccess ? 'We sent another link' : 'We sent a link'} to {email}. Open it on any
        device. {children}
      </p>
      {send.isSuccess && <p className="mt-2">Nothing there? It may be among spam.</p>}
      <Buttons>
        {!send.isSuccess && (
          <Button
            type="button"
            variant="secondary"
            size="sm"
            pending={send.isPending}
            onClick={() => send.mutate()}
          >
            Send the link again
          </Button>
        )}
        <ChangeEmailButton size="sm" />
      </Buttons>
    </Alert>
  );
}

const Buttons = ({ children }: { children: ReactNode }) => (
  <div className="mt-2 flex flex-wrap gap-2">{children}</div>
);
