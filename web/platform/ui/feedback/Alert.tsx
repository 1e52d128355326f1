import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../cn.ts';
import { toneClass } from '../primitives/Badge.tsx';

const styles = {
  error: { tone: 'tomato', icon: CircleAlert, role: 'alert' },
  warning: { tone: 'straw', icon: TriangleAlert, role: 'status' },
  success: { tone: 'leaf', icon: CircleCheck, role: 'status' },
  info: { tone: 'sky', icon: Info, role: 'status' },
} as const;

/** A message in a coloured box. Errors are announced by screen readers. */
export function Alert({
  kind,
  className,
  children,
}: {
  kind: keyof typeof styles;
  className?: string | undefined;
  children: ReactNode;
}) {
  const { tone, icon: Icon, role } = styles[kind];
  return (
    <div
      role={role}
      className={cn(
        'flex items-start gap-2.5 rounded px-4 py-3 text-sm',
        toneClass[tone],
        className,
      )}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-[1.15em] shrink-0" />
      <div className="min-w-0 grow">{children}</div>
    </div>
  );
}
