import { Search, X } from 'lucide-react';
import { useRef } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { cn } from '../cn.ts';
import { Input } from './Field.tsx';

/** A search input with a clear button. Escape clears it too. */
export function SearchInput({
  value,
  onChange,
  label,
  placeholder,
  name,
  className,
}: {
  value: string;
  onChange: (value: string) => void;
  /** The accessible name. */
  label: string;
  placeholder?: string;
  /** Its name in a form that also works without scripts. */
  name?: string;
  className?: string;
}) {
  const box = useRef<HTMLInputElement>(null);
  const clear = () => {
    onChange('');
    box.current?.focus();
  };
  return (
    <search className={cn('relative block', className)}>
      <Search className="pointer-events-none absolute inset-s-3 top-1/2 size-4 -translate-y-1/2 text-ink-soft" />
      <Input
        ref={box}
        type="search"
        name={name}
        aria-label={label}
        placeholder={placeholder ?? label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return;
          event.stopPropagation();
          onChange('');
        }}
        autoComplete="off"
        spellCheck={false}
        className="px-9"
      />
      {value !== '' && (
        <button
          type="button"
          aria-label={t('Clear search')}
          onClick={clear}
          className="absolute inset-e-0 top-0 grid h-full w-10 place-items-center rounded text-ink-soft hover:text-ink"
        >
          <X className="size-4" />
        </button>
      )}
    </search>
  );
}
