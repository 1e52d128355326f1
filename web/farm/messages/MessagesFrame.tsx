import { type ReactNode, useLayoutEffect } from 'react';
import { hasConversations } from '../../platform/session/farm-work.ts';
import { useAuth } from '../../platform/session/session.ts';
import { cn } from '../../platform/ui/cn.ts';
import { PageHeader } from '../../platform/ui/primitives/sections.tsx';
import { ConversationList } from './ConversationList.tsx';
import { UnsentMessages } from './UnsentMessages.tsx';

/**
 * The conversation list and the open conversation: side by side on wide screens, one of them on
 * phones. Fills the page, which fills the window, so that only the lists scroll. Who has no conversations
 * any more finds what they could not send.
 */
export function MessagesFrame({
  openWith,
  children,
}: {
  /** The id of the person whose conversation is open. */
  openWith?: string;
  children: ReactNode;
}) {
  const isOpen = openWith !== undefined;
  const { user } = useAuth();
  useLayoutEffect(() => {
    // The text input is at the bottom of the window. With the scroll padding that other pages need
    // for the bar, the browser would scroll the page on every key.
    const { style } = document.documentElement;
    style.scrollPaddingBlock = '0';
    return () => {
      style.scrollPaddingBlock = '';
    };
  }, []);
  if (!hasConversations(user)) {
    return (
      <div className="wrap py-6 sm:py-8">
        <PageHeader title="Messages" text="You don't write messages for a farm at the moment." />
        <UnsentMessages />
      </div>
    );
  }
  return (
    <div className="mx-auto flex min-h-0 w-full max-w-[76rem] grow md:px-[clamp(1rem,4vw,2rem)] md:py-6">
      <div className="flex min-w-0 grow overflow-hidden border-hairline bg-surface md:rounded md:border">
        <section
          aria-label="Conversations"
          className={cn(
            'flex w-full min-w-0 flex-col border-hairline md:w-80 md:shrink-0 md:border-r lg:w-88',
            isOpen && 'max-md:hidden',
          )}
        >
          <ConversationList openWith={openWith} />
        </section>
        <section
          aria-label="Conversation"
          className={cn('flex min-w-0 grow flex-col', !isOpen && 'max-md:hidden')}
        >
          {children}
        </section>
      </div>
    </div>
  );
}
