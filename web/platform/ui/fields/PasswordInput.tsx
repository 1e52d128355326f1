import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { listen } from '../../hooks/listen.ts';
import { Input, labelIdOf, useFieldAttributes } from './Field.tsx';

/**
 * An input for a password, labelled by its `Field`, with a switch that shows what is typed. Submitting
 * the form hides it again, so that no browser offers it later among what was typed into text inputs.
 */
export function PasswordInput(
  props: Omit<ComponentProps<'input'>, 'type' | 'className' | 'autoComplete'> & {
    autoComplete: 'current-password' | 'new-password';
  },
) {
  const { id } = useFieldAttributes();
  const frame = useRef<HTMLDivElement>(null);
  const [isShown, setIsShown] = useState(false);
  const selection = useRef<[start: number, end: number] | null>(null);
  const findInput = () => frame.current?.querySelector('input') ?? null;

  const toggle = () => {
    const input = findInput();
    selection.current = input && [input.selectionStart ?? 0, input.selectionEnd ?? 0];
    setIsShown(!isShown);
  };

  // Browsers move the caret when the type of an input changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each change of the type
  useLayoutEffect(() => {
    const input = findInput();
    if (!selection.current || input !== document.activeElement) return;
    input?.setSelectionRange(...selection.current);
    selection.current = null;
  }, [isShown]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the form does not change
  useEffect(() => {
    const form = findInput()?.form;
    if (!isShown || !form) return;
    return listen(form, ['submit'], () => setIsShown(false));
  }, [isShown]);

  const Icon = isShown ? EyeOff : Eye;
  return (
    <div ref={frame} className="relative">
      <Input
        {...props}
        type={isShown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className="pe-11 [&::-ms-reveal]:hidden"
      />
      <button
        type="button"
        aria-pressed={isShown}
        aria-controls={id}
        aria-describedby={id && labelIdOf(id)}
        // The focus stays in the input, and a phone's keyboard open.
        onMouseDown={(event) => event.preventDefault()}
        onClick={toggle}
        className="absolute inset-y-0 inset-e-0 grid w-10 place-items-center rounded text-ink-soft hover:text-ink pointer-coarse:w-11"
      >
        {/* Text and no aria-label: anyone who looks for the field by its label finds one. */}
        <span className="sr-only">{t('Show password')}</span>
        <Icon className="size-4.5" />
      </button>
    </div>
  );
}
