import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { cn } from '../cn.ts';

/** A link back to the parent page. */
export function BackLink({
  href,
  children,
  className,
}: {
  href: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <Link
      href={href}
      className={cn(
        'mb-4 inline-flex min-h-9 items-center gap-1.5 rounded text-sm font-medium text-leaf hover:text-leaf-strong pointer-coarse:min-h-11',
        className,
      )}
    >
      <ArrowLeft aria-hidden="true" className="size-4" />
      {children}
    </Link>
  );
}
