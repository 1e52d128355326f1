import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { watchOutbox } from '../messages/outbox.ts';

/** What runs on every page of a signed-in user: sends the messages that were written without a line. */
export default function SignedIn({ userId }: { userId: string }) {
  const cache = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another user has other messages.
  useEffect(() => watchOutbox(cache), [cache, userId]);
  return null;
}
