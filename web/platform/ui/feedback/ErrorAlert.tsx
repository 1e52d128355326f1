import { type ReactNode, useEffect, useState } from 'react';
import { writeMessage } from '#contract/platform/text/constants/texts';
import { ApiError, CONNECTION_RESTORED, errorMessage } from '../../api/api-error.ts';
import { onReturn } from '../../api/connection.ts';
import { Alert } from './states.tsx';

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
  const isUnanswered = error instanceof ApiError && error.isOffline;
  const isBack = useHasReturned(isUnanswered ? error : null);
  if (!error) return null;
  return (
    <Alert kind={isBack ? 'info' : 'error'} className={className}>
      {isBack ? writeMessage(CONNECTION_RESTORED) : errorMessage(error)}
      {children}
    </Alert>
  );
}

/** Returns whether the connection has come back since this failure, which had no answer; null for none. */
export function useHasReturned(failure: unknown): boolean {
  const [resolved, setResolved] = useState<unknown>(null);
  useEffect(() => (failure ? onReturn(() => setResolved(failure)) : undefined), [failure]);
  return Boolean(failure) && resolved === failure;
}
