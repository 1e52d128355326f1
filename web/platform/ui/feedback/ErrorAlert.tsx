import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, CONNECTION_RESTORED, errorMessage } from '../../api/api-error.ts';
import { onReturn } from '../../api/connection.ts';
import { Alert } from './Alert.tsx';

/**
 * Shows why what was just done has failed; renders nothing without an error. Once the connection is back, what had no
 * answer can be tried again: that is said in the same place, so that no button moves.
 */
export function ErrorAlert({
  error,
  className,
  children,
}: {
  error: unknown;
  className?: string;
  /** Further words, below the message. */
  children?: ReactNode;
}) {
  const [resolvedError, setResolvedError] = useState<unknown>(null);
  const isUnanswered = error instanceof ApiError && error.isOffline;
  useEffect(
    () => (isUnanswered ? onReturn(() => setResolvedError(error)) : undefined),
    [isUnanswered, error],
  );
  if (!error) return null;
  const isBack = isUnanswered && resolvedError === error;
  return (
    <Alert kind={isBack ? 'info' : 'error'} {...(className && { className })}>
      {isBack ? CONNECTION_RESTORED : errorMessage(error)}
      {children}
    </Alert>
  );
}
