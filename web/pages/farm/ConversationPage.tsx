import type { QueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useParams } from 'wouter';
import { MessagesFrame } from '../../farm/messages/MessagesFrame.tsx';
import { conversationsQuery, threadQuery } from '../../farm/messages/queries.ts';
import { Thread } from '../../farm/messages/thread/Thread.tsx';
import { useAuth } from '../../platform/session/session.ts';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.tsx';

// Loaded when it is opened: few people ever do.
const ReportDialog = lazyWithRetry(() => import('../../admin/moderation/ReportDialog.tsx'));
/** Prefetches the conversation and the list beside it. */
export const prefetch = (client: QueryClient, { userId = '' }: Readonly<Record<string, string>>) =>
  Promise.all([
    client.prefetchInfiniteQuery(threadQuery(userId)),
    client.prefetchInfiniteQuery(conversationsQuery()),
  ]);

/** The page of one conversation. */
export default function ConversationPage() {
  const { userId = '' } = useParams<{ userId: string }>();
  const { user } = useAuth();
  const [reported, setReported] = useState<string | null>(null);
  return (
    <MessagesFrame openWith={userId}>
      <Thread
        key={userId}
        userId={userId}
        onReport={user?.role === 'admin' ? undefined : setReported}
      />
      {reported !== null && (
        <Suspense fallback={null}>
          <ReportDialog kind="message" id={reported} onClose={() => setReported(null)} />
        </Suspense>
      )}
    </MessagesFrame>
  );
}
