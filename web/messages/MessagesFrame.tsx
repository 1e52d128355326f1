import { type ReactNode, useLayoutEffect } from 'react';
import { cn } from '../ui/cn.ts';
import { ConversationList } from './ConversationList.tsx';

/**
 * The conversation list and the open conversation: side by side on wide screens, one of them on
 * phones. Fills the page, which fills the window, so that only the lists scroll.
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
  useLayoutEffect(() => {
    // The text input is at the bottom of the window. With the scroll padding that other pages need
    // for the bar, the browser would scroll the page on every key.
    const { style } = document.documentElement;
    style.scrollPaddingBlock = '0';
    return () => {
      style.scrollPaddingBlock = '';
    };
  }, []);
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
