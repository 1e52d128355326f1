import { Plus, X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react';
import { cleanText } from '#contract/platform/text/constants/text';
import { Field, Input } from '../../platform/ui/fields/Field.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';

/** Several entries may be pasted at once, from a list or a column of a spreadsheet. */
const SEPARATORS = /[,;\t\r\n]+/;

/** A list of short texts to edit. Blank and duplicate entries are not added. */
export function TextListField({
  label,
  addLabel = 'Add',
  hint,
  placeholder,
  maxLength,
  values,
  onChange,
  error,
}: {
  label: string;
  addLabel?: string;
  hint?: string;
  placeholder: string;
  maxLength: number;
  values: readonly string[];
  onChange: (values: string[]) => void;
  error?: string | undefined;
}) {
  const [draft, setDraft] = useState('');
  const add = (texts: readonly string[]) => {
    const added = texts.map(cleanText).filter((text) => text !== '');
    const next = [...new Set([...values, ...added])];
    if (next.length > values.length) onChange(next);
  };
  const addDraft = () => {
    add([draft]);
    setDraft('');
  };
  const addByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Enter must not submit the form.
    event.preventDefault();
    addDraft();
  };
  const addPasted = (event: ClipboardEvent) => {
    const texts = event.clipboardData.getData('text').trim().split(SEPARATORS);
    if (texts.length < 2) return;
    event.preventDefault();
    add(texts.map((text) => text.trim().slice(0, maxLength)));
  };
  return (
    <div className="grid gap-3">
      <Field label={label} hint={hint} error={error}>
        <div className="flex gap-2">
          <Input
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={addByKey}
            onPaste={addPasted}
            placeholder={placeholder}
            maxLength={maxLength}
          />
          <Button variant="secondary" icon={<Plus />} onClick={addDraft} className="shrink-0">
            {addLabel}
          </Button>
        </div>
      </Field>
      <ul aria-label={label} className="flex flex-wrap gap-2 empty:hidden">
        {values.map((value) => (
          <li
            key={value}
            className="inline-flex max-w-full items-center rounded-full bg-leaf-soft pl-3 text-sm text-leaf-ink animate-fade-in"
          >
            <span className="min-w-0 break-words py-1">{value}</span>
            <button
              type="button"
              aria-label={`Remove ${value}`}
              onClick={() => onChange(values.filter((each) => each !== value))}
              className="grid size-9 shrink-0 place-items-center rounded-full hover:text-tomato pointer-coarse:size-11"
            >
              <X aria-hidden="true" className="size-4" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
