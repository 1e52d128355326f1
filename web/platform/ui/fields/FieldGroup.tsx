import type { ReactNode } from 'react';

/** A titled group of fields. */
export function FieldGroup({
  title,
  text,
  children,
}: {
  title: string;
  text?: string;
  children: ReactNode;
}) {
  return (
    <fieldset className="min-w-0">
      <legend className="font-display text-lg font-semibold">{title}</legend>
      {text && <p className="mt-1 text-sm text-ink-soft">{text}</p>}
      <div className="mt-4 grid gap-5 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}
