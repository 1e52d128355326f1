import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { User } from '#contract/people/users/users';
import { firstWord } from '../../platform/format/format.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Avatar } from '../../platform/ui/primitives/Picture.tsx';

/** The button that opens the user menu, labelled with the first word of the name. */
export function UserButton({ user, ...rest }: { user: User } & ComponentProps<'button'>) {
  return (
    <Button
      {...rest}
      variant="quiet"
      className="gap-2 px-2 text-ink hover:bg-sunken hover:text-ink"
    >
      <Avatar name={user.name} className="size-8 text-sm" />
      <span className="max-w-32 truncate">{firstWord(user.name)}</span>
      <ChevronDown aria-hidden="true" className="size-4 text-ink-soft" />
    </Button>
  );
}
