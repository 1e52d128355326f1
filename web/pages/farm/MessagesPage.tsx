import type { QueryClient } from '@tanstack/react-query';
import { t } from '#contract/platform/text/constants/texts';
import { MessagesFrame } from '../../farm/messages/MessagesFrame.tsx';
import { conversationsQuery } from '../../farm/messages/queries.ts';
import { Drawing } from '../../platform/ui/art/Drawing.tsx';

/** Prefetches the conversations. */
export const prefetch = (client: QueryClient) => client.prefetchInfiniteQuery(conversationsQuery());

/** The page of all conversations. */
export default function MessagesPage() {
  return (
    <MessagesFrame>
      <div className="grid h-full place-content-center justify-items-center gap-3 p-6 text-center">
        <Drawing name="letter" />
        <p className="text-ink-soft">{t('Choose a conversation to read it here.')}</p>
      </div>
    </MessagesFrame>
  );
}
