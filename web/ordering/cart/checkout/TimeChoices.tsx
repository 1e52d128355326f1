import { formatWallTime } from '#contract/platform/time/constants/days';

/** Times within the farm's hours, each one tap. The field beside them takes any other. */
export function TimeChoices({
  label,
  times,
  value,
  onChoose,
}: {
  label: string;
  times: readonly string[];
  value: string;
  onChoose: (time: string) => void;
}) {
  if (times.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would say its legend before every time
    <div role="group" aria-label={label} className="flex flex-wrap gap-2">
      {times.map((time) => (
        <button
          key={time}
          type="button"
          aria-pressed={time === value}
          onClick={() => onChoose(time)}
          className="min-h-9 rounded border border-outline px-3 text-sm tabular aria-pressed:border-leaf aria-pressed:bg-leaf-soft aria-pressed:text-leaf-ink pointer-coarse:min-h-11"
        >
          {formatWallTime(time)}
        </button>
      ))}
    </div>
  );
}
