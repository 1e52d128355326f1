import { Monitor, Moon, Sun } from 'lucide-react';
import { useId } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { type Theme, useTheme } from '../../platform/hooks/use-media.ts';
import { cn } from '../../platform/ui/cn.ts';

const choices = [
  { value: 'system', label: 'Same as device', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const satisfies readonly { value: Theme; label: string; icon: unknown }[];

/** Chooses the light or dark theme, or the device's setting. */
export function ThemeSwitch() {
  const [theme, setTheme] = useTheme();
  const name = useId();
  return (
    <fieldset className="needs-scripts inline-flex w-fit rounded-full border border-hairline p-1">
      <legend className="sr-only">{t('Colours')}</legend>
      {choices.map(({ value, label, icon: Icon }) => (
        <label
          key={value}
          title={label}
          className={cn(
            'grid size-8 cursor-pointer place-items-center rounded-full text-ink-soft hover:text-ink pointer-coarse:size-11',
            'has-checked:bg-leaf-soft has-checked:text-leaf-ink',
            'has-focus-visible:outline-2 has-focus-visible:outline-leaf',
          )}
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={theme === value}
            onChange={() => setTheme(value)}
            className="sr-only"
          />
          <Icon className="size-4" />
          <span className="sr-only">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
