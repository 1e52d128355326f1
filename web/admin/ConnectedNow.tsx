import type { Connected } from '#contract/admin';
import { Count } from '../ui/Count.tsx';
import { cn } from '../ui/cn.ts';

const roles = [
  ['visitor', 'Visitors'],
  ['consumer', 'Consumers'],
  ['farmer', 'Farmers'],
  ['admin', 'Admins'],
] as const satisfies readonly (readonly [keyof Connected, string])[];

/** Who is connected at this moment, by role; dashes until it is known. */
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
      className={cn('grid gap-1 rounded border border-hairline bg-surface px-4 py-2.5', className)}
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
      <dl className="grid grid-cols-4 gap-2">
        {roles.map(([role, label]) => (
          <div key={role} className="flex flex-col-reverse">
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
