import { type ReactNode, useId } from 'react';
import { cn } from '../../platform/ui/cn.ts';

/** A titled part of the dashboard with scrolling content. */
export function Panel({
  title,
  aside,
  className,
  children,
}: {
  title: string;
  /** Content beside the title, such as a count or a link. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={cn(
        'flex min-h-0 min-w-0 flex-col rounded border border-hairline bg-surface',
        className,
      )}
    >
      <header className="flex items-center justify-between gap-3 px-3.5 pt-2.5">
        <h2 id={id} className="text-base">
          {title}
        </h2>
        {aside}
      </header>
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
        tabIndex={0}
        className="scroll-cue min-h-0 grow overflow-y-auto rounded-b px-3.5 pb-2.5 pt-1"
      >
        {children}
      </div>
    </section>
  );
}
