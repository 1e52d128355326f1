import { CalendarDays } from 'lucide-react';

/** A button that opens the browser's own picker of days, without the width of its field. */
export function AnyDay({
  value,
  onChange,
}: {
  /** `YYYY-MM-DD`, or empty for none. */
  value: string;
  onChange: (day: string) => void;
}) {
  return (
    <span className="relative grid size-10 shrink-0 place-items-center rounded border border-outline bg-surface text-leaf hover:bg-leaf-soft has-focus-visible:outline-2 has-focus-visible:outline-leaf pointer-coarse:size-11">
      <CalendarDays aria-hidden="true" className="size-5" />
      <input
        type="date"
        aria-label="Another day"
        value={value}
        onChange={(event) => event.target.value && onChange(event.target.value)}
        onClick={(event) => event.currentTarget.showPicker?.()}
        data-quiet-focus=""
        className="absolute -inset-px cursor-pointer opacity-0"
      />
    </span>
  );
}
