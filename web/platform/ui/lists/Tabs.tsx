import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '../cn.ts';
import { useDirection } from '../direction.ts';
import { useShownChoice } from './FilterBar.tsx';

/** One tab: its value, label and content. */
export type Tab = { value: string; label: ReactNode; content: ReactNode };

/** Tabs with arrow key navigation. */
export function Tabs({
  tabs,
  label,
  value,
  onChange,
}: {
  tabs: readonly Tab[];
  /** The accessible name. */
  label: string;
  /** The selected tab; without it the tabs are uncontrolled and the first one is selected. */
  value?: string;
  onChange?: (value: string) => void;
}) {
  const first = tabs[0]?.value ?? '';
  const row = useShownChoice('[data-state="active"]', value ?? first);
  return (
    <Radix.Root
      dir={useDirection()}
      {...(value === undefined ? { defaultValue: first } : { value })}
      {...(onChange ? { onValueChange: onChange } : {})}
      className="grid gap-6"
    >
      <Radix.List
        ref={row}
        aria-label={label}
        className="flex gap-1 overflow-x-auto border-b border-hairline"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className={cn(
              '-mb-px min-h-11 whitespace-nowrap rounded-t border-b-2 border-transparent px-4 py-2 text-sm font-medium text-ink-soft',
              'hover:text-ink data-[state=active]:border-leaf data-[state=active]:text-leaf',
              'focus-visible:outline-offset-[-2px]',
            )}
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} data-quiet-focus="">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
