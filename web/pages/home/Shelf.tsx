import { ArrowRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';

/** A section of the home page with a title and a link to all items. */
export function Shelf({
  title,
  all,
  children,
}: {
  title: string;
  /** The link to all items. */
  all?: { href: string; label: string };
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="wrap">
      <div className="mb-6 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id={id} className="text-3xl">
          {title}
        </h2>
        {all && (
          <Link
            href={all.href}
            className="inline-flex min-h-9 items-center gap-1.5 rounded text-sm font-medium text-leaf hover:text-leaf-strong hover:underline pointer-coarse:min-h-11"
          >
            {all.label}
            <ArrowRight aria-hidden="true" className="size-4" />
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}
