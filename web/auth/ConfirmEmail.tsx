import type { ReactNode } from 'react';
import { Alert } from '../ui/primitives/Alert.tsx';
import { Button } from '../ui/primitives/Button.tsx';
import { useSendVerification } from './account-commands.ts';

/** Asks somebody to confirm their email, and offers another link. `children` say what for. */
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
  return (
    <Alert kind={kind}>
      <p className="font-medium">Confirm your email</p>
      <p className="mt-0.5 break-words">
        {send.isSuccess ? 'We sent another link' : 'We sent a link'} to {email}. Open it on any
        device. {children}
      </p>
      {send.isSuccess ? (
        <p className="mt-2">Nothing there? It may be among spam.</p>
      ) : (
        <Button
          type="button"
          variant="secondary"
          size="sm"
          className="mt-2"
          pending={send.isPending}
          onClick={() => send.mutate()}
        >
          Send the link again
        </Button>
      )}
    </Alert>
  );
}
