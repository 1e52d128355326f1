import type { Connected } from '#contract/admin/admin/admin';
import { cn } from '../../platform/ui/cn.ts';
import { Count } from '../../platform/ui/primitives/Count.tsx';

const roles = [
  ['visitor', 'Visitors'],
  ['consumer', 'Consumers'],
  ['farmer', 'Farmers'],
  ['admin', 'Admins'],
] as const satisfies readonly (readonly [keyof Connected, string])[];

/** The number of connected people by role; dashes until it is known. */
export function ConnectedNow({
  connected,
  className,
}: {
  connected: Connected | null | undefined;
  className?: string;
}) {
  return (
    <section
      aria-label="Connected now"
      className={cn(
        'grid content-start rounded border border-hairline bg-surface px-3.5 py-2',
        className,
      )}
    >
      <h2 className="flex items-center gap-2 font-sans text-sm font-normal tracking-normal text-ink-soft">
        <span
          aria-hidden="true"
          className={cn(
            'size-2 rounded-full',
            connected ? 'bg-leaf animate-breathe' : 'bg-outline',
          )}
        />
        Connected now
      </h2>
      <dl className="flex items-baseline justify-between gap-x-4">
        {roles.map(([role, label]) => (
          <div
            key={role}
            className="flex flex-col-reverse sm:flex-row-reverse sm:items-baseline sm:gap-1.5"
          >
            <dt className="text-xs text-ink-soft">{label}</dt>
            <dd className="font-display text-lg font-semibold leading-tight">
              {connected ? <Count value={connected[role]} /> : '–'}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
