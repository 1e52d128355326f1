import { initial } from '../../format/format.ts';
import { cn } from '../cn.ts';
import { groundClass } from '../ground.ts';

/** The first letter of a name on a background that is derived from the name. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'inline-grid size-10 shrink-0 select-none place-items-center rounded-full font-display text-base font-semibold text-ink',
        groundClass(name),
        className,
      )}
    >
      {initial(name)}
    </span>
  );
}
