import { type ReactNode, useLayoutEffect } from 'react';
import { useAuth } from '../auth/use-auth.ts';
import { cn } from '../ui/cn.ts';
import { ConversationList } from './ConversationList.tsx';

/**
 * Conversations and the open one: side by side where there is room, one of the two where there is
 * not. Fills the window below the bar, so that only lists scroll.
 */
export function MessagesFrame({
  openWith,
  children,
}: {
  /** The id of the person whose conversation is open. */
  openWith?: string;
  children: ReactNode;
}) {
  const { user } = useAuth();
  const isOpen = openWith !== undefined;
  useLayoutEffect(() => {
    // What one writes in stands at the window's foot, where other pages keep clear of the bar: with
    // that distance the browser would scroll the page at every key.
    const { style } = document.documentElement;
    style.scrollPaddingBlock = '0';
    return () => {
      style.scrollPaddingBlock = '';
    };
  }, []);
  return (
    <div
      className={cn(
        'mx-auto flex h-[calc(100dvh-4rem)] min-h-96 w-full max-w-[76rem] md:px-[clamp(1rem,4vw,2rem)] md:py-6',
        // The bar at the thumb.
        user?.role === 'farmer' && 'max-sm:h-[calc(100dvh-8rem)]',
      )}
    >
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
