import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, errorMessage, LINE_IS_BACK } from '../../lib/api-error.ts';
import { onReturn } from '../../lib/on-return.ts';
import { Alert } from './Alert.tsx';

/**
 * Tells why what was just done has failed; renders nothing without an error. Once the line is back, what had no
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
  const [overcome, setOvercome] = useState<unknown>(null);
  const isUnanswered = error instanceof ApiError && error.isOffline;
  useEffect(
    () => (isUnanswered ? onReturn(() => setOvercome(error)) : undefined),
    [isUnanswered, error],
  );
  if (!error) return null;
  const isBack = isUnanswered && overcome === error;
  return (
    <Alert kind={isBack ? 'info' : 'error'} {...(className && { className })}>
      {isBack ? LINE_IS_BACK : errorMessage(error)}
      {children}
    </Alert>
  );
}
